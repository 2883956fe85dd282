/** [U-30] Which test proves which criterion of WCAG 2.2 AA, and what is said without taking the focus. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Announcer } from '@/components/shell/announcer';
import { LostBanner } from '@/components/shell/connection-banner';
import { PausedBannerView } from '@/components/shell/pause';

const TESTS = fileURLToPath(new URL('..', import.meta.url));
const CRITERIA = [
  '1.4.1 1.4.3 1.4.10 1.4.11 1.4.12 1.4.13',
  '2.1.1 2.1.4 2.2.1 2.2.2 2.3.1 2.4.7 2.4.11 2.5.7 2.5.8',
  '3.3.4 3.3.7 3.3.8 4.1.3',
].flatMap((line) => line.split(' '));

const named = new Set(
  readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .flatMap(
      (file) => readFileSync(`${TESTS}/${file}`, 'utf8').match(/(?:it|describe|\]\))[^\n]*/g) ?? [],
    )
    .flatMap((line) => [...line.matchAll(/\[(\d\.\d\.\d+)\]/g)].map(([, criterion]) => criterion)),
);

describe('[U-30] criteria', () => {
  it.each(CRITERIA)('%s has a test that names it', (criterion) => {
    expect(named.has(criterion)).toBe(true);
  });
});

describe('[U-30] [4.1.3] status messages', () => {
  it('news of the fleet are said politely', () => {
    expect(renderToStaticMarkup(<Announcer />)).toContain('aria-live="polite"');
  });

  it('a lost connection is said at once, a pause as a status', () => {
    const lost = <LostBanner connection={{ status: 'stale', since: 1_000 }} now={9_000} />;
    expect(renderToStaticMarkup(lost)).toContain('role="alert"');
    const paused = <PausedBannerView at={1_000} now={9_000} news="" />;
    expect(renderToStaticMarkup(paused)).toMatch(/^<output/);
  });
});
