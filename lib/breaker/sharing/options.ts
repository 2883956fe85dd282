import {
  BreakerOptionError,
  atLeastOne,
  checkChoice,
  checkFunction,
  checkKeys,
  checkNumber,
  duration,
  timerSpan,
} from '../checks';
import { defaultEnvironment } from '../defaults';
import type { BreakerOptions } from '../types';
import type { SharedStore } from './store';

type Surroundings = Pick<BreakerOptions, 'clock' | 'random' | 'timer' | 'onProblem'>;

/** Every duration is in milliseconds. */
export type SharingOptions = Surroundings & {
  readonly store: SharedStore;
  /** Unique among all that live at the same time. Default: random. */
  readonly instance?: string;
  /** What the instances have in common. Default: the name of the breaker. */
  readonly key?: string;
  /** `own`: only probing is agreed on. `adopt`: when one instance trips, all open. Default `own`. */
  readonly trips?: 'own' | 'adopt';
  /** Default 1,000. Transitions are told at once. */
  readonly syncEveryMs?: number;
  /** No answer for so long counts as a failure. Default 500. */
  readonly storeTimeoutMs?: number;
  /** How long an instance may be the only one to probe without renewing. Default 5 times `syncEveryMs`. */
  readonly leaseMs?: number;
  /** Without the store for so long, the instance goes by its own rules. Default 3 times `syncEveryMs`, and the timeout. */
  readonly staleAfterMs?: number;
  /** Then it waits up to so long at random, so that not all begin together. Default 5,000. */
  readonly localSpreadMs?: number;
  /** Instances to reckon with until the store has told. Default 1. */
  readonly expectedInstances?: number;
  /** How long an opening is remembered that nobody ends. Default 3,600,000. */
  readonly retentionMs?: number;
};

export type SharingConfig = Required<Omit<SharingOptions, 'instance' | 'key'>> & {
  readonly instance: string;
  readonly key: string;
};

const known: readonly (keyof SharingOptions)[] = [
  'clock',
  'random',
  'timer',
  'onProblem',
  'store',
  'instance',
  'key',
  'trips',
  'syncEveryMs',
  'storeTimeoutMs',
  'leaseMs',
  'staleAfterMs',
  'localSpreadMs',
  'expectedInstances',
  'retentionMs',
];

const operations: readonly (keyof SharedStore)[] = [
  'read',
  'compareAndSet',
  'announce',
  'withdraw',
];

export function sharingConfig(breaker: string, options: SharingOptions): SharingConfig {
  checkKeys('options', options, known);
  checkSurroundings(options);
  const syncEveryMs = timerMs('syncEveryMs', options.syncEveryMs ?? 1_000, 1);
  const storeTimeoutMs = timerMs('storeTimeoutMs', options.storeTimeoutMs ?? 500, 1);
  // Below it a store that answers just in time would be taken for a dead one.
  const least = syncEveryMs + storeTimeoutMs;
  const random = options.random ?? defaultEnvironment.random;
  return {
    store: options.store,
    instance: text('instance', options.instance ?? randomId(random)),
    key: text('key', options.key ?? breaker),
    trips: checkChoice('trips', options.trips ?? 'own', ['own', 'adopt']),
    syncEveryMs,
    storeTimeoutMs,
    leaseMs: timerMs('leaseMs', options.leaseMs ?? Math.max(5 * syncEveryMs, 2 * least), 2 * least),
    staleAfterMs: timerMs(
      'staleAfterMs',
      options.staleAfterMs ?? 3 * syncEveryMs + storeTimeoutMs,
      least,
    ),
    localSpreadMs: checkNumber('localSpreadMs', options.localSpreadMs ?? 5_000, duration),
    expectedInstances: checkNumber('expectedInstances', options.expectedInstances ?? 1, atLeastOne),
    retentionMs: timerMs('retentionMs', options.retentionMs ?? 3_600_000, least),
    clock: options.clock ?? defaultEnvironment.clock,
    random,
    timer: options.timer ?? defaultEnvironment.timer,
    onProblem: options.onProblem ?? defaultEnvironment.onProblem,
  };
}

function checkSurroundings(options: SharingOptions): void {
  for (const name of ['clock', 'random', 'onProblem'] as const) {
    if (options[name] !== undefined) checkFunction(name, options[name]);
  }
  const { timer, store } = options;
  if (timer !== undefined) checkFunction('timer.after', Reflect.get(timer, 'after'));
  if (typeof store !== 'object' || store === null) {
    throw new BreakerOptionError('store', store, 'a shared store');
  }
  for (const name of operations) checkFunction(`store.${name}`, Reflect.get(store, name));
}

function timerMs(name: keyof SharingOptions, got: number, min: number): number {
  return checkNumber(name, got, { ...timerSpan, min });
}

function text(name: string, got: unknown): string {
  if (typeof got !== 'string' || got === '') {
    throw new BreakerOptionError(name, got, 'a text that is not empty');
  }
  return got;
}

function randomId(random: () => number): string {
  const part = () => Math.floor(random() * 2 ** 32).toString(36);
  return `${part()}-${part()}`;
}
