import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STATES_WORST_FIRST, stateHatch, stateTone, stateWord } from '@/components/state';
import { contrast, deltaE2000, distance, SIGHTS } from '../support/colour';

const THEMES = ['light', 'dark', 'wall'] as const;
type Theme = (typeof THEMES)[number];

const css = readFileSync(new URL('../../app/tokens.css', import.meta.url), 'utf8');
const wallBlock = /\[data-theme='wall'\] \{([^}]*)\}/.exec(css)?.[1] ?? '';

/** The wall theme is the dark one wherever it says nothing of its own. */
function token(name: string, theme: Theme): string {
  const own = theme === 'wall' && new RegExp(`--${name}:\\s*(#[0-9a-f]{6});`).exec(wallBlock)?.[1];
  if (own) return own;
  const match = new RegExp(`--${name}:\\s*light-dark\\((#[0-9a-f]{6}),\\s*(#[0-9a-f]{6})\\)`).exec(
    css,
  );
  const value = match?.[theme === 'light' ? 1 : 2];
  if (value === undefined) throw new Error(`no colour token --${name}`);
  return value;
}

const SURFACES = [
  'bg',
  'surface',
  'surface-sunken',
  'surface-hover',
  'surface-raised',
  'surface-selected',
];
const TEXT = ['text', 'text-2', 'text-3', 'accent'];
const TONES = ['closed', 'half', 'open', 'forced', 'off'];
const LINES = [
  'line-control',
  'focus',
  'ok',
  'chart-1',
  'chart-2',
  'chart-3',
  'chart-4',
  'chart-fail',
  'chart-axis',
];

describe.each(THEMES)('[U-05] [1.4.3] [1.4.11] contrast in the %s theme', (theme) => {
  it.each(TEXT.flatMap((text) => SURFACES.map((surface) => [text, surface] as const)))(
    'text %s reads on %s (4.5:1)',
    (text, surface) => {
      expect(contrast(token(text, theme), token(surface, theme))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each(TONES)('state %s reads as text on its tint and on every surface of a row', (state) => {
    const tone = token(state, theme);
    for (const ground of [`${state}-tint`, 'surface', 'surface-hover', 'surface-selected', 'bg']) {
      expect(contrast(tone, token(ground, theme))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('text on the tints of callouts reads', () => {
    for (const state of TONES) {
      const tint = token(`${state}-tint`, theme);
      expect(contrast(token('text-2', theme), tint)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('primary buttons and filled danger buttons read', () => {
    const onInk = token('text-on-ink', theme);
    expect(contrast(onInk, token('ink', theme))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(onInk, token('ink-hover', theme))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(token('surface', theme), token('open', theme))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(token('surface', theme), token('forced', theme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(LINES)('%s stands out as a line (3:1)', (name) => {
    for (const surface of ['surface', 'bg', 'surface-hover']) {
      expect(contrast(token(name, theme), token(surface, theme))).toBeGreaterThanOrEqual(3);
    }
  });
});

type Sign = { word: string; tone: string; ground: string };

/** Every state as it is drawn: the tone of its glyph and word, and the kind of ground it is on. */
const SIGNS: readonly Sign[] = [
  ...STATES_WORST_FIRST.map((state) => ({
    word: stateWord(state),
    tone: stateTone(state),
    ground: stateHatch(state) ?? 'plain',
  })),
  { word: 'Stale', tone: stateTone('closed', 'stale'), ground: 'falling, dashed' },
  { word: 'Offline', tone: stateTone('closed', 'offline'), ground: 'dashed' },
];

const PAIRS = SIGNS.flatMap((one, index) =>
  SIGNS.slice(index + 1).map((other) => [one.word, other.word, one, other] as const),
);

describe.each(THEMES)('[U-05] distance in the %s theme', (theme) => {
  it.each(PAIRS)('%s and %s are told apart by every eye', (_one, _other, one, other) => {
    const tones = [token(one.tone, theme), token(other.tone, theme)] as const;
    const nearest = Math.min(...SIGHTS.map((sight) => distance(...tones, sight)));
    expect(nearest >= 12 || one.ground !== other.ground).toBe(true);
  });
});

describe('the measure itself', () => {
  it.each([
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[50, 2.5, 0], [50, 3.2592, 0.335], 1],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    [[22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619], 2.0373],
    [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
  ] as const)('agrees with the published pair %j %j', (a, b, wanted) => {
    expect(deltaE2000(a, b)).toBeCloseTo(wanted, 4);
  });

  it('sees red and green as near for those who do', () => {
    const far = distance('#d00000', '#008000', 'normal');
    expect(distance('#d00000', '#7a6a00', 'deutan')).toBeLessThan(far / 3);
  });
});
