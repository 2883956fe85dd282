import type { AdmissionOptions, TripPolicy } from '../breaker/types';
import { numberAt, numberOr, objectAt, textAt } from './read';
import type { ConfigFact } from './types';

type Plain = Readonly<Record<string, unknown>>;

/** The options that the rules look at, read from a report: whatever is missing has its default. */
export type Settings = {
  /** Null for a window that counts calls only. */
  readonly windowMs: number | null;
  readonly trip: readonly Policy[];
  readonly open: { readonly kind: string; readonly baseMs: number; readonly stableForMs: number };
  readonly jitter: number;
  readonly admission: AdmissionOptions['kind'];
  /** Shares of the steps; one for an admission without steps. */
  readonly steps: readonly number[];
  readonly stepMs: readonly number[];
  readonly minimumSuccesses: readonly number[];
  readonly maxInFlight: 'auto' | readonly number[];
  readonly softFallback: boolean;
  readonly maxInconclusive: number;
  readonly maxHalfOpenMs: number;
  readonly maxStepWaitMs: number;
  readonly minProbeIntervalMs: number;
  /** Null: the latency is not judged. */
  readonly latency: { readonly holdMultiple: number; readonly floorMs: number } | null;
  readonly callTimeoutMs: number;
  readonly probeTimeoutFraction: number;
  readonly probeFloorMs: number;
};

export type Policy = {
  readonly kind: TripPolicy['kind'];
  readonly failures: number;
  readonly rate: number;
  readonly minimumCalls: number;
};

const DEFAULT_STEPS = [0.1, 0.3, 0.6, 1];
const KINDS: readonly TripPolicy['kind'][] = [
  'consecutive',
  'count',
  'ratio',
  'mixed',
  'slow',
  'refused',
];
const ADMISSIONS: readonly AdmissionOptions['kind'][] = [
  'fixed',
  'percent',
  'ramp',
  'adaptive',
  'sticky',
];

function numbersIn(value: unknown): number[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item): item is number => typeof item === 'number' && Number.isFinite(item));
}

/** One value per step; a list that is too short repeats its last. */
function perStep(value: unknown, steps: number, fallback: readonly number[]): number[] {
  const given = numbersIn(value);
  const list = given.length === 0 ? fallback : given;
  return Array.from({ length: steps }, (_, step) => list[step] ?? list.at(-1) ?? 0);
}

function policiesOf(trip: unknown): Policy[] {
  if (!Array.isArray(trip)) {
    return [{ kind: 'ratio', failures: 0, rate: 0.5, minimumCalls: 20 }];
  }
  return trip.flatMap((item: unknown) => {
    const data = objectAt({ item }, 'item') ?? {};
    const kind = KINDS.find((known) => known === data['kind']);
    if (kind === undefined) return [];
    return {
      kind,
      failures: numberAt(data, 'failures') ?? 0,
      rate: numberAt(data, 'rate') ?? 0,
      minimumCalls: numberAt(data, 'minimumCalls') ?? 0,
    };
  });
}

function stepsOf(admission: Plain, kind: AdmissionOptions['kind']): number[] {
  if (kind === 'ramp' || kind === 'sticky') {
    const steps = numbersIn(admission['steps']);
    return steps.length > 0 ? steps : DEFAULT_STEPS;
  }
  return [numberAt(admission, kind === 'percent' ? 'share' : 'low') ?? 1];
}

/** How far back the window of a breaker looks, null when it counts calls only. */
export function windowMsOf(config: Plain): number | null {
  const window = objectAt(config, 'window');
  if (window === null) return 10_000;
  return textAt(window, 'kind') === 'count' ? null : (numberAt(window, 'durationMs') ?? 10_000);
}

function latencyOf(recovery: Plain): Settings['latency'] {
  if (recovery['latency'] === null) return null;
  const latency = objectAt(recovery, 'latency') ?? {};
  return {
    holdMultiple: numberOr(latency, 'holdMultiple', 3),
    floorMs: numberOr(latency, 'floorMs', 20),
  };
}

function maxInFlightOf(recovery: Plain): Settings['maxInFlight'] {
  const given = numbersIn(recovery['maxInFlight']);
  return given.length === 0 ? 'auto' : given;
}

export function readSettings(config: Plain): Settings {
  const open = objectAt(config, 'open') ?? {};
  const recovery = objectAt(config, 'recovery') ?? {};
  const admission = objectAt(recovery, 'admission') ?? {};
  const kind = ADMISSIONS.find((known) => known === admission['kind']) ?? 'ramp';
  const steps = stepsOf(admission, kind);
  return {
    windowMs: windowMsOf(config),
    trip: policiesOf(config['trip']),
    open: {
      kind: textAt(open, 'kind') || 'exponential',
      baseMs: numberOr(open, 'baseMs', 10_000),
      stableForMs: numberOr(open, 'stableForMs', 60_000),
    },
    jitter: numberOr(open, 'jitter', 0.2),
    admission: kind,
    steps,
    stepMs: perStep(recovery['stepMs'], steps.length, [5_000]),
    minimumSuccesses: perStep(recovery['minimumSuccesses'], steps.length, [5, 10, 20, 20]),
    maxInFlight: maxInFlightOf(recovery),
    softFallback: recovery['softFallback'] === true,
    maxInconclusive: numberOr(recovery, 'maxInconclusive', 20),
    maxHalfOpenMs: numberOr(recovery, 'maxHalfOpenMs', 600_000),
    maxStepWaitMs: numberOr(recovery, 'maxStepWaitMs', 60_000),
    minProbeIntervalMs: numberOr(recovery, 'minProbeIntervalMs', 1_000),
    latency: latencyOf(recovery),
    callTimeoutMs: numberOr(config, 'callTimeoutMs', 30_000),
    probeTimeoutFraction: numberOr(config, 'probeTimeoutFraction', 0.5),
    probeFloorMs: numberOr(recovery, 'probeFloorMs', 100),
  };
}

/** The configuration that most instances have. */
export function commonConfig(configs: readonly ConfigFact[]): ConfigFact | null {
  return configs.reduce<ConfigFact | null>(
    (most, one) => (most === null || one.instanceIds.length > most.instanceIds.length ? one : most),
    null,
  );
}
