import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerState } from '@/lib/breaker';
import { runs } from '@/tests/support/runs';
import { generator } from './player';

type Traffic = {
  readonly everyMs: number;
  readonly steps: readonly number[];
  readonly stepMs: number;
  readonly minimum: number;
  readonly minProbeIntervalMs: number;
  readonly answerMs: number;
  readonly seed: number;
};

const traffic: fc.Arbitrary<Traffic> = fc.record({
  everyMs: fc.constantFrom(3, 20, 100, 700, 2_500, 60_000),
  steps: fc.constantFrom([0.1, 0.3, 0.6, 1], [0.01, 1], [0.5], [1]),
  stepMs: fc.constantFrom(0, 1_000, 5_000),
  minimum: fc.integer({ min: 1, max: 12 }),
  minProbeIntervalMs: fc.constantFrom(100, 1_000, 3_000),
  answerMs: fc.constantFrom(0, 1, 3),
  seed: fc.nat(),
});

/** How long a step may take: its dwell, or its samples at the slowest pace, and the first probe. */
function longestStepMs(share: number, given: Traffic): number {
  const { everyMs, stepMs, minimum, minProbeIntervalMs, answerMs } = given;
  const byProgress = Math.ceil((minProbeIntervalMs + answerMs) / everyMs) * everyMs;
  const paceMs = Math.max(everyMs, Math.min(everyMs / share, byProgress));
  return paceMs + Math.max(stepMs, minimum * paceMs) + everyMs + answerMs;
}

/** Half-open at 10,000 ms; steady arrivals, each answered well. What it is when its time is over. */
function stateInTime(given: Traffic): BreakerState {
  let now = 0;
  const breaker = new CircuitBreaker('steady', {
    trip: [{ kind: 'consecutive', failures: 1 }],
    open: { kind: 'fixed', baseMs: 10_000, jitter: 0 },
    recovery: {
      admission: { kind: 'ramp', steps: given.steps },
      stepMs: given.stepMs,
      minimumSuccesses: given.minimum,
      minProbeIntervalMs: given.minProbeIntervalMs,
      maxHalfOpenMs: 1e12,
    },
    callTimeoutMs: 120_000,
    clock: () => now,
    random: generator(given.seed),
  });
  const first = breaker.tryAcquire();
  if (first.granted) first.failure('server_error');
  now = 10_000;
  const limit = given.steps.reduce((sum, share) => sum + longestStepMs(share, given), now);
  for (let at = now; at <= limit && breaker.state !== 'closed'; at += given.everyMs) {
    now = at;
    const permit = breaker.tryAcquire();
    now = at + given.answerMs;
    if (permit.granted) permit.success(given.answerMs);
  }
  return breaker.state;
}

describe('liveness', () => {
  it('[I30] steady healthy traffic closes the breaker in the time that its steps need', () => {
    fc.assert(
      fc.property(traffic, (given) => {
        expect(stateInTime(given)).toBe('closed');
      }),
      { numRuns: runs(150) },
    );
  }, 60_000);
});
