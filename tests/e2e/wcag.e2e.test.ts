/** What WCAG 2.2 asks of the pages as they are laid out and used; axe sees none of this. [U-30] */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyState } from '@/components/design/breaker-fixtures';
import { openPretendStage, WIDE, type PretendStage } from './support/pretend';

const PAGES = [
  '/',
  '/?view=tiles&group=service',
  '/targets/ledger',
  '/services',
  '/overrides',
  '/audit',
  '/settings/people',
  '/settings/policies',
  '/settings/profile',
] as const;

let stage: PretendStage;
let page: Page;

beforeAll(async () => {
  stage = await openPretendStage();
  stage.show(everyState(Date.now()));
  page = await stage.page();
});

afterAll(async () => {
  await stage?.close();
});

async function open(path: string): Promise<void> {
  await page.goto(stage.url + path);
  await page.getByText('Live', { exact: true }).first().waitFor();
  await page.locator('main :is(h1, [role="grid"])').first().waitFor();
}

/** How far the page can be scrolled sideways, and what sticks out. */
const sideways = () =>
  page.evaluate(() => {
    const main = document.querySelector('main');
    const wide = document.documentElement.scrollWidth - innerWidth;
    return Math.max(wide, main === null ? 0 : main.scrollWidth - main.clientWidth);
  });

describe('[U-30] layout', () => {
  it('[1.4.10] nothing needs sideways scrolling at 320 px', async () => {
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of PAGES) {
      await open(path);
      expect({ path, over: await sideways() }).toEqual({ path, over: 0 });
    }
  });

  it('[1.4.12] wider text spacing cuts off no text', async () => {
    await page.setViewportSize(WIDE);
    for (const path of PAGES) {
      await open(path);
      const cut = () =>
        page.evaluate(() =>
          [
            ...document.querySelectorAll('button, a, h1, h2, h3, dt, dd, label, th, p, output'),
          ].flatMap((element) => {
            const { overflow, textOverflow, overflowY } = getComputedStyle(element);
            const text = element.textContent?.trim() ?? '';
            const box = element.getBoundingClientRect();
            if (text === '' || box.width < 2 || box.height < 2) return [];
            // An ellipsis cuts by choice, and the whole is said elsewhere.
            const clips = overflow !== 'visible' && textOverflow !== 'ellipsis';
            const over =
              element.scrollHeight > element.clientHeight + 1 && overflowY !== 'auto' && clips;
            const out = box.right > innerWidth + 1;
            return over || out ? [`${element.tagName} ${text.slice(0, 40)}`] : [];
          }),
        );
      const before = new Set(await cut());
      await page.addStyleTag({
        content:
          '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }',
      });
      const after = (await cut()).filter((one) => !before.has(one));
      expect({ path, after, over: await sideways() }).toEqual({ path, after: [], over: 0 });
    }
  });
});

/** What has the focus: whether a ring shows it, and whether some of it is in sight. */
// It runs in the page, which gets this function alone.
// oxlint-disable unicorn/consistent-function-scoping
const focused = () => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const name = `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent?.slice(0, 30) ?? ''} ${element.getAttribute('href') ?? ''}`;
  const isRinged = (one: Element | null): boolean => {
    if (one === null) return false;
    const { outlineStyle, outlineWidth, opacity } = getComputedStyle(one);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && opacity !== '0';
  };
  // A field without a face of its own has its ring on what stands for it.
  const ringed = [element, element.parentElement, element.parentElement?.parentElement ?? null];
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const points = [0.1, 0.5, 0.9].flatMap((x) =>
    [0.1, 0.5, 0.9].map((y) => [left + (right - left) * x, top + (bottom - top) * y] as const),
  );
  const uncovered = points.some(([x, y]) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (element.contains(hit) || hit.contains(element));
  });
  return { name, isSeen: ringed.some(isRinged), uncovered };
};
// oxlint-enable unicorn/consistent-function-scoping

describe('[U-30] the keyboard', () => {
  it.each([
    ['a desk', WIDE],
    ['a phone', { width: 360, height: 640 }],
  ])('[2.4.7] [2.4.11] focus is seen and not hidden, on %s', async (_where, viewport) => {
    await page.setViewportSize(viewport);
    for (const path of ['/', '/services', '/settings/profile']) {
      await open(path);
      const problems: string[] = [];
      const seen = new Set<string>();
      for (let stop = 0; stop < 60; stop += 1) {
        await page.keyboard.press('Tab');
        const found = await page.evaluate(focused);
        if (found === null) break;
        if (!found.isSeen) problems.push(`no ring on ${found.name}`);
        if (!found.uncovered) problems.push(`hidden: ${found.name}`);
        seen.add(found.name);
      }
      expect({ path, problems }).toEqual({ path, problems: [] });
      expect(seen.size).toBeGreaterThan(5);
    }
  });

  it('[1.4.13] what opens over the page stays under the pointer and goes with Escape', async () => {
    await page.setViewportSize(WIDE);
    await open('/');
    await page
      .getByRole('banner')
      .getByRole('button', { name: /Change the time zone/ })
      .click();
    const popup = page.getByRole('dialog', { name: 'Time zone' });
    await popup.hover();
    expect(await popup.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await popup.waitFor({ state: 'detached' });
  });
});

describe('[U-30] time and motion', () => {
  it('[2.3.1] nothing flashes', async () => {
    await page.setViewportSize(WIDE);
    for (const path of ['/', '/wall']) {
      await page.goto(stage.url + path);
      await page.locator('[data-state]').first().waitFor();
      const endless = await page.evaluate(
        () =>
          document
            .getAnimations()
            .filter((one) => one.effect?.getComputedTiming().iterations === Infinity).length,
      );
      expect(endless).toBe(0);
    }
  });
});

describe('[U-30] signing in', () => {
  it('[3.3.8] takes a pasted password and lets the browser fill it in', async () => {
    const other = await stage.browser.newPage();
    await other.goto(`${stage.url}/sign-in`);
    const field = other.getByLabel('Password');
    await field.waitFor();
    expect(await field.getAttribute('autocomplete')).toBe('current-password');
    expect(await other.getByLabel('E-mail').getAttribute('autocomplete')).toMatch(/username/);
    await field.focus();
    const kept = await field.evaluate((node) =>
      node.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true })),
    );
    expect(kept).toBe(true);
    await other.close();
    expect(stage.problems).toEqual([]);
  });
});
