import {
  atLeastOne,
  BreakerOptionError,
  checkChoice,
  checkFunction,
  checkKeys,
  checkNumber,
  fraction,
  period,
} from '../checks';
import { breakerConfig } from '../config';
import { defaultEnvironment } from '../defaults';
import type { Environment } from '../environment';
import type { BreakerOptions } from '../types';

/** How an endpoint is compared with the others. */
export type OutlierOptions = {
  /** Length of the sliding window, in ms. Default 10,000. */
  readonly windowMs?: number;
  /** Calls within the window that an endpoint needs to be compared at all. Default 50. */
  readonly minimumCalls?: number;
  /** Endpoints with so many calls, the compared one included. Default 3. */
  readonly minimumEndpoints?: number;
  /** So many standard deviations worse than the others, chance of its own sample included. Default 3. */
  readonly deviations?: number;
  /** At least so much worse, as a difference of failure rates, 0 to 1. Default 0.1. */
  readonly minimumGap?: number;
};

type Surroundings = 'clock' | 'wallClock' | 'random' | 'timer' | 'onProblem';

/** Every duration is in milliseconds, every rate and share a fraction 0 to 1. */
export type EndpointSetOptions = Pick<BreakerOptions, Surroundings> & {
  readonly endpoints: readonly string[];
  /** Options of each endpoint's breaker. */
  readonly breaker?: Omit<BreakerOptions, Surroundings>;
  /** Part of the endpoints that may be missing; at least one unless 0. Default 0.5. */
  readonly maxEjectedShare?: number;
  /** Endpoints that are probed at the same time. Default: as many as may be missing. */
  readonly maxRecovering?: number;
  /** What happens when more are missing. Default `fail_fast`. */
  readonly panic?: 'fail_fast' | 'use_all';
  /** null: endpoints are not compared. */
  readonly outlier?: OutlierOptions | null;
};

export type EndpointSetConfig = {
  readonly breaker: Omit<BreakerOptions, Surroundings>;
  readonly callTimeoutMs: number;
  readonly minProbeIntervalMs: number;
  readonly maxEjectedShare: number;
  readonly maxRecovering: number | null;
  readonly panic: 'fail_fast' | 'use_all';
  readonly outlier: Required<OutlierOptions> | null;
};

const surroundings: readonly Surroundings[] = [
  'clock',
  'wallClock',
  'random',
  'timer',
  'onProblem',
];
const known: readonly (keyof EndpointSetOptions)[] = [
  ...surroundings,
  'endpoints',
  'breaker',
  'maxEjectedShare',
  'maxRecovering',
  'panic',
  'outlier',
];

/** Refuses what cannot work at construction; zero never falls back to a default. */
export function endpointSetConfig(options: EndpointSetOptions): EndpointSetConfig {
  checkKeys('options', options, known);
  for (const name of ['clock', 'wallClock', 'random', 'onProblem'] as const) {
    if (options[name] !== undefined) checkFunction(name, options[name]);
  }
  const { timer } = options;
  if (timer !== undefined) checkFunction('timer.after', Reflect.get(timer, 'after'));
  const breaker = breakerOptions(options.breaker ?? {});
  const { callTimeoutMs, recovery } = breakerConfig(breaker);
  const { maxRecovering } = options;
  return {
    breaker,
    callTimeoutMs,
    minProbeIntervalMs: recovery.minProbeIntervalMs,
    maxEjectedShare: checkNumber('maxEjectedShare', options.maxEjectedShare ?? 0.5, fraction),
    maxRecovering:
      maxRecovering === undefined ? null : checkNumber('maxRecovering', maxRecovering, atLeastOne),
    panic: checkChoice('panic', options.panic ?? 'fail_fast', ['fail_fast', 'use_all']),
    outlier: outlierConfig(options.outlier),
  };
}

/** All endpoints live in the time of their set. */
function breakerOptions(
  options: NonNullable<EndpointSetOptions['breaker']>,
): EndpointSetConfig['breaker'] {
  if (typeof options === 'object') {
    for (const name of surroundings) {
      if (name in options) {
        throw new BreakerOptionError(
          `breaker.${name}`,
          Reflect.get(options, name),
          `no value of its own; give "${name}" to the set`,
        );
      }
    }
  }
  return options;
}

function outlierConfig(given: OutlierOptions | null | undefined): EndpointSetConfig['outlier'] {
  if (given === null) return null;
  const options = given ?? {};
  checkKeys('outlier', options, [
    'windowMs',
    'minimumCalls',
    'minimumEndpoints',
    'deviations',
    'minimumGap',
  ]);
  const two = { min: 2, integer: true };
  return {
    windowMs: checkNumber('outlier.windowMs', options.windowMs ?? 10_000, period),
    minimumCalls: checkNumber('outlier.minimumCalls', options.minimumCalls ?? 50, atLeastOne),
    minimumEndpoints: checkNumber('outlier.minimumEndpoints', options.minimumEndpoints ?? 3, two),
    deviations: checkNumber('outlier.deviations', options.deviations ?? 3, { min: 0 }),
    minimumGap: checkNumber('outlier.minimumGap', options.minimumGap ?? 0.1, fraction),
  };
}

export function checkEndpointName(got: unknown, taken: (name: string) => boolean): string {
  if (typeof got !== 'string' || got === '') {
    throw new BreakerOptionError('endpoints', got, 'names that are not empty');
  }
  if (taken(got)) throw new BreakerOptionError('endpoints', got, 'each name once');
  return got;
}

export function checkEndpoints(got: unknown): readonly unknown[] {
  if (!Array.isArray(got)) {
    throw new BreakerOptionError('endpoints', got, 'a list of names, which may be empty');
  }
  return got;
}

/** A single name would otherwise exclude every endpoint whose name it contains. */
export function checkExclude(got: unknown): void {
  if (got !== undefined && !Array.isArray(got)) {
    throw new BreakerOptionError('exclude', got, 'a list of names');
  }
}

export function setEnvironment(options: EndpointSetOptions): Environment {
  return {
    clock: options.clock ?? defaultEnvironment.clock,
    wallClock: options.wallClock ?? defaultEnvironment.wallClock,
    random: options.random ?? defaultEnvironment.random,
    timer: options.timer ?? defaultEnvironment.timer,
    onProblem: options.onProblem ?? defaultEnvironment.onProblem,
  };
}
