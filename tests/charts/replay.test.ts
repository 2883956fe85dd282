import { describe, expect, it } from 'vitest';
import { inputAt, rowAt } from '@/components/breaker/replay';
import { stepped, toggled } from '@/components/breaker/use-replay';
import { storyInput, storyRow } from './replay-story';

const RANGE = { from: 0, to: 60_000 };
const playing = { range: RANGE, at: 10_000, speed: 30, isPlaying: true } as const;

describe('[U-51] the player', () => {
  it('goes through the past at its speed and stops at the end', () => {
    expect(stepped(playing, 1_000)).toMatchObject({ at: 40_000, isPlaying: true });
    expect(stepped(playing, 2_000)).toMatchObject({ at: 60_000, isPlaying: false });
    expect(stepped({ ...playing, speed: 1 }, 1_000).at).toBe(11_000);
    expect(stepped({ ...playing, speed: 60 }, 500).at).toBe(40_000);
  });

  it('stands while it is held, and begins anew once it is over', () => {
    const held = toggled(playing);
    expect(stepped(held, 5_000)).toEqual(held);
    const over = { ...playing, at: 60_000, isPlaying: false };
    expect(toggled(over)).toMatchObject({ at: 0, isPlaying: true });
  });
});

describe('[U-51] the views of a replay', () => {
  it('know nothing of what came later', () => {
    const input = inputAt(storyInput, 20_000);
    expect(input.points.every(({ at }) => at + 1_000 <= 20_000)).toBe(true);
    expect(input.events.map(({ id }) => id)).toEqual([1, 2]);
    expect(input.now).toBe(20_000);
    expect(input.domain).toEqual(storyInput.domain);
  });

  it.each([
    [15_000, 'closed', 10],
    [25_000, 'open', 0],
    [45_000, 'half_open', 1],
  ] as const)('at %d the breaker is %s', (at, state, callsPerSecond) => {
    const row = rowAt(storyRow, inputAt(storyInput, at));
    expect(row).toMatchObject({ state, callsPerSecond, override: null, retryAt: null });
    expect(row.instances).toMatchObject({ total: 1, live: 1 });
  });

  it('shows an override that ended since as one that holds', () => {
    const [then] = inputAt(storyInput, 25_000).overrides;
    expect(then?.endedAt).toBeNull();
    expect(inputAt(storyInput, 5_000).overrides).toEqual([]);
    expect(inputAt(storyInput, 55_000).overrides[0]?.endedAt).toBe(50_000);
  });
});
