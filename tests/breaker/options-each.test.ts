import { describe, expect, it } from 'vitest';
import { BreakerOptionError } from '@/lib/breaker';
import type { BreakerConfig } from '@/lib/breaker';
import { configOf, refusal, refusalOf } from './options-support';

type Make = (value: unknown) => unknown;

/** `trip[0].rate` of the configuration. */
function read(config: BreakerConfig, path: string): unknown {
  return path
    .split(/[.[\]]+/)
    .filter((key) => key !== '')
    .reduce<unknown>((from, key) => Reflect.get(Object(from), key), config);
}

const window = (fixed: object, key: string): Make => {
  return (value) => ({ window: { ...fixed, [key]: value } });
};
const trip = (fixed: object, key: string): Make => {
  return (value) => ({ trip: [{ ...fixed, [key]: value }] });
};
const open = (fixed: object, key: string): Make => {
  return (value) => ({ open: { ...fixed, [key]: value } });
};
const recovery = (key: string): Make => {
  return (value) => ({ recovery: { [key]: value } });
};
const part = (of: string, fixed: object, key: string): Make => {
  return (value) => ({ recovery: { [of]: { ...fixed, [key]: value } } });
};

const time = { kind: 'time', durationMs: 5_000, buckets: 5 };
const hybrid = { kind: 'hybrid', size: 5, durationMs: 5_000 };
const ratio = { kind: 'ratio', rate: 0.5, minimumCalls: 5 };
const mixed = { ...ratio, kind: 'mixed', failures: 3 };
const slow = { ...ratio, kind: 'slow', slowMs: 500 };
const fixed = { kind: 'fixed', baseMs: 5_000 };
const exponential = { kind: 'exponential', baseMs: 5_000 };
const adaptive = { kind: 'adaptive', baseMs: 5_000 };
const perPeriod = { kind: 'fixed', calls: 2, periodMs: 500 };
const grows = { kind: 'adaptive', low: 0.1, high: 1, evalEveryMs: 500 };
const lookBack = { kind: 'windowRate', successes: 3, of: 4 };

type Rule = { readonly accepts: string; readonly good: number[]; readonly bad: unknown[] };

const duration: Rule = {
  accepts: 'a finite number of at least 0',
  good: [0, 0.5, 7_777],
  bad: [-1, Number.NaN, Infinity, '5'],
};
const period: Rule = {
  accepts: 'a finite number of at least 0.001',
  good: [0.001, 7_777],
  bad: [0, 0.0009],
};
const timer: Rule = {
  accepts: 'a finite number of at least 0 and at most 2147483647',
  good: [0, 2 ** 31 - 1],
  bad: [-1, 2 ** 31],
};
const fraction: Rule = {
  accepts: 'a finite number of at least 0 and at most 1',
  good: [0, 0.37, 1],
  bad: [-0.1, 1.1],
};
const share: Rule = {
  accepts: 'a finite number of at least 0.0001 and at most 1',
  good: [0.0001, 0.37, 1],
  bad: [0, 0.00009, 1.1],
};
const whole: Rule = { accepts: 'a whole number of at least 0', good: [0, 7], bad: [-1, 0.5] };
const one: Rule = { accepts: 'a whole number of at least 1', good: [1, 7], bad: [0, 1.5] };
const upTo = (max: number, min = 1): Rule => ({
  accepts: `a whole number of at least ${min} and at most ${max}`,
  good: [min, max],
  bad: [min - 1, max + 1, min + 0.5],
});
const fromOne: Rule = { accepts: 'a finite number of at least 1', good: [1, 1.5], bad: [0.9] };

const rows: readonly (readonly [string, Make, Rule])[] = [
  ['window.size', window({ kind: 'count' }, 'size'), upTo(1_000_000)],
  ['window.size', (size) => ({ window: { ...hybrid, size }, trip: [lonely] }), upTo(1_000_000)],
  ['window.durationMs', window(time, 'durationMs'), period],
  ['window.durationMs', window({ ...hybrid, size: 50 }, 'durationMs'), period],
  ['window.buckets', window(time, 'buckets'), upTo(1_000)],
  ['trip[0].failures', trip({ kind: 'consecutive' }, 'failures'), one],
  ['trip[0].failures', trip({ kind: 'refused' }, 'failures'), one],
  ['trip[0].failures', trip({ kind: 'count' }, 'failures'), upTo(1_000_000)],
  ['trip[0].failures', trip(mixed, 'failures'), upTo(1_000_000)],
  ['trip[0].rate', trip(ratio, 'rate'), share],
  ['trip[0].rate', trip(mixed, 'rate'), share],
  ['trip[0].rate', trip(slow, 'rate'), share],
  ['trip[0].minimumCalls', trip(ratio, 'minimumCalls'), upTo(1_000_000, 0)],
  ['trip[0].minimumCalls', trip(mixed, 'minimumCalls'), upTo(1_000_000, 0)],
  ['trip[0].minimumCalls', trip(slow, 'minimumCalls'), upTo(1_000_000, 0)],
  ['trip[0].slowMs', trip(slow, 'slowMs'), duration],
  ['open.baseMs', open(fixed, 'baseMs'), duration],
  ['open.jitter', open(fixed, 'jitter'), fraction],
  ['open.minMs', open(fixed, 'minMs'), duration],
  ['open.stableForMs', open(exponential, 'stableForMs'), duration],
  ['open.decayEveryMs', open(exponential, 'decayEveryMs'), period],
  ['open.maxHintMs', open(adaptive, 'maxHintMs'), duration],
  ['open.multiplier', open(exponential, 'multiplier'), fromOne],
  ['open.factor', open(adaptive, 'factor'), period],
  ['recovery.maxHalfOpenMs', recovery('maxHalfOpenMs'), fromOne],
  ['recovery.hardRefused', recovery('hardRefused'), one],
  ['recovery.maxStepWaitMs', recovery('maxStepWaitMs'), duration],
  ['recovery.minProbeIntervalMs', recovery('minProbeIntervalMs'), duration],
  ['recovery.maxInconclusive', recovery('maxInconclusive'), whole],
  ['recovery.probeFloorMs', recovery('probeFloorMs'), duration],
  ['recovery.guardMs', recovery('guardMs'), duration],
  [
    'recovery.guardFactor',
    recovery('guardFactor'),
    { accepts: 'a finite number above 0 and at most 1', good: [0.01, 1], bad: [0, 1.01] },
  ],
  ['recovery.admission.calls', part('admission', perPeriod, 'calls'), one],
  ['recovery.admission.periodMs', part('admission', perPeriod, 'periodMs'), period],
  ['recovery.admission.share', part('admission', { kind: 'percent' }, 'share'), share],
  ['recovery.admission.low', part('admission', grows, 'low'), share],
  [
    'recovery.admission.high',
    part('admission', grows, 'high'),
    { accepts: 'a finite number of at least 0.1 and at most 1', good: [0.1, 1], bad: [0.09, 1.1] },
  ],
  ['recovery.admission.evalEveryMs', part('admission', grows, 'evalEveryMs'), period],
  ['recovery.decision.successes', part('decision', { kind: 'consecutive' }, 'successes'), one],
  ['recovery.decision.successes', part('decision', lookBack, 'successes'), upTo(4)],
  ['recovery.decision.of', part('decision', { ...lookBack, successes: 1 }, 'of'), upTo(10_000)],
  [
    'recovery.decision.multiple',
    part('decision', { kind: 'latencyMultiple' }, 'multiple'),
    fromOne,
  ],
  ['recovery.latency.holdMultiple', part('latency', {}, 'holdMultiple'), fromOne],
  [
    'recovery.latency.releaseMultiple',
    part('latency', { holdMultiple: 5 }, 'releaseMultiple'),
    { accepts: 'a finite number above 0 and at most 5', good: [0.1, 5], bad: [0, 5.1] },
  ],
  ['recovery.latency.floorMs', part('latency', {}, 'floorMs'), duration],
  ['recovery.latency.maxHoldMs', part('latency', {}, 'maxHoldMs'), duration],
  ['recovery.latency.skipFirst', part('latency', {}, 'skipFirst'), upTo(1_000, 0)],
  ['baselineDriftPerDay', (baselineDriftPerDay) => ({ baselineDriftPerDay }), fromOne],
  [
    'callTimeoutMs',
    (callTimeoutMs) => ({ callTimeoutMs }),
    { ...timer, accepts: 'a finite number above 0 and at most 2147483647', good: [0.1], bad: [0] },
  ],
  ['probeTimeoutFraction', (probeTimeoutFraction) => ({ probeTimeoutFraction }), fraction],
  ['permitGraceMs', (permitGraceMs) => ({ permitGraceMs }), timer],
  ['failureLumpMs', (failureLumpMs) => ({ failureLumpMs }), duration],
  ['slowMs', (slowMs) => ({ slowMs }), duration],
  ['maxLoopDelayMs', (maxLoopDelayMs) => ({ maxLoopDelayMs }), duration],
  ['normalErrorRate', (normalErrorRate) => ({ normalErrorRate }), fraction],
];
const lonely = { kind: 'consecutive', failures: 3 };

const perStep: readonly (readonly [string, Rule])[] = [
  ['stepMs', duration],
  ['minimumSuccesses', whole],
  ['failureBudget', one],
  ['maxInFlight', one],
  ['idempotentWaitMs', duration],
  ['pendingLimitMs', duration],
];

describe('[B100] [case 74] every number', () => {
  it.each(rows)('%s keeps what it is given and says what it accepts (%#)', (option, make, rule) => {
    const trips = option === 'window.size' ? { trip: [lonely] } : {};
    for (const value of rule.good) {
      expect(read(configOf({ ...trips, ...Object(make(value)) }), option)).toBe(value);
    }
    for (const value of rule.bad) {
      const error = refusal(make(value));
      expect(error.option).toBe(option);
      const got = typeof value === 'number' ? String(value) : JSON.stringify(value);
      expect(error.message).toBe(
        `Circuit breaker option "${option}" is ${got}; it accepts ${rule.accepts}.`,
      );
    }
  });

  it.each(perStep)('recovery.%s is one for all steps or one each', (name, rule) => {
    const make = recovery(name);
    for (const value of rule.good) {
      const config = configOf(make(value)).recovery;
      expect(Reflect.get(config, name)).toEqual([value, value, value, value]);
    }
    const [low = 0, high = 0] = rule.good;
    const given = configOf(make([low, high])).recovery;
    expect(Reflect.get(given, name)).toEqual([low, high, high, high]);
    for (const value of rule.bad) {
      if (typeof value !== 'number') continue;
      expect(refusal(make(value)).message).toBe(
        `Circuit breaker option "recovery.${name}" is ${value}; it accepts ${rule.accepts}.`,
      );
      expect(refusal(make([low, value])).option).toBe(`recovery.${name}[1]`);
    }
    for (const value of [[], {}]) {
      expect(refusal(make(value)).message).toContain('it accepts a number or a list of numbers.');
    }
  });
});

function loop(): unknown {
  const endless: { self?: unknown } = {};
  endless.self = endless;
  return endless;
}

function nested(path: string, value: unknown): unknown {
  if (path === 'options') return value;
  if (path === 'trip[0]') return { trip: [value] };
  return path.split('.').reduceRight((inner, key) => ({ [key]: inner }), value);
}

describe('[B100] every choice', () => {
  it.each([
    ['window.kind', window(time, 'kind'), "'time', 'count', 'hybrid'"],
    [
      'trip[0].kind',
      trip(ratio, 'kind'),
      "'consecutive', 'count', 'ratio', 'mixed', 'slow', 'refused'",
    ],
    ['open.kind', open(fixed, 'kind'), "'fixed', 'exponential', 'adaptive'"],
    [
      'recovery.admission.kind',
      part('admission', perPeriod, 'kind'),
      "'fixed', 'percent', 'ramp', 'adaptive', 'sticky'",
    ],
    [
      'recovery.decision.kind',
      part('decision', {}, 'kind'),
      "'all', 'consecutive', 'windowRate', 'latencyMultiple'",
    ],
    ['recovery.then', recovery('then'), "'open', 'closed'"],
    [
      'recovery.failureBudget',
      recovery('failureBudget'),
      "'strict', 'statistical', a number or a list",
    ],
    ['mode', (mode: unknown) => ({ mode }), "'enforce', 'shadow'"],
    ['onDisposed', (onDisposed: unknown) => ({ onDisposed }), "'pass', 'reject'"],
    ['recovery.allowWrites', recovery('allowWrites'), 'true or false'],
    ['recovery.softFallback', recovery('softFallback'), 'true or false'],
    ['trip[0].pending', trip(slow, 'pending'), 'true or false'],
    [
      'cancelledCountsAsSlow',
      (value: unknown) => ({ cancelledCountsAsSlow: value }),
      'true or false',
    ],
    ['errorStacks', (errorStacks: unknown) => ({ errorStacks }), 'true or false'],
    ...['clock', 'wallClock', 'random', 'onProblem', 'ignore', 'classify', 'loopDelay'].map(
      (name) => [name, (value: unknown) => ({ [name]: value }), 'a function'] as const,
    ),
    ['timer.after', (after: unknown) => ({ timer: { after } }), 'a function'],
    ['recovery.latency', recovery('latency'), 'an object'],
    ['recovery.latency.skipFirst', part('latency', {}, 'skipFirst'), "'auto' or a whole number"],
    ['trip', (value: unknown) => ({ trip: value }), 'a list of 1 to 30 policies'],
    [
      'recovery.admission.steps',
      part('admission', { kind: 'ramp' }, 'steps'),
      'a list with at least one share',
    ],
  ] as const)('%s says what there is', (option, make, accepts) => {
    expect(refusal(make('nonsense')).message).toBe(
      `Circuit breaker option "${option}" is "nonsense"; it accepts ${accepts}.`,
    );
  });

  it.each([
    ['recovery.then', 'closed', recovery('then')],
    ['recovery.then', 'open', recovery('then')],
    ['recovery.failureBudget', 'strict', recovery('failureBudget')],
    ['recovery.failureBudget', 'statistical', recovery('failureBudget')],
    ['recovery.maxInFlight', 'auto', recovery('maxInFlight')],
    ['recovery.allowWrites', false, recovery('allowWrites')],
    ['recovery.softFallback', true, recovery('softFallback')],
    ['recovery.latency', null, recovery('latency')],
    ['recovery.latency.skipFirst', 'auto', part('latency', {}, 'skipFirst')],
    ['trip[0].pending', true, trip(slow, 'pending')],
    ['mode', 'shadow', (mode: unknown) => ({ mode })],
    ['onDisposed', 'pass', (onDisposed: unknown) => ({ onDisposed })],
    ['cancelledCountsAsSlow', true, (value: unknown) => ({ cancelledCountsAsSlow: value })],
    ['errorStacks', true, (errorStacks: unknown) => ({ errorStacks })],
  ] as const)('%s may be %s', (option, value, make) => {
    expect(read(configOf(make(value)), option)).toBe(value);
  });

  it.each([
    ['window', time, 'kind, durationMs, buckets'],
    ['window', { kind: 'count', size: 50 }, 'kind, size'],
    ['window', { ...hybrid, size: 50 }, 'kind, size, durationMs'],
    ['open', fixed, 'kind, baseMs, jitter, minMs, stableForMs, decayEveryMs, maxHintMs'],
    [
      'open',
      exponential,
      'kind, baseMs, jitter, minMs, stableForMs, decayEveryMs, maxHintMs, multiplier, maxMs',
    ],
    [
      'open',
      adaptive,
      'kind, baseMs, jitter, minMs, stableForMs, decayEveryMs, maxHintMs, factor, maxMs',
    ],
    ['trip[0]', { kind: 'consecutive', failures: 3 }, 'kind, failures'],
    ['trip[0]', { kind: 'count', failures: 3 }, 'kind, failures'],
    ['trip[0]', ratio, 'kind, rate, minimumCalls'],
    ['trip[0]', mixed, 'kind, failures, rate, minimumCalls'],
    ['trip[0]', slow, 'kind, slowMs, rate, minimumCalls, pending'],
    ['recovery.admission', perPeriod, 'kind, calls, periodMs'],
    ['recovery.admission', { kind: 'percent', share: 0.5 }, 'kind, share'],
    ['recovery.admission', { kind: 'ramp', steps: [1] }, 'kind, steps'],
    ['recovery.admission', { kind: 'sticky', steps: [1] }, 'kind, steps'],
    ['recovery.admission', grows, 'kind, low, high, evalEveryMs'],
    ['recovery.decision', { kind: 'all' }, 'kind'],
    ['recovery.decision', { kind: 'consecutive', successes: 3 }, 'kind, successes'],
    ['recovery.decision', lookBack, 'kind, successes, of'],
    ['recovery.decision', { kind: 'latencyMultiple', multiple: 2 }, 'kind, multiple'],
    ['recovery.latency', {}, 'holdMultiple, releaseMultiple, floorMs, maxHoldMs, skipFirst'],
    [
      'recovery',
      {},
      'admission, stepMs, minimumSuccesses, failureBudget, decision, latency, maxHalfOpenMs, then, ' +
        'maxInFlight, writesFromStep, idempotentWaitMs, allowWrites, hardRefused, pendingLimitMs, ' +
        'maxStepWaitMs, minProbeIntervalMs, maxInconclusive, probeFloorMs, softFallback, guardMs, ' +
        'guardFactor',
    ],
    [
      'options',
      {},
      'clock, wallClock, random, onProblem, ignore, classify, loopDelay, timer, window, trip, ' +
        'open, recovery, callTimeoutMs, probeTimeoutFraction, permitGraceMs, slowMs, mode, ' +
        'cancelledCountsAsSlow, maxLoopDelayMs, onDisposed, normalErrorRate, errorStacks, ' +
        'failureLumpMs, baselineDriftPerDay',
    ],
  ])('%s names the words it knows (%#)', (path, given, names) => {
    const value = { ...given, bogus: 7 };
    const options =
      {
        options: value,
        'trip[0]': { trip: [value] },
        recovery: { recovery: value },
      }[path] ?? nested(path, value);
    expect(refusal(options).message).toBe(
      `Circuit breaker option "${path}.bogus" is 7; it accepts only ${names}.`,
    );
    expect(configOf(nested(path, given))).toBeDefined();
  });

  it.each([
    ['a function', () => 1],
    ['5', 5n],
    ['object', loop()],
    ['symbol', Symbol('s')],
    ['[1,2]', [1, 2]],
    ['undefined', undefined],
  ])('says what it got, here %s', (got, value) => {
    expect(new BreakerOptionError('mode', value, 'less').message).toBe(
      `Circuit breaker option "mode" is ${got}; it accepts less.`,
    );
    expect(new BreakerOptionError('mode', value, 'less').name).toBe('BreakerOptionError');
  });

  it.each([5, [1], 'x', true])('options that are no object are refused: %j', (value) => {
    for (const option of ['recovery', 'recovery.latency', 'options']) {
      const error = option === 'options' ? refusalOf(value) : refusal(nested(option, value));
      expect(error.message).toBe(
        `Circuit breaker option "${option}" is ${JSON.stringify(value)}; it accepts an object.`,
      );
    }
  });
});
