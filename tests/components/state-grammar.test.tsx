import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { breakerFixture } from '@/components/design/breaker-fixtures';
import {
  countsText,
  isState,
  rollUpFreshness,
  StateBadge,
  StateGlyph,
  stateHatch,
  STATES_WORST_FIRST,
  stateWord,
} from '@/components/state';

const NOW = 1_800_000_000_000;
const shapeOf = (markup: string) => markup.replaceAll(/data-tone="[^"]*"/g, '');

describe('state grammar', () => {
  it('gives every state a shape of its own, also when stale', () => {
    for (const freshness of ['live', 'stale'] as const) {
      const shapes = STATES_WORST_FIRST.map((state) =>
        shapeOf(renderToStaticMarkup(<StateGlyph state={state} freshness={freshness} />)),
      );
      expect(new Set(shapes).size).toBe(STATES_WORST_FIRST.length);
    }
  });

  it('gives every state a word of its own, and draws it in the badge', () => {
    expect(new Set(STATES_WORST_FIRST.map(stateWord)).size).toBe(STATES_WORST_FIRST.length);
    for (const state of STATES_WORST_FIRST) {
      expect(renderToStaticMarkup(<StateBadge state={state} />)).toContain(stateWord(state));
    }
  });

  it('hatches what does not act by itself and what is stale, and nothing else', () => {
    const hatched = STATES_WORST_FIRST.filter((state) => stateHatch(state) !== null);
    expect(hatched).toEqual(['forced_closed', 'forced_open', 'metrics_only']);
    expect(stateHatch('forced_closed')).not.toBe(stateHatch('forced_open'));
    expect(STATES_WORST_FIRST.every((state) => stateHatch(state, 'stale') !== null)).toBe(true);
    expect(STATES_WORST_FIRST.some((state) => stateHatch(state, 'offline') !== null)).toBe(false);
  });

  it('hides the glyph from a screen reader, which has the word', () => {
    expect(renderToStaticMarkup(<StateGlyph state="open" />)).toContain('aria-hidden="true"');
  });

  it('knows its own names only', () => {
    expect(isState('open')).toBe(true);
    expect(isState('toString')).toBe(false);
  });
});

describe('roll-up', () => {
  it('is as fresh as its freshest instance', () => {
    expect(rollUpFreshness({ total: 3, live: 1, stale: 1, offline: 1 })).toBe('live');
    expect(rollUpFreshness({ total: 2, live: 0, stale: 1, offline: 1 })).toBe('stale');
    expect(rollUpFreshness({ total: 2, live: 0, stale: 0, offline: 2 })).toBe('offline');
  });

  it('counts the instances of the worst state', () => {
    const row = breakerFixture(NOW, {
      id: 'a',
      state: 'open',
      states: { open: 2, closed: 1 },
      instances: { total: 4, live: 3, stale: 1, offline: 0 },
    });
    expect(countsText(row)).toBe('2 of 4 open, 1 stale');
    const silent = { ...row, instances: { total: 2, live: 0, stale: 1, offline: 1 } };
    expect(countsText(silent)).toBe('0 of 2 live, 1 stale, 1 offline');
  });
});
