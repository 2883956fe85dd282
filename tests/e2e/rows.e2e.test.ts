/** The list in an outage: what is on the first screen, and that nothing moves under the hand. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installProbes, takeSeen, visibleRows } from '@/bench/screen/page-probes';
import { breakerFixture, everyState, quietFleet } from '@/components/design/breaker-fixtures';
import { PREFERENCES_COOKIE } from '@/components/shell/preferences';
import type { BreakerPatch } from '@/lib/protocol/live-frames';
import type { BreakerView } from '@/lib/protocol/views';
import { openPretendStage, WIDE, type PretendStage } from './support/pretend';

const CLICKS = 200;
const UPDATES_PER_SECOND = 500;
const TICK_MS = 20;
/** From seeing a row to pressing the button on it. */
const HAND_MS = 40;
const PATIENCE = { timeout: 30_000, interval: 50 };

let stage: PretendStage;

/** 500 breakers, of which 14 callers of one dependency and the usual few need somebody. */
function incident(now: number): BreakerView[] {
  const open = Array.from({ length: 14 }, (_, index) =>
    breakerFixture(now, {
      id: `open-${index}`,
      name: 'ledger',
      service: `caller-${String(index).padStart(2, '0')}`,
      target: 'ledger',
      state: 'open',
      states: { open: 3 },
      since: now - 60_000 - index * 1_000,
      retryAt: now + 20_000,
      // Each twice as much as the one before: the order is theirs.
      refusedPerSecond: 2 ** index,
      failureShare: null,
    }),
  );
  return [...quietFleet(now, 474), ...everyState(now), ...open];
}

beforeAll(async () => {
  stage = await openPretendStage();
});

afterAll(async () => {
  await stage?.close();
});

async function openList(options: Parameters<PretendStage['page']>[0] = {}): Promise<Page> {
  const page = await stage.page(options);
  // tsx and esbuild wrap inner functions in a helper that a page does not have.
  await page.addInitScript('globalThis.__name = (value) => value');
  await page.addInitScript(installProbes);
  await page.goto(stage.url);
  await page.locator('[id^="breaker-"]').first().waitFor();
  return page;
}

/** Rows on the screen, top first, with what they show. */
const rowsOf = (page: Page) =>
  page.locator('[id^="breaker-"]').evaluateAll((rows) => {
    const grid = document.querySelector('[role="grid"]')?.getBoundingClientRect();
    return rows
      .flatMap((row) => {
        const box = row.getBoundingClientRect();
        const bottom = Math.min(box.bottom, grid?.bottom ?? 0, innerHeight);
        const seen = Math.max(0, bottom - Math.max(box.top, 0));
        const state = row.getAttribute('data-state') ?? '';
        return seen < 1
          ? []
          : [
              {
                id: row.id.slice(8),
                state,
                top: box.top,
                seen,
                width: box.width,
                height: box.height,
              },
            ];
      })
      .sort((a, b) => a.top - b.top);
  });

describe('[U-02] the first screen of an incident', () => {
  it.each([
    ['a desk', WIDE],
    ['a small laptop', { width: 1366, height: 768 }],
    ['a phone', { width: 360, height: 640 }],
  ])('shows the worst first, and little of what is well, on %s', async (_where, viewport) => {
    stage.show(incident(Date.now()));
    const page = await openList({ viewport });
    const rows = await rowsOf(page);
    expect(rows[0]?.id).toBe('forced-closed');
    const open = rows.filter(({ id }) => /^open-\d/.test(id)).map(({ id }) => id);
    expect(open.slice(0, 2)).toEqual(['open-13', 'open-12']);
    const normal = rows.filter(({ state }) => state === 'closed');
    const area = normal.reduce((sum, { seen, width }) => sum + seen * width, 0);
    expect(area / (viewport.width * viewport.height)).toBeLessThanOrEqual(0.4);
    // Of the rows themselves too.
    expect(normal.length / rows.length).toBeLessThanOrEqual(0.4);
    await page.context().close();
  });
});

describe('[U-36] row heights', () => {
  it.each([
    ['dense', 28, 24],
    ['comfortable', 40, 15],
  ])('[2.5.8] %s rows are %i px with targets of at least 24 px', async (density, rowPx, least) => {
    stage.show(incident(Date.now()));
    const page = await stage.page();
    const value = encodeURIComponent(JSON.stringify({ density }));
    await page.context().addCookies([{ name: PREFERENCES_COOKIE, value, url: stage.url }]);
    await page.goto(stage.url);
    await page.getByRole('button', { name: new RegExp(`^${density} rows`, 'i') }).click();
    await page.locator('[id^="breaker-"]').first().waitFor();
    await expect.poll(async () => (await rowsOf(page))[0]?.height, PATIENCE).toBe(rowPx);
    const rows = await rowsOf(page);
    expect(rows.filter(({ seen }) => seen >= rowPx).length).toBeGreaterThanOrEqual(least);
    const box = await page.locator('[id^="breaker-"] label').first().boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
    // It is kept on this device.
    await page.reload();
    await page.locator('[id^="breaker-"]').first().waitFor();
    expect((await rowsOf(page))[0]?.height).toBe(rowPx);
    await page.context().close();
  });
});

/** Rows that a bar or a hint covers at the moment are in one of them only. */
function isSameOrder(before: readonly string[], after: readonly string[]): boolean {
  const both = before.filter((id) => after.includes(id));
  const again = after.filter((id) => before.includes(id));
  return both.length * 2 > before.length && both.join() === again.join();
}

describe('[U-03] rows under the hand', () => {
  const STATES = ['closed', 'open', 'half_open'] as const;
  let turn = 0;

  /** What changes the order most: states, and how much is refused. */
  const churn = (rows: readonly BreakerView[]): BreakerPatch[] =>
    Array.from({ length: (UPDATES_PER_SECOND * TICK_MS) / 1_000 }, () => {
      turn += 1;
      const { id } = rows[(turn * 37) % rows.length] ?? { id: '' };
      const state = STATES[turn % 3] ?? 'closed';
      return {
        id,
        state,
        states: { [state]: 3 },
        since: Date.now(),
        refusedPerSecond: state === 'open' ? (turn * 13) % 400 : 0,
      };
    });

  it(`${CLICKS} clicks at ${UPDATES_PER_SECOND} updates a second hit the row that was meant`, async () => {
    const rows = quietFleet(Date.now(), 500);
    stage.show(rows);
    const page = await openList();
    const storm = setInterval(() => stage.patch(churn(rows)), TICK_MS);
    try {
      await page.mouse.move(700, 500);
      await page.evaluate(takeSeen);
      const wrong: unknown[] = [];
      let orders = 0;
      let before: string[] = [];
      for (let click = 0; click < CLICKS; click += 1) {
        // The list keeps its order while it has the focus: a new one is asked for now and then.
        if (click % 20 === 10) {
          await page.getByRole('button', { name: 'New order' }).click();
          await page.mouse.move(700, 500);
          await page.evaluate(takeSeen);
        }
        const seen = await page.evaluate(visibleRows);
        const order = seen.map(({ id }) => id);
        if (!isSameOrder(before, order)) orders += 1;
        before = order;
        const row = seen[(click * 7) % seen.length];
        if (row === undefined) throw new Error('no row is on the screen');
        await page.waitForTimeout(HAND_MS);
        await page.keyboard.down('Control');
        await page.mouse.click(row.x, row.y);
        await page.keyboard.up('Control');
        const { clicks } = await page.evaluate(takeSeen);
        if (clicks.length !== 1 || clicks[0]?.id !== row.id) wrong.push({ click, row, clicks });
      }
      expect(wrong).toEqual([]);
      // The order did change, and only when it was asked for.
      expect(orders).toBeGreaterThan(2);
      expect(orders).toBeLessThanOrEqual(1 + CLICKS / 20);
      await page.getByRole('button', { name: 'New order' }).waitFor();
    } finally {
      clearInterval(storm);
    }
    await page.context().close();
  });
});

describe('[U-38] a phone', () => {
  const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };

  it('is one tap away from the state of a breaker', async () => {
    stage.show(incident(Date.now()));
    const page = await openList(PHONE);
    const card = page.locator('[id="breaker-forced-closed"]');
    expect(await card.innerText()).toMatch(/^Forced closed/);
    await card.getByRole('link').first().tap();
    await page.waitForURL(/\/breakers\/forced-closed/);
    await page.context().close();
  });

  it('has controls that a finger hits', async () => {
    stage.show(incident(Date.now()));
    const page = await openList(PHONE);
    const small = await page
      .locator(
        'header button, header a, nav a, [role="search"] button, search button, search select, search input',
      )
      .evaluateAll((all) =>
        all.flatMap((one) => {
          const { width, height } = one.getBoundingClientRect();
          const name = one.getAttribute('aria-label') ?? one.textContent ?? '';
          return width > 0 && Math.min(width, height) < 24 ? [`${name}: ${width}x${height}`] : [];
        }),
      );
    expect(small).toEqual([]);
    await page.context().close();
  });
});
