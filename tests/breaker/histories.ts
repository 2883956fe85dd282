import * as fc from 'fast-check';
import type { BreakerOptions, OverrideKind } from '@/lib/breaker';

export type Command =
  | { readonly do: 'acquire'; readonly idempotent: boolean }
  | {
      readonly do: 'settle';
      readonly pick: number;
      readonly outcome: Result;
      readonly latencyMs: number;
    }
  | { readonly do: 'again'; readonly pick: number }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'wall'; readonly ms: number }
  | {
      readonly do: 'stream';
      readonly calls: number;
      readonly everyMs: number;
      readonly outcome: Result;
    }
  | { readonly do: 'override'; readonly kind: OverrideKind; readonly expiresInMs: number | null }
  | { readonly do: 'release'; readonly pick: number }
  | { readonly do: 'reset' };

export const results = [
  'success',
  'client_error',
  'timeout',
  'server_error',
  'overload',
  'refused',
  'rejected_local',
  'cancelled',
  'ignored',
] as const;
export type Result = (typeof results)[number];

const bad = fc.constantFrom<Result>('server_error', 'timeout', 'overload', 'refused');
const good = fc.constantFrom<Result>('success', 'success', 'success', 'client_error');
const none = fc.constantFrom<Result>('rejected_local', 'cancelled', 'ignored');

const time = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 1, 7, 50, 250, 999, 1_000) },
  { weight: 3, arbitrary: fc.constantFrom(4_999, 5_000, 5_001, 9_999, 10_000, 10_001) },
  { weight: 1, arbitrary: fc.constantFrom(29_999, 30_000, 60_000, 610_000, 5_000_000) },
);

/** 1 is the newest permit; most settlements go there, or half of the machine stays untested. */
const pick = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
);

function phase(outcome: fc.Arbitrary<Result>, control: boolean): fc.Arbitrary<Command[]> {
  const calm: fc.WeightedArbitrary<Command>[] = [
    { weight: 6, arbitrary: fc.record({ do: fc.constant('acquire'), idempotent: fc.boolean() }) },
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('settle'),
        pick,
        outcome,
        latencyMs: fc.constantFrom(0, 3, 40, 900, 1_000, 4_000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('again'), pick }) },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('advance'), ms: time }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('wall'), ms: fc.integer({ min: -1e7, max: 1e7 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('stream'),
        calls: fc.integer({ min: 1, max: 60 }),
        everyMs: fc.constantFrom(0, 5, 100, 300, 1_000),
        outcome,
      }),
    },
  ];
  const manual: fc.WeightedArbitrary<Command>[] = [
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('override'),
        kind: fc.constantFrom<OverrideKind>(
          'forced_open',
          'forced_closed',
          'metrics_only',
          'disabled',
        ),
        expiresInMs: fc.constantFrom(null, 500, 20_000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('release'), pick }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('reset') }) },
  ];
  return fc.array(fc.oneof(...calm, ...(control ? manual : [])), { minLength: 1, maxLength: 25 });
}

/** Sick, then healthy, some times over: random commands alone never close the breaker. */
export function history(control: boolean): fc.Arbitrary<Command[]> {
  const sick = phase(
    fc.oneof(
      { weight: 5, arbitrary: bad },
      { weight: 1, arbitrary: good },
      { weight: 1, arbitrary: none },
    ),
    control,
  );
  const well = phase(
    fc.oneof({ weight: 12, arbitrary: good }, { weight: 1, arbitrary: none }),
    control,
  );
  return fc
    .array(fc.tuple(sick, well, well), { minLength: 1, maxLength: 3 })
    .map((rounds) => rounds.flat(2));
}

export const options: fc.Arbitrary<BreakerOptions> = fc.record({
  window: fc.constantFrom<NonNullable<BreakerOptions['window']>>(
    { kind: 'count', size: 10 },
    { kind: 'time', durationMs: 5_000, buckets: 5 },
    { kind: 'hybrid', size: 6, durationMs: 3_000 },
  ),
  trip: fc.subarray<NonNullable<BreakerOptions['trip']>[number]>(
    [
      { kind: 'ratio', rate: 0.5, minimumCalls: 4 },
      { kind: 'consecutive', failures: 3 },
      { kind: 'count', failures: 4 },
      { kind: 'mixed', failures: 3, rate: 0.3, minimumCalls: 5 },
      { kind: 'refused', failures: 2 },
      { kind: 'slow', slowMs: 1_000, rate: 0.6, minimumCalls: 5 },
    ],
    { minLength: 1 },
  ),
  open: fc.constantFrom<NonNullable<BreakerOptions['open']>>(
    { kind: 'fixed', baseMs: 10_000, jitter: 0 },
    { kind: 'exponential', baseMs: 1_000, jitter: 0.5, maxMs: 8_000, decayEveryMs: 20_000 },
    { kind: 'exponential', baseMs: 5_000, jitter: 0.2, stableForMs: 20_000 },
  ),
  recovery: fc.record({
    admission: fc.constantFrom<NonNullable<NonNullable<BreakerOptions['recovery']>['admission']>>(
      { kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] },
      { kind: 'ramp', steps: [0.25, 1] },
      { kind: 'percent', share: 0.4 },
      { kind: 'fixed', calls: 2, periodMs: 500 },
      { kind: 'adaptive', low: 0.2, high: 0.9, evalEveryMs: 700 },
    ),
    stepMs: fc.constantFrom(0, 1_000, 5_000),
    minimumSuccesses: fc.constantFrom(1, 3, 5),
    failureBudget: fc.constantFrom<'strict' | 'statistical' | number[]>(
      'strict',
      'statistical',
      [1, 2, 3],
    ),
    latency: fc.constantFrom(null, { holdMultiple: 3, maxHoldMs: 3_000, floorMs: 10 }),
    maxHalfOpenMs: fc.constantFrom(30_000, 600_000),
    maxInFlight: fc.constantFrom<'auto' | number[]>('auto', [1, 2, 4, 8]),
    softFallback: fc.boolean(),
    allowWrites: fc.boolean(),
    guardMs: fc.constantFrom(0, 10_000),
    maxInconclusive: fc.constantFrom(2, 20),
    minProbeIntervalMs: fc.constantFrom(500, 1_000),
  }),
  slowMs: fc.constantFrom(500, 1_000),
  callTimeoutMs: fc.constantFrom(4_000, 30_000),
});
