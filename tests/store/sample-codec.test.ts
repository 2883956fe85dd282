import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakerStates } from '@/lib/breaker/types';
import { callCounts, type Sample } from '@/lib/protocol/samples';
import { decodeSample, encodeSample } from '@/server/store/sqlite/sample-codec';
import { sample, T0 } from '../contracts/fixtures';

const count = fc.oneof(fc.constant(0), fc.nat(300), fc.maxSafeNat());
const whole = fc.nat(2 ** 31 - 1);
/** float32 by construction, so that it comes back bit for bit. */
const duration = fc.oneof(whole, fc.float({ min: 0, max: 2 ** 30, noNaN: true }).map(Math.abs));
const share = fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs);

const anySample: fc.Arbitrary<Sample> = fc.record(
  {
    type: fc.constant('sample' as const),
    seq: fc.integer({ min: 1 }),
    at: fc.integer({ min: 0, max: 2 * T0 }),
    mono: fc.integer({ min: 0, max: 1e13 }),
    breaker: fc.constant('payments'),
    periodMs: duration,
    state: fc.constantFrom(...breakerStates),
    step: fc.option(count),
    share,
    calls: fc.record({
      success: count,
      client_error: count,
      timeout: count,
      server_error: count,
      overload: count,
      refused: count,
      rejected_local: count,
      cancelled: count,
      ignored: count,
      not_permitted: count,
    }),
    slow: count,
    late: count,
    expired: count,
    inFlight: count,
    latency: fc.record({
      buckets: fc.array(fc.tuple(fc.nat(1_200), fc.integer({ min: 1, max: 1e9 }))),
      count,
      sumMs: duration,
      maxMs: duration,
    }),
    baseline: fc.record({
      p50: duration,
      p90: duration,
      p95: duration,
      p99: duration,
      samples: count,
    }),
    probesNotSent: count,
    merged: fc.integer({ min: 1 }),
  },
  {
    requiredKeys: [
      'type',
      'seq',
      'at',
      'mono',
      'breaker',
      'periodMs',
      'state',
      'step',
      'share',
      'calls',
      'slow',
      'late',
      'expired',
      'inFlight',
      'latency',
    ],
  },
);

describe('stored samples', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(anySample, fc.integer({ min: 0, max: 2 * T0 }), (value, at) => {
        const key = { at, seq: value.seq, breaker: value.breaker };
        expect(decodeSample(encodeSample(value, at), key)).toEqual(value);
      }),
      { numRuns: 500, seed: 11 },
    );
  });

  it('knows every call outcome and state of the protocol', () => {
    const calls = Object.fromEntries(
      Object.keys(callCounts.shape).map((key, index) => [key, index + 1]),
    );
    for (const state of breakerStates) {
      const value = sample(1, { state, calls: callCounts.parse(calls) });
      expect(decodeSample(encodeSample(value, T0), { ...value, at: T0 })).toEqual(value);
    }
  });

  it('takes few bytes: no more than 60 for three buckets without a baseline', () => {
    expect(encodeSample(sample(1_000), T0 + 1_000_000).length).toBeLessThanOrEqual(60);
  });

  it('refuses a body that is cut short, of another format or state', () => {
    const body = encodeSample(sample(1), T0);
    const key = { at: T0, seq: 1, breaker: 'payments' };
    expect(() => decodeSample(body.subarray(0, body.length - 1), key)).toThrow(RangeError);
    const format = Buffer.from(body);
    format[0] = 9;
    expect(() => decodeSample(format, key)).toThrow(/format 9/);
    const state = Buffer.from(body);
    state[2] = 99;
    expect(() => decodeSample(state, key)).toThrow(/unknown state/);
  });
});
