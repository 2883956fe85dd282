/** [U-04] Every state is told by shape and by word, for eyes that see no colours or others. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { breakerFixture } from '@/components/design/breaker-fixtures';
import { stateLabel, STATES_WORST_FIRST, type Freshness } from '@/components/state';
import type { BreakerView } from '@/lib/protocol/views';
import { faviconUrl } from '@/components/shell/title-text';
import { openPretendStage, type PretendStage } from './support/pretend';
import { nameOf, readShapes, type Box, type Shape } from './support/shapes';

/** "achromatopsia" is a picture in greys. */
const SIGHTS = ['achromatopsia', 'protanopia', 'deuteranopia', 'tritanopia'] as const;
const BOTH = ['dark', 'light'] as const;
const TALL = { width: 1440, height: 1_200 };
const HEARD = {
  live: { total: 2, live: 2, stale: 0, offline: 0 },
  stale: { total: 2, live: 0, stale: 2, offline: 0 },
  offline: { total: 2, live: 0, stale: 0, offline: 2 },
} as const;

type Look = readonly [state: BreakerView['state'], freshness: Freshness];
/** All that can be told apart: of an instance that is gone, only that it is. */
const LOOKS: readonly Look[] = [
  ...STATES_WORST_FIRST.map((state): Look => [state, 'live']),
  ...STATES_WORST_FIRST.map((state): Look => [state, 'stale']),
  ['closed', 'offline'],
];
const LABELS = LOOKS.map((look) => stateLabel(...look));
/** The wall has room for nine, and shows nothing that is well. */
const LOUD: readonly Look[] = STATES_WORST_FIRST.slice(0, 4).map((state): Look => [state, 'live']);
const SILENT = LOOKS.filter(([, freshness]) => freshness !== 'live');
const WALL = { width: 1_920, height: 1_080 };
const PATIENCE = { timeout: 30_000, interval: 100 };

/** What a glyph should be read as, and the words beside it. */
type Sign = { readonly expected: string; readonly words: string; readonly box: Box };

let stage: PretendStage;
let reader: Page;
const known: (readonly [label: string, shape: Shape])[] = [];

const fleet = (looks: readonly Look[], now = Date.now()): BreakerView[] =>
  looks.map(([state, freshness], index) =>
    breakerFixture(now, {
      id: `look-${index}`,
      name: `look-${index}`,
      state,
      states: freshness === 'live' ? { [state]: 2 } : {},
      instances: HEARD[freshness],
      ...(state === 'half_open' ? { ramp: { step: 1, steps: 4, share: 0.3 } } : {}),
    }),
  );

/** The longest label that the words begin with: "Open" is not "Open to change". */
function wordOf(words: string): string {
  const said = words.trim().toLowerCase();
  const fitting = LABELS.filter((label) => said.startsWith(label.toLowerCase()));
  return fitting.sort((a, b) => b.length - a.length)[0] ?? `no word in "${words}"`;
}

type Found = { state: string; freshness: string; words: string; box: Box };

/** The first glyph in each of these elements, with the words beside it. */
// It runs in the page, which gets this function alone.
const signsIn = (elements: (HTMLElement | SVGElement)[]): Found[] =>
  elements.flatMap((element) => {
    const glyph = element.querySelector('svg[data-tone]');
    if (glyph === null) return [];
    const { x, y, width } = glyph.getBoundingClientRect();
    return [
      {
        state: element.dataset['state'] ?? '',
        freshness: element.dataset['fresh'] ?? '',
        words: element.getAttribute('title') ?? glyph.parentElement?.innerText ?? '',
        box: { x, y, size: width },
      },
    ];
  });

/** Every row, tile or card of a breaker on the screen. */
async function rowsOn(page: Page): Promise<Sign[]> {
  const found = await page.locator('[data-state][data-fresh]').evaluateAll(signsIn);
  return found.map(({ state, freshness, words, box }) => ({
    expected: stateLabel(state as Look[0], freshness as Freshness),
    words,
    box,
  }));
}

type Read = (page: Page) => Promise<Sign[]>;

/** With the signs where they stand in it: a page that moved in between is looked at again. */
async function pictureOf(page: Page, read: Read): Promise<{ png: Buffer; signs: Sign[] }> {
  const placesOf = (signs: readonly Sign[]) => JSON.stringify(signs.map(({ box }) => box));
  for (let looks = 0; looks < 20; looks += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    const before = await read(page);
    // oxlint-disable-next-line no-await-in-loop
    const png = await page.screenshot({ animations: 'disabled' });
    // oxlint-disable-next-line no-await-in-loop
    const signs = await read(page);
    if (placesOf(before) === placesOf(signs)) return { png, signs };
  }
  throw new Error('the page does not stand still');
}

/** What both eyes and reading say of each sign that is not what it is. */
async function misread(page: Page, read: Read): Promise<string[]> {
  const cdp = await page.context().newCDPSession(page);
  const wrong: string[] = [];
  for (const type of SIGHTS) {
    // One sight after another: it is a setting of the page.
    // oxlint-disable-next-line no-await-in-loop
    await cdp.send('Emulation.setEmulatedVisionDeficiency', { type });
    // oxlint-disable-next-line no-await-in-loop
    const { png, signs } = await pictureOf(page, read);
    // oxlint-disable-next-line no-await-in-loop
    const shapes = await readShapes(
      reader,
      png,
      signs.map(({ box }) => box),
    );
    for (const [index, { expected, words }] of signs.entries()) {
      const seen = nameOf(shapes[index] ?? [], known);
      if (seen !== expected) wrong.push(`${type}: the shape of ${expected} looks like ${seen}`);
      if (wordOf(words) !== expected) wrong.push(`${expected} is said as ${words}`);
    }
  }
  return wrong;
}

/** The shapes as the legend shows them, in each of its sizes. */
async function learn(): Promise<void> {
  const page = await stage.page({ colorScheme: 'light', viewport: TALL });
  await page.goto(`${stage.url}/design`);
  const rows = page.getByRole('table', { name: 'States' }).locator('tbody tr');
  await rows.first().waitFor();
  const legend = await rows.evaluateAll((all) =>
    all.flatMap((row) =>
      [...row.querySelectorAll('td:nth-child(2) svg')].map((glyph) => {
        const { x, y, width } = glyph.getBoundingClientRect();
        return { label: row.querySelector('td')?.innerText ?? '', box: { x, y, size: width } };
      }),
    ),
  );
  const shapes = await readShapes(
    reader,
    await page.screenshot({ animations: 'disabled', fullPage: true }),
    legend.map(({ box }) => box),
  );
  for (const [index, { label }] of legend.entries()) known.push([label, shapes[index] ?? []]);
  await page.context().close();
}

beforeAll(async () => {
  stage = await openPretendStage();
  reader = await stage.browser.newPage();
  await learn();
});

afterAll(async () => {
  await stage?.close();
});

describe('[U-04] [1.4.1] shapes and words', () => {
  it('there are as many as there are looks', () => {
    expect([...new Set(known.map(([label]) => label))].sort()).toEqual([...LABELS].sort());
  });

  it.each([
    ['the table', '/', TALL, LOOKS],
    ['the tiles', '/?view=tiles', TALL, LOOKS],
    ['the cards of a phone', '/', { width: 360, height: 2_400 }, LOOKS],
    ['the wall', '/wall', WALL, LOUD],
    ['the wall, of what is silent', '/wall', WALL, SILENT],
  ] as const)('are all read right in %s', async (_where, path, viewport, looks) => {
    stage.show(fleet(looks));
    const labels = looks.map((look) => stateLabel(...look));
    // The wall is dark of itself.
    for (const colorScheme of path === '/wall' ? (['dark'] as const) : BOTH) {
      const page = await stage.page({ colorScheme, viewport });
      await page.goto(stage.url + path);
      const missing = async () => {
        const seen = new Set((await rowsOn(page)).map(({ expected }) => expected));
        return labels.filter((label) => !seen.has(label));
      };
      await expect.poll(missing, PATIENCE).toEqual([]);
      expect(await misread(page, rowsOn)).toEqual([]);
      await page.context().close();
    }
  });

  it('are all read right in the bands and lanes of the charts', async () => {
    for (const colorScheme of BOTH) {
      const page = await stage.page({ colorScheme, viewport: TALL });
      await page.goto(`${stage.url}/design`);
      const ramp = page.getByRole('figure', { name: /^Ramp:/ }).first();
      await ramp.scrollIntoViewIfNeeded();
      const bands = page.locator('[title*=" for "]:has(> svg[data-tone])');
      await bands.first().waitFor();
      const read = async () =>
        (await bands.evaluateAll(signsIn))
          .filter(({ box }) => box.y > 0 && box.y + box.size < TALL.height)
          .map((sign) => ({ ...sign, expected: wordOf(sign.words) }));
      const states = new Set((await read()).map(({ expected }) => expected));
      expect(states.size).toBeGreaterThanOrEqual(3);
      expect(await misread(page, read)).toEqual([]);
      await page.context().close();
    }
  });
});

const SHAPES = ['closed', 'half', 'open', 'forced', 'lost', 'paused'] as const;

/** The icons side by side as big as asked, read from the pixels. */
const drawn = async (px: number, ground: string) => {
  const gap = px * 2;
  await reader.setViewportSize({ width: gap * (SHAPES.length + 1), height: gap * 2 });
  await reader.setContent(
    `<body style="margin:0;background:${ground}">${SHAPES.map(
      (shape, at) =>
        `<img src="${faviconUrl(shape)}" width="${px}" style="position:absolute;top:8px;left:${8 + at * gap}px">`,
    ).join('')}`,
  );
  const boxes = SHAPES.map((_shape, at) => ({ x: 8 + at * gap, y: 8, size: px }));
  return readShapes(reader, await reader.screenshot(), boxes);
};

describe('[U-04] the tab of the browser', () => {
  it('has an icon that is told by its shape, at its own size, on light and on dark', async () => {
    const meant = (await drawn(64, '#ffffff')).map(
      (shape, at) => [SHAPES[at] ?? '', shape] as const,
    );
    for (const ground of ['#ffffff', '#202124']) {
      const seen = await drawn(16, ground);
      expect(seen.map((shape) => nameOf(shape, meant))).toEqual([...SHAPES]);
    }
  });

  it.each([
    ['open', 'open', '(1 open) Recloser'],
    ['forced_closed', 'forced', '(1 forced) Recloser'],
    ['half_open', 'half', '(1 recovering) Recloser'],
    ['closed', 'closed', 'Recloser'],
  ] as const)('says %s in its icon and in its title', async (state, shape, title) => {
    stage.show([breakerFixture(Date.now(), { id: 'one', state, states: { [state]: 3 } })]);
    const page = await stage.page();
    await page.goto(stage.url);
    await expect.poll(() => page.title(), PATIENCE).toBe(title);
    // The title of a quiet fleet is there before the fleet is.
    const icon = page.locator('link[rel~="icon"]').first();
    await expect.poll(() => icon.getAttribute('href'), PATIENCE).toBe(faviconUrl(shape));
    expect(stage.problems).toEqual([]);
    await page.context().close();
  });
});
