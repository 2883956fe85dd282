import { describe, expect, it } from 'vitest';
import { configOf, refusal } from './options-support';

const ratio = { kind: 'ratio', rate: 0.5, minimumCalls: 5 };
const mixed = { ...ratio, kind: 'mixed', failures: 3 };
const slow = { ...ratio, kind: 'slow', slowMs: 500 };
const adaptive = { kind: 'adaptive', baseMs: 5_000 };
const lonely = { kind: 'consecutive', failures: 3 };

const many = (n: number) => Array.from({ length: n }, () => lonely);
const limits = (n: number) => Array.from({ length: n }, (_, i) => ({ ...slow, slowMs: i + 1 }));
const steps = (...list: number[]) => ({
  recovery: { admission: { kind: 'sticky', steps: list } },
});

const writes = (writesFromStep: number) => configOf({ recovery: { writesFromStep } }).recovery;
const pendingLimits = (options: object) => configOf(options).recovery.pendingLimitMs;
const withHold = (holdMultiple: number) => configOf({ recovery: { latency: { holdMultiple } } });

describe('[B100] what cannot work together', () => {
  it('[case 59] a policy may not need more than the window can hold', () => {
    const narrow = { window: { kind: 'count', size: 5 } };
    for (const policy of [ratio, mixed, slow]) {
      expect(configOf({ ...narrow, trip: [policy] }).trip).toHaveLength(1);
      const error = refusal({ ...narrow, trip: [{ ...policy, minimumCalls: 6 }] });
      expect(error.option).toBe('trip[0].minimumCalls');
    }
    for (const policy of [mixed, { kind: 'count', failures: 3 }]) {
      expect(refusal({ ...narrow, trip: [{ ...policy, failures: 6 }] }).option).toBe(
        'trip[0].failures',
      );
    }
    // Calls under way are not in the window.
    const pending = { ...slow, pending: true, minimumCalls: 6 };
    expect(configOf({ ...narrow, trip: [pending] }).trip[0]).toEqual(pending);
  });

  it('at most thirty policies, and fewer than six thresholds of slowness', () => {
    expect(configOf({ trip: many(30) }).trip).toHaveLength(30);
    expect(refusal({ trip: many(31) }).option).toBe('trip');
    expect(configOf({ trip: [...limits(5), ...limits(5)] }).trip).toHaveLength(10);
    expect(refusal({ trip: limits(6) }).message).toBe(
      'Circuit breaker option "trip" is [1,2,3,4,5,6]; it accepts fewer than 6 different slowMs.',
    );
  });

  it('shares of a ramp do not fall', () => {
    expect(configOf(steps(0.2, 0.2, 1)).recovery.admission).toEqual({
      kind: 'sticky',
      steps: [0.2, 0.2, 1],
    });
    expect(refusal(steps(0.2, 0.1)).message).toBe(
      'Circuit breaker option "recovery.admission.steps[1]" is 0.1; it accepts no less than the step before.',
    );
    expect(refusal(steps(0.2, 1.2)).option).toBe('recovery.admission.steps[1]');
    expect(refusal(steps()).option).toBe('recovery.admission.steps');
  });

  it('the longest open time is not below the base or the minimum', () => {
    for (const kind of ['exponential', 'adaptive']) {
      const maxMs = (options: object) => configOf({ open: { kind, ...options } }).open;
      expect(maxMs({ baseMs: 10_000 })).toMatchObject({ maxMs: 60_000, minMs: 1_000 });
      expect(maxMs({ baseMs: 90_000 })).toMatchObject({ maxMs: 90_000, minMs: 1_000 });
      expect(maxMs({ baseMs: 300 })).toMatchObject({ maxMs: 60_000, minMs: 300 });
      expect(maxMs({ baseMs: 1, minMs: 70_000 })).toMatchObject({ maxMs: 70_000 });
      expect(maxMs({ baseMs: 500, maxMs: 500 })).toMatchObject({ maxMs: 500 });
      expect(refusal({ open: { kind, baseMs: 500, minMs: 600, maxMs: 599 } }).message).toBe(
        'Circuit breaker option "open.maxMs" is 599; it accepts at least baseMs and minMs, here 600.',
      );
      expect(refusal({ open: { kind, baseMs: 0, minMs: 0, maxMs: -1 } }).option).toBe('open.maxMs');
    }
  });

  it('later steps than there are do not keep writes out for ever', () => {
    expect([0, 1, 3, 4, 99].map((step) => writes(step).writesFromStep)).toEqual([0, 1, 3, 3, 3]);
    expect(refusal({ recovery: { writesFromStep: -1 } }).option).toBe('recovery.writesFromStep');
    const percent = { admission: { kind: 'percent', share: 1 } };
    expect(configOf({ recovery: percent }).recovery.writesFromStep).toBe(0);
  });

  it('what is left out follows from the rest', () => {
    expect(pendingLimits({ slowMs: 300, recovery: { stepMs: [100, 900] } })).toEqual([
      100, 300, 300, 300,
    ]);
    const { idempotentWaitMs } = configOf({ recovery: { stepMs: [1, 2] } }).recovery;
    expect(idempotentWaitMs).toEqual([1, 2, 2, 2]);
    expect(withHold(1.5).recovery.latency).toMatchObject({ releaseMultiple: 1.5 });
    expect(withHold(9).recovery.latency).toMatchObject({ releaseMultiple: 2 });
  });

  it('[W39] the defaults', () => {
    expect(configOf({})).toEqual({
      window: { kind: 'time', durationMs: 10_000, buckets: 10 },
      trip: [{ kind: 'ratio', rate: 0.5, minimumCalls: 20 }],
      open: {
        kind: 'exponential',
        baseMs: 10_000,
        multiplier: 2,
        maxMs: 60_000,
        jitter: 0.2,
        minMs: 1_000,
        stableForMs: 60_000,
        decayEveryMs: 60_000,
        maxHintMs: 300_000,
      },
      recovery: {
        admission: { kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] },
        stepMs: [5_000, 5_000, 5_000, 5_000],
        minimumSuccesses: [5, 10, 20, 20],
        failureBudget: 'statistical',
        decision: { kind: 'all' },
        latency: {
          holdMultiple: 3,
          releaseMultiple: 2,
          floorMs: 20,
          maxHoldMs: 30_000,
          skipFirst: 'auto',
        },
        maxHalfOpenMs: 600_000,
        // oxlint-disable-next-line unicorn/no-thenable -- a word of the options, not a promise
        then: 'open',
        maxInFlight: 'auto',
        writesFromStep: 2,
        idempotentWaitMs: [5_000, 5_000, 5_000, 5_000],
        allowWrites: true,
        hardRefused: 2,
        pendingLimitMs: [1_000, 1_000, 1_000, 1_000],
        maxStepWaitMs: 60_000,
        minProbeIntervalMs: 1_000,
        maxInconclusive: 20,
        probeFloorMs: 100,
        softFallback: false,
        guardMs: 30_000,
        guardFactor: 0.5,
      },
      callTimeoutMs: 30_000,
      probeTimeoutFraction: 0.5,
      permitGraceMs: 0,
      slowMs: 1_000,
      mode: 'enforce',
      cancelledCountsAsSlow: false,
      maxLoopDelayMs: 200,
      onDisposed: 'reject',
      normalErrorRate: null,
      errorStacks: false,
      failureLumpMs: 0,
      baselineDriftPerDay: 1.5,
    });
    expect(configOf({ window: { kind: 'time', durationMs: 50 } }).window).toMatchObject({
      buckets: 10,
    });
    expect(configOf({ open: adaptive }).open).toMatchObject({ factor: 1.5 });
  });
});
