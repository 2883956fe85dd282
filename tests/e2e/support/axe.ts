/** axe over a page that stays open while its theme and its size change around it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

type Finding = { id: string; impact: string | null; nodes: { target: string[] }[] };
type Axe = {
  run(within: unknown, options: unknown): Promise<{ violations: Finding[] }>;
};

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const DESK = { width: 1440, height: 900 };
const PHONE = { width: 360, height: 640 };

/** All that another theme can change: the elements are the same. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
const LOOKS = [
  { colorScheme: 'dark', viewport: DESK, isAll: true },
  { colorScheme: 'light', viewport: DESK, isAll: false },
  { colorScheme: 'light', viewport: PHONE, isAll: true },
  { colorScheme: 'dark', viewport: PHONE, isAll: false },
] as const;

/** Past the policy of the page, which lets no script in. */
async function bring(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in window)) return;
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Runtime.evaluate', { expression: `${AXE};0` });
  await cdp.detach();
}

/** Until the page has drawn itself for what was changed around it. */
const drawn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => done(null)));
      }),
  );

/**
 * Serious findings in both themes, at a desk and on a phone, of the page or of what matches `within`.
 * Target sizes [2.5.8] are among them, which axe leaves out unless it is asked.
 */
export async function seriousFindings(page: Page, within = 'html'): Promise<string[]> {
  await bring(page);
  const before = page.viewportSize() ?? DESK;
  const found: string[] = [];
  for (const { colorScheme, viewport, isAll } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await drawn(page);
    // A popover goes with the button that opened it, where another size has no room for that.
    if ((await page.locator(within).count()) === 0) continue;
    const only = isAll ? {} : { runOnly: { type: 'rule', values: COLOURS } };
    const options = { resultTypes: ['violations'], preload: false, ...only };
    const rules = isAll ? { rules: { 'target-size': { enabled: true } } } : {};
    const { violations } = await page.evaluate(
      (asked) => (Reflect.get(window, 'axe') as Axe).run(asked.within, asked.options),
      { within, options: { ...options, ...rules } },
    );
    const serious = violations.filter(({ impact }) => /^(serious|critical)$/.test(impact ?? ''));
    for (const { id, nodes } of serious) {
      const where = nodes.map(({ target }) => target.join(' ')).join(', ');
      found.push(`${id}, ${colorScheme}, ${viewport.width} px: ${where}`);
    }
  }
  await page.setViewportSize(before);
  return found;
}
