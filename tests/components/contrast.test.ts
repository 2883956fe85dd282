import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Theme = 'light' | 'dark';
const css = readFileSync(new URL('../../app/tokens.css', import.meta.url), 'utf8');

function token(name: string, theme: Theme): string {
  const match = new RegExp(`--${name}:\\s*light-dark\\((#[0-9a-f]{6}),\\s*(#[0-9a-f]{6})\\)`).exec(
    css,
  );
  if (!match) throw new Error(`no colour token --${name}`);
  return match[theme === 'light' ? 1 : 2]!;
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light! + 0.05) / (dark! + 0.05);
}

const THEMES: readonly Theme[] = ['light', 'dark'];
const SURFACES = [
  'bg',
  'surface',
  'surface-sunken',
  'surface-hover',
  'surface-raised',
  'surface-selected',
];
const TEXT = ['text', 'text-2', 'text-3', 'accent'];
const STATES = ['closed', 'half', 'open', 'forced', 'off'];

describe.each(THEMES)('%s theme', (theme) => {
  it.each(TEXT.flatMap((text) => SURFACES.map((surface) => [text, surface] as const)))(
    'text %s reads on %s (4.5:1)',
    (text, surface) => {
      expect(contrast(token(text, theme), token(surface, theme))).toBeGreaterThanOrEqual(4.5);
    },
  );

  it.each(STATES)('state %s reads as text on its tint and on every surface of a row', (state) => {
    const tone = token(state, theme);
    for (const ground of [`${state}-tint`, 'surface', 'surface-hover', 'surface-selected', 'bg']) {
      expect(contrast(tone, token(ground, theme))).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('text on the tints of callouts reads', () => {
    for (const state of STATES) {
      expect(
        contrast(token('text-2', theme), token(`${state}-tint`, theme)),
      ).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('primary buttons and filled danger buttons read', () => {
    expect(contrast(token('text-on-ink', theme), token('ink', theme))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(token('text-on-ink', theme), token('ink-hover', theme))).toBeGreaterThanOrEqual(
      4.5,
    );
    expect(contrast(token('surface', theme), token('open', theme))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(token('surface', theme), token('forced', theme))).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    'line-control',
    'focus',
    'ok',
    'chart-1',
    'chart-2',
    'chart-3',
    'chart-4',
    'chart-fail',
    'chart-axis',
  ])('%s stands out as a line (3:1)', (name) => {
    for (const surface of ['surface', 'bg', 'surface-hover']) {
      expect(contrast(token(name, theme), token(surface, theme))).toBeGreaterThanOrEqual(3);
    }
  });
});
