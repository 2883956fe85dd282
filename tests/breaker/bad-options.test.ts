import { describe, expect, it } from 'vitest';
import { BreakerOptionError, CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions } from '@/lib/breaker';
import { bench } from './support';

/** Each kind of option at least once, every number in it spelled out. */
const spelledOut: readonly BreakerOptions[] = [
  {
    window: { kind: 'time', durationMs: 5_000, buckets: 5 },
    trip: [
      { kind: 'consecutive', failures: 4 },
      { kind: 'count', failures: 4 },
      { kind: 'ratio', rate: 0.5, minimumCalls: 4 },
      { kind: 'mixed', failures: 3, rate: 0.5, minimumCalls: 4 },
      { kind: 'slow', slowMs: 500, rate: 0.5, minimumCalls: 4, pending: true },
      { kind: 'refused', failures: 3 },
    ],
    open: { kind: 'exponential', baseMs: 1_000, multiplier: 2, maxMs: 8_000, jitter: 0.1 },
    recovery: {
      admission: { kind: 'ramp', steps: [0.5, 1] },
      stepMs: [1_000, 1_000],
      minimumSuccesses: [2, 2],
      failureBudget: [1, 2],
      latency: {
        holdMultiple: 3,
        releaseMultiple: 2,
        floorMs: 20,
        maxHoldMs: 5_000,
        skipFirst: 1,
      },
      maxHalfOpenMs: 60_000,
      maxInFlight: [2, 4],
      writesFromStep: 1,
      idempotentWaitMs: 500,
      hardRefused: 2,
      pendingLimitMs: 900,
      maxStepWaitMs: 5_000,
      minProbeIntervalMs: 200,
      maxInconclusive: 3,
      probeFloorMs: 50,
      guardMs: 1_000,
      guardFactor: 0.5,
    },
    callTimeoutMs: 2_000,
    probeTimeoutFraction: 0.5,
    permitGraceMs: 10,
    slowMs: 700,
    maxLoopDelayMs: 100,
    normalErrorRate: 0.01,
    failureLumpMs: 5,
    baselineDriftPerDay: 2,
  },
  {
    window: { kind: 'count', size: 10 },
    open: { kind: 'fixed', baseMs: 900, minMs: 100, stableForMs: 9, decayEveryMs: 9, maxHintMs: 9 },
    recovery: {
      admission: { kind: 'fixed', calls: 2, periodMs: 100 },
      decision: { kind: 'consecutive', successes: 2 },
    },
    trip: [{ kind: 'consecutive', failures: 4 }],
  },
  {
    window: { kind: 'hybrid', size: 10, durationMs: 5_000 },
    open: { kind: 'adaptive', baseMs: 500, maxMs: 9_000, factor: 1.5 },
    recovery: {
      admission: { kind: 'adaptive', low: 0.2, high: 0.9, evalEveryMs: 300 },
      decision: { kind: 'windowRate', successes: 1, of: 3 },
    },
    trip: [{ kind: 'consecutive', failures: 4 }],
  },
  {
    recovery: {
      admission: { kind: 'percent', share: 0.5 },
      decision: { kind: 'latencyMultiple', multiple: 2 },
    },
    trip: [{ kind: 'consecutive', failures: 4 }],
  },
];

type Leaf = { readonly path: string; readonly with: (value: unknown) => BreakerOptions };

/** Every number in the options, with a way to put something else in its place. */
function leaves(options: BreakerOptions): Leaf[] {
  const found: Leaf[] = [];
  const walk = (value: unknown, path: string, keys: readonly string[]): void => {
    if (typeof value === 'number') {
      found.push({ path, with: (other) => put(options, keys, other) as BreakerOptions });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const name = Array.isArray(value) ? `${path}[${key}]` : `${path}${path && '.'}${key}`;
        walk(inner, name, [...keys, key]);
      }
    }
  };
  walk(options, '', []);
  return found;
}

function put(from: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const inner = put(Reflect.get(Object(from), key), rest, value);
  if (Array.isArray(from)) return from.map((item, i) => (String(i) === key ? inner : item));
  return { ...Object(from), [key]: inner };
}

const all = spelledOut.flatMap((options, i) =>
  leaves(options).map((leaf) => ({ ...leaf, title: `${leaf.path} (${i})` })),
);

/** Sick, then well, for as long as it takes; answers what became of it. */
function live(options: BreakerOptions): string[] {
  const b = bench(options);
  for (let i = 0; i < 12; i++) {
    b.tryAcq(i % 2 === 0)?.failure(i % 3 === 0 ? 'timeout' : 'server_error', 10);
    b.adv(7);
  }
  b.breaker.noteLoopDelay(50);
  for (let i = 0; i < 400; i++) {
    b.adv(97);
    b.tryAcq(i % 4 > 0)?.success(5);
  }
  b.adv(120_000);
  expect(b.status().inFlight).toBe(0);
  return b.types();
}

/** The option for which it is refused, null when it works. */
function refusal(attempt: () => void): string | null {
  try {
    attempt();
    return null;
  } catch (error) {
    if (error instanceof BreakerOptionError) return error.option;
    throw error;
  }
}

/** Sizes, shares and factors of which none would mean never, or the opposite of the option. */
const notZero: readonly string[] = [
  'window.durationMs',
  'window.buckets',
  'trip[0].failures',
  'trip[1].failures',
  'trip[2].rate',
  'trip[3].failures',
  'trip[3].rate',
  'trip[4].rate',
  'trip[5].failures',
  'open.multiplier',
  'open.maxMs',
  'recovery.admission.steps[0]',
  'recovery.admission.steps[1]',
  'recovery.failureBudget[0]',
  'recovery.failureBudget[1]',
  'recovery.latency.holdMultiple',
  'recovery.latency.releaseMultiple',
  'recovery.maxHalfOpenMs',
  'recovery.maxInFlight[0]',
  'recovery.maxInFlight[1]',
  'recovery.hardRefused',
  'recovery.guardFactor',
  'callTimeoutMs',
  'baselineDriftPerDay',
  'window.size',
  'open.decayEveryMs',
  'recovery.admission.calls',
  'recovery.admission.periodMs',
  'recovery.decision.successes',
  'open.factor',
  'recovery.admission.low',
  'recovery.admission.high',
  'recovery.admission.evalEveryMs',
  'recovery.decision.of',
  'recovery.admission.share',
  'recovery.decision.multiple',
];

describe('[B100] numbers in options', () => {
  it.each(all)('$title is refused by name when it is none', ({ path, with: set }) => {
    for (const bad of [Number.NaN, -1, Infinity, Number.NEGATIVE_INFINITY, 1e300, '5']) {
      const attempt = () => new CircuitBreaker('x', { clock: () => 0, ...set(bad) });
      expect(attempt).toThrow(BreakerOptionError);
      expect(attempt).toThrow(`"${path}" is `);
      expect(attempt).toThrow('it accepts ');
    }
  });

  it('[I33] 0 is a value wherever it means something, and refused by name where not', () => {
    const refused = all.flatMap(({ path, with: set }) => {
      const name = refusal(() => live(set(0)));
      return name === null ? [] : [name === path ? path : `${path} for ${name}`];
    });
    expect([...new Set(refused)]).toEqual(notZero);
  });

  it.each([
    [
      'trip[0].failures',
      { window: { kind: 'count', size: 3 }, trip: [{ kind: 'count', failures: 4 }] },
    ],
    [
      'trip[0].minimumCalls',
      {
        window: { kind: 'hybrid', size: 3, durationMs: 9 },
        trip: [{ kind: 'slow', slowMs: 1, rate: 0.5, minimumCalls: 4 }],
      },
    ],
    [
      'trip[0].failures',
      {
        window: { kind: 'count', size: 3 },
        trip: [{ kind: 'mixed', failures: 4, rate: 0.1, minimumCalls: 1 }],
      },
    ],
    [
      'recovery.decision.successes',
      { recovery: { decision: { kind: 'windowRate', successes: 4, of: 3 } } },
    ],
  ] as const)('%s that could never be reached is refused', (path, options) => {
    expect(() => bench(options)).toThrow(`"${path}" is 4; it accepts`);
  });

  it('a number beyond the whole ones is told where they end', () => {
    expect(() => bench({ slowMs: 1e300 })).toThrow('at most 9007199254740991');
  });
});
