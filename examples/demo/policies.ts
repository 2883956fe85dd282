import type { Policy } from './service';

const recovery: Policy['recovery'] = {
  admission: { kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] },
  stepMs: 2_500,
  minimumSuccesses: [2, 4, 6, 8],
  latency: { holdMultiple: 3, releaseMultiple: 2, floorMs: 40, maxHoldMs: 20_000 },
  guardMs: 5_000,
  // Orders are writes, and some breakers see nothing else: without this they would wait for ever.
  allowWrites: true,
  writesFromStep: 2,
};

/** Short times, so that a whole story fits into a minute. Real services wait longer. */
export const rampPolicy: Policy = {
  window: { kind: 'time', durationMs: 6_000, buckets: 6 },
  trip: [
    { kind: 'ratio', rate: 0.4, minimumCalls: 6 },
    { kind: 'refused', failures: 5 },
  ],
  open: { kind: 'exponential', baseMs: 5_000, multiplier: 2, maxMs: 40_000, jitter: 0.1 },
  recovery,
  callTimeoutMs: 3_000,
};

/** A database answers soon or not at all, and is called more: wait less, judge by more calls. */
export const databasePolicy: Policy = {
  ...rampPolicy,
  trip: [
    { kind: 'ratio', rate: 0.4, minimumCalls: 12 },
    { kind: 'refused', failures: 5 },
    { kind: 'slow', slowMs: 1_000, rate: 0.5, minimumCalls: 12, pending: true },
  ],
  callTimeoutMs: 1_200,
};

/** The textbook breaker: one good probe, then everything at once. Shown beside the ramp. */
export const classicPolicy: Policy = {
  window: { kind: 'time', durationMs: 6_000, buckets: 6 },
  trip: [
    { kind: 'ratio', rate: 0.4, minimumCalls: 6 },
    { kind: 'refused', failures: 5 },
  ],
  open: { kind: 'fixed', baseMs: 5_000, jitter: 0.1 },
  recovery: {
    admission: { kind: 'fixed', calls: 1, periodMs: 1 },
    maxInFlight: 1,
    stepMs: 0,
    minimumSuccesses: 1,
    failureBudget: 'strict',
    latency: null,
    guardMs: 0,
  },
  callTimeoutMs: 800,
};
