import {
  atLeastOne,
  BreakerOptionError,
  checkChoice,
  checkFlag,
  checkKeys,
  checkNumber,
  checkPerStep,
  duration,
  period,
  share,
  wholeNumber,
} from './checks';
import type { RecoveryConfig } from './config-types';
import type {
  AdmissionOptions,
  DecisionOptions,
  LatencyHoldOptions,
  PerStep,
  RecoveryOptions,
} from './types';
import { unreachable } from './unreachable';

const admissionKinds = ['fixed', 'percent', 'ramp', 'adaptive', 'sticky'] as const;
const decisionKinds = ['all', 'consecutive', 'windowRate', 'latencyMultiple'] as const;
const defaultSteps = [0.1, 0.3, 0.6, 1];
/** More would be the step itself. */
const MAX_SKIP = 1_000;
/** A bound for the outcomes that `windowRate` looks back at. */
const MAX_LOOK_BACK = 10_000;

const known: readonly (keyof RecoveryOptions)[] = [
  'admission',
  'stepMs',
  'minimumSuccesses',
  'failureBudget',
  'decision',
  'latency',
  'maxHalfOpenMs',
  'then',
  'maxInFlight',
  'writesFromStep',
  'idempotentWaitMs',
  'allowWrites',
  'hardRefused',
  'pendingLimitMs',
  'maxStepWaitMs',
  'minProbeIntervalMs',
  'maxInconclusive',
  'probeFloorMs',
  'softFallback',
  'guardMs',
  'guardFactor',
];

export function stepCount(admission: AdmissionOptions): number {
  return admission.kind === 'ramp' || admission.kind === 'sticky' ? admission.steps.length : 1;
}

const defaults = {
  stepMs: 5_000,
  minimumSuccesses: [5, 10, 20, 20],
  failureBudget: 'statistical',
  decision: { kind: 'all' },
  maxHalfOpenMs: 600_000,
  maxInFlight: 'auto',
  writesFromStep: 2,
  allowWrites: true,
  hardRefused: 2,
  maxStepWaitMs: 60_000,
  minProbeIntervalMs: 1_000,
  maxInconclusive: 20,
  probeFloorMs: 100,
  softFallback: false,
  guardMs: 30_000,
  guardFactor: 0.5,
} as const satisfies RecoveryOptions;

type Merged = RecoveryOptions & Required<Pick<RecoveryOptions, keyof typeof defaults>>;

/** An option that is set to undefined counts as left out. */
function withDefaults(options: RecoveryOptions): Merged {
  const set = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}

export function recoveryConfig(given: RecoveryOptions, slowMs: number): RecoveryConfig {
  checkKeys('recovery', given, known);
  const options: Merged = withDefaults(given);
  const admission = admissionConfig(options.admission ?? { kind: 'ramp', steps: defaultSteps });
  const steps = stepCount(admission);
  const list = (name: keyof RecoveryOptions, got: PerStep<number>, rule = duration) =>
    checkPerStep(`recovery.${name}`, got, steps, rule);
  const stepMs = list('stepMs', options.stepMs);
  const { maxInFlight } = options;
  return {
    admission,
    stepMs,
    minimumSuccesses: list('minimumSuccesses', options.minimumSuccesses, wholeNumber),
    failureBudget: budgetConfig(options.failureBudget, steps),
    decision: decisionConfig(options.decision),
    latency: latencyConfig(options.latency),
    maxHalfOpenMs: one('maxHalfOpenMs', options.maxHalfOpenMs, { min: 1 }),
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the options, not a promise
    then: checkChoice('recovery.then', options.then ?? 'open', ['open', 'closed']),
    maxInFlight: maxInFlight === 'auto' ? 'auto' : list('maxInFlight', maxInFlight, atLeastOne),
    writesFromStep: Math.min(one('writesFromStep', options.writesFromStep, wholeNumber), steps - 1),
    idempotentWaitMs: list('idempotentWaitMs', options.idempotentWaitMs ?? stepMs),
    allowWrites: checkFlag('recovery.allowWrites', options.allowWrites),
    hardRefused: one('hardRefused', options.hardRefused, atLeastOne),
    pendingLimitMs: list(
      'pendingLimitMs',
      options.pendingLimitMs ?? stepMs.map((ms) => Math.min(ms, slowMs)),
    ),
    maxStepWaitMs: one('maxStepWaitMs', options.maxStepWaitMs),
    minProbeIntervalMs: one('minProbeIntervalMs', options.minProbeIntervalMs),
    maxInconclusive: one('maxInconclusive', options.maxInconclusive, wholeNumber),
    probeFloorMs: one('probeFloorMs', options.probeFloorMs),
    softFallback: checkFlag('recovery.softFallback', options.softFallback),
    guardMs: one('guardMs', options.guardMs),
    guardFactor: one('guardFactor', options.guardFactor, { min: 0, above: true, max: 1 }),
  };
}

function one(name: keyof RecoveryOptions, got: number, rule = duration): number {
  return checkNumber(`recovery.${name}`, got, rule);
}

function admissionConfig(options: AdmissionOptions): AdmissionOptions {
  const name = 'recovery.admission';
  checkChoice(`${name}.kind`, options?.kind, admissionKinds);
  switch (options.kind) {
    case 'fixed':
      checkKeys(name, options, ['kind', 'calls', 'periodMs']);
      return {
        kind: 'fixed',
        calls: checkNumber(`${name}.calls`, options.calls, atLeastOne),
        periodMs: checkNumber(`${name}.periodMs`, options.periodMs, period),
      };
    case 'percent':
      checkKeys(name, options, ['kind', 'share']);
      return { kind: 'percent', share: checkNumber(`${name}.share`, options.share, share) };
    case 'ramp':
    case 'sticky':
      checkKeys(name, options, ['kind', 'steps']);
      return { kind: options.kind, steps: risingSteps(options.steps) };
    case 'adaptive':
      checkKeys(name, options, ['kind', 'low', 'high', 'evalEveryMs']);
      return {
        kind: 'adaptive',
        low: checkNumber(`${name}.low`, options.low, share),
        high: checkNumber(`${name}.high`, options.high, { min: options.low, max: 1 }),
        evalEveryMs: checkNumber(`${name}.evalEveryMs`, options.evalEveryMs, period),
      };
    default:
      return unreachable(options);
  }
}

function risingSteps(steps: readonly number[]): readonly number[] {
  const name = 'recovery.admission.steps';
  if (!Array.isArray(steps) || steps.length === 0) {
    throw new BreakerOptionError(name, steps, 'a list with at least one share');
  }
  return steps.map((step, i) => {
    const low = steps[i - 1] ?? 0;
    if (step < low)
      throw new BreakerOptionError(`${name}[${i}]`, step, 'no less than the step before');
    return checkNumber(`${name}[${i}]`, step, share);
  });
}

function budgetConfig(
  budget: NonNullable<RecoveryOptions['failureBudget']>,
  steps: number,
): RecoveryConfig['failureBudget'] {
  if (budget === 'strict' || budget === 'statistical') return budget;
  if (typeof budget === 'string') {
    throw new BreakerOptionError(
      'recovery.failureBudget',
      budget,
      "'strict', 'statistical', a number or a list",
    );
  }
  return checkPerStep('recovery.failureBudget', budget, steps, atLeastOne);
}

function decisionConfig(options: DecisionOptions): DecisionOptions {
  const name = 'recovery.decision';
  checkChoice(`${name}.kind`, options?.kind, decisionKinds);
  switch (options.kind) {
    case 'all':
      checkKeys(name, options, ['kind']);
      return { kind: 'all' };
    case 'consecutive':
      checkKeys(name, options, ['kind', 'successes']);
      return {
        kind: 'consecutive',
        successes: checkNumber(`${name}.successes`, options.successes, atLeastOne),
      };
    case 'windowRate': {
      checkKeys(name, options, ['kind', 'successes', 'of']);
      const of = checkNumber(`${name}.of`, options.of, { ...atLeastOne, max: MAX_LOOK_BACK });
      const rule = { ...atLeastOne, max: of };
      return {
        kind: 'windowRate',
        successes: checkNumber(`${name}.successes`, options.successes, rule),
        of,
      };
    }
    case 'latencyMultiple':
      checkKeys(name, options, ['kind', 'multiple']);
      return {
        kind: 'latencyMultiple',
        multiple: checkNumber(`${name}.multiple`, options.multiple, { min: 1 }),
      };
    default:
      return unreachable(options);
  }
}

function latencyConfig(options: LatencyHoldOptions | null | undefined): RecoveryConfig['latency'] {
  if (options === null) return null;
  const name = 'recovery.latency';
  const got = options ?? {};
  checkKeys(name, got, ['holdMultiple', 'releaseMultiple', 'floorMs', 'maxHoldMs', 'skipFirst']);
  const holdMultiple = checkNumber(`${name}.holdMultiple`, got.holdMultiple ?? 3, { min: 1 });
  const releaseDefault = Math.min(2, holdMultiple);
  return {
    holdMultiple,
    releaseMultiple: checkNumber(`${name}.releaseMultiple`, got.releaseMultiple ?? releaseDefault, {
      min: 0,
      above: true,
      max: holdMultiple,
    }),
    floorMs: checkNumber(`${name}.floorMs`, got.floorMs ?? 20, duration),
    maxHoldMs: checkNumber(`${name}.maxHoldMs`, got.maxHoldMs ?? 30_000, duration),
    skipFirst: skipConfig(`${name}.skipFirst`, got.skipFirst ?? 'auto'),
  };
}

function skipConfig(name: string, got: 'auto' | number): 'auto' | number {
  if (got === 'auto') return got;
  if (typeof got !== 'number') throw new BreakerOptionError(name, got, "'auto' or a whole number");
  return checkNumber(name, got, { ...wholeNumber, max: MAX_SKIP });
}
