import {
  checkChoice,
  checkFlag,
  checkFunction,
  checkKeys,
  checkNumber,
  duration,
  fraction,
  timerSpan,
} from './checks';
import { openConfig } from './config-open';
import { recoveryConfig } from './config-recovery';
import { tripConfig, windowConfig } from './config-trip';
import type { BreakerConfig } from './config-types';
import { defaultEnvironment } from './defaults';
import type { Environment } from './environment';
import type { BreakerOptions } from './types';

const functions: readonly (keyof BreakerOptions)[] = [
  'clock',
  'wallClock',
  'random',
  'onProblem',
  'ignore',
  'classify',
  'loopDelay',
];

const known: readonly (keyof BreakerOptions)[] = [
  ...functions,
  'timer',
  'window',
  'trip',
  'open',
  'recovery',
  'callTimeoutMs',
  'probeTimeoutFraction',
  'permitGraceMs',
  'slowMs',
  'mode',
  'cancelledCountsAsSlow',
  'maxLoopDelayMs',
  'onDisposed',
  'normalErrorRate',
  'errorStacks',
  'failureLumpMs',
  'baselineDriftPerDay',
];

/** Fills in the defaults and refuses what cannot work, so that nothing is found out in an outage. */
export function breakerConfig(options: BreakerOptions): BreakerConfig {
  checkKeys('options', options, known);
  for (const name of functions) {
    if (options[name] !== undefined) checkFunction(name, options[name]);
  }
  if (options.timer !== undefined)
    checkFunction('timer.after', Reflect.get(options.timer, 'after'));
  const window = windowConfig(options.window);
  const slowMs = checkNumber('slowMs', options.slowMs ?? 1_000, duration);
  const failureLumpMs = checkNumber('failureLumpMs', options.failureLumpMs ?? 0, duration);
  const { normalErrorRate } = options;
  return {
    window,
    trip: tripConfig(options.trip, window, failureLumpMs),
    open: openConfig(options.open),
    recovery: recoveryConfig(options.recovery ?? {}, slowMs),
    ...callConfig(options),
    slowMs,
    mode: checkChoice('mode', options.mode ?? 'enforce', ['enforce', 'shadow']),
    maxLoopDelayMs: checkNumber('maxLoopDelayMs', options.maxLoopDelayMs ?? 200, duration),
    onDisposed: checkChoice('onDisposed', options.onDisposed ?? 'reject', ['pass', 'reject']),
    normalErrorRate:
      normalErrorRate === undefined
        ? null
        : checkNumber('normalErrorRate', normalErrorRate, fraction),
    errorStacks: checkFlag('errorStacks', options.errorStacks ?? false),
    failureLumpMs,
    baselineDriftPerDay: checkNumber('baselineDriftPerDay', options.baselineDriftPerDay ?? 1.5, {
      min: 1,
    }),
  };
}

type CallConfig = Pick<
  BreakerConfig,
  'callTimeoutMs' | 'probeTimeoutFraction' | 'permitGraceMs' | 'cancelledCountsAsSlow'
>;

function callConfig(options: BreakerOptions): CallConfig {
  return {
    callTimeoutMs: checkNumber('callTimeoutMs', options.callTimeoutMs ?? 30_000, {
      ...timerSpan,
      above: true,
    }),
    probeTimeoutFraction: checkNumber(
      'probeTimeoutFraction',
      options.probeTimeoutFraction ?? 0.5,
      fraction,
    ),
    permitGraceMs: checkNumber('permitGraceMs', options.permitGraceMs ?? 0, timerSpan),
    cancelledCountsAsSlow: checkFlag(
      'cancelledCountsAsSlow',
      options.cancelledCountsAsSlow ?? false,
    ),
  };
}

export function environmentOf(options: BreakerOptions): Environment {
  return {
    clock: options.clock ?? defaultEnvironment.clock,
    wallClock: options.wallClock ?? defaultEnvironment.wallClock,
    random: options.random ?? defaultEnvironment.random,
    timer: options.timer ?? defaultEnvironment.timer,
    ...(options.loopDelay === undefined ? {} : { loopDelay: options.loopDelay }),
    onProblem: options.onProblem ?? defaultEnvironment.onProblem,
  };
}
