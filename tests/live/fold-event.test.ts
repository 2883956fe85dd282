import { describe, expect, it } from 'vitest';
import { foldEvent } from '@/lib/live/fold-event';
import { foldSample, foldState } from '@/lib/live/fold-state';
import type { Word } from '@/lib/live/word';
import type { NumberedEvent } from '@/lib/protocol/events';
import type { ReportedState } from '@/lib/protocol/breaker-state';
import { HASH_A, HASH_B, sampleOf } from '@/tests/services/support';

const EPOCH = 'run-1';
const stamp = { seq: 1, at: 0, mono: 0, breaker: 'b' };

const reported = (over: Partial<ReportedState> = {}): ReportedState => ({
  breaker: 'b',
  target: 't',
  state: 'closed',
  automatic: 'closed',
  step: null,
  steps: 4,
  share: 1,
  level: 0,
  inFlight: 0,
  configHash: HASH_A,
  breakerEpoch: 5,
  ...over,
});

const known = (over: Partial<ReportedState> = {}): Word =>
  foldState(undefined, { state: reported(over), at: 100, epoch: EPOCH });

const transition = (over: Partial<Extract<NumberedEvent, { type: 'transition' }>> = {}) =>
  ({
    ...stamp,
    type: 'transition',
    from: 'closed',
    to: 'open',
    automatic: 'open',
    cause: 'trip',
    reason: 'ratio',
    breakerEpoch: 6,
    ...over,
  }) satisfies NumberedEvent;

const fold = (before: Word | undefined, event: NumberedEvent, at = 200, epoch = EPOCH): Word =>
  foldEvent(before, { event, at, epoch });

describe('an event', () => {
  it('opens with its wait, counted from the event', () => {
    const word = fold(known(), transition({ openTimeoutMs: 30_000, retryInMs: 29_000, level: 1 }));
    expect(word).toMatchObject({
      since: 200,
      retryAt: 29_200,
      state: { state: 'open', share: 0, level: 1, openTimeoutMs: 30_000, steps: 4 },
    });
    const half = fold(
      word,
      transition({ to: 'half_open', automatic: 'half_open', breakerEpoch: 7 }),
    );
    expect(half).toMatchObject({ retryAt: null, state: { state: 'half_open', step: 0 } });
    expect(half.state).not.toHaveProperty('openTimeoutMs');
  });

  it('that is older than the known state changes nothing', () => {
    const word = known({ state: 'half_open', automatic: 'half_open', step: 2, breakerEpoch: 9 });
    expect(fold(word, transition({ breakerEpoch: 8 }))).toEqual(word);
    const step = { ...stamp, successes: 1, failures: 0, tookMs: 1, share: 0.1 };
    expect(fold(word, { ...step, type: 'step', step: 1, breakerEpoch: 9 }).state.step).toBe(2);
    expect(fold(word, { ...step, type: 'step', step: 3, breakerEpoch: 9 }).state.step).toBe(3);
  });

  it('that made the known state tells when it began', () => {
    const word = known({ state: 'open', automatic: 'open', breakerEpoch: 6, retryInMs: 50 });
    expect(word.since).toBe(100);
    const told = fold(word, transition({ retryInMs: 1_000 }), 90);
    expect(told).toMatchObject({ since: 90, retryAt: 150 });
  });

  it('of a new run starts from closed, whatever its counter', () => {
    const word = fold(
      known({ state: 'open', automatic: 'open' }),
      transition({ breakerEpoch: 1 }),
      300,
      'run-2',
    );
    expect(word).toMatchObject({ epoch: 'run-2', since: 300, state: { breakerEpoch: 1 } });
    const again = fold(word, {
      ...stamp,
      type: 'registered',
      target: 'u',
      config: {},
      configHash: HASH_B,
    });
    expect(again).toMatchObject({ epoch: EPOCH, state: { state: 'closed', target: 'u' } });
  });

  it('registers again without changing the state', () => {
    const open = fold(known(), transition());
    const event = {
      ...stamp,
      type: 'registered' as const,
      target: 'u',
      config: {},
      configHash: HASH_B,
    };
    expect(fold(open, event)).toMatchObject({
      since: 200,
      state: { state: 'open', target: 'u', configHash: HASH_B },
    });
  });

  it('forces with an override, and lets go of it', () => {
    const forced = fold(
      known(),
      transition({ to: 'forced_closed', automatic: 'closed', cause: 'override', overrideId: 'o' }),
    );
    expect(forced.state).toMatchObject({
      state: 'forced_closed',
      share: 1,
      override: { id: 'o', kind: 'force_closed' },
    });
    const override = { id: 'o', kind: 'force_closed' as const };
    const ended = fold(forced, { ...stamp, type: 'override_ended', override, reason: 'lease' });
    expect(ended.state.override).toBeUndefined();
    const resumed = fold(
      forced,
      transition({ to: 'closed', automatic: 'closed', breakerEpoch: 7 }),
    );
    expect(resumed.state.override).toBeUndefined();
    const watching = fold(
      known(),
      transition({ to: 'metrics_only', automatic: 'closed', overrideId: 'w' }),
    );
    expect(watching.state.override).toEqual({ id: 'w', kind: 'metrics_only' });
  });

  it('holds and releases the ramp', () => {
    const half = known({ state: 'half_open', automatic: 'half_open', step: 1 });
    const held = fold(half, { ...stamp, type: 'hold', cause: 'p95' });
    expect(held.state.hold).toBe(true);
    expect(fold(held, { ...stamp, type: 'release', cause: 'p95' }).state.hold).toBe(false);
    expect(fold(held, { ...stamp, type: 'starved', step: 1 }).state).toEqual(held.state);
  });
});

describe('a state frame', () => {
  it('replaces the word, and keeps the instant of an unchanged state', () => {
    const before = fold(known(), transition());
    const same = reported({ state: 'open', automatic: 'open', retryInMs: 500, breakerEpoch: 6 });
    expect(foldState(before, { state: same, at: 400, epoch: EPOCH })).toMatchObject({
      since: 200,
      asOf: 400,
      retryAt: 900,
    });
    const other = reported({ override: { id: 'o', kind: 'force_open', remainingMs: 60 } });
    expect(foldState(before, { state: other, at: 400, epoch: EPOCH })).toMatchObject({
      since: 400,
      retryAt: null,
      overrideEndsAt: 460,
    });
  });
});

describe('a sample', () => {
  it('tells numbers and never the state', () => {
    const half = known({ state: 'half_open', automatic: 'half_open', step: 1, share: 0.3 });
    const baseline = { p50: 1, p90: 2, p95: 3, p99: 4, samples: 100 };
    const sample = {
      ...sampleOf([]),
      state: 'half_open' as const,
      step: 1,
      share: 0.35,
      inFlight: 4,
      baseline,
    };
    const told = foldSample(half, { sample, at: 300 });
    expect(told).toMatchObject({ asOf: 300, baseline, state: { share: 0.35, inFlight: 4 } });
    const late = { ...sample, state: 'open' as const, share: 0 };
    expect(foldSample(half, { sample: late, at: 50 })).toBe(half);
    expect(foldSample(half, { sample: { ...sample, step: 0 }, at: 300 }).state.share).toBe(0.3);
  });
});
