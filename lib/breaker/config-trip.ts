import {
  atLeastOne,
  BreakerOptionError,
  checkChoice,
  checkFlag,
  checkKeys,
  checkNumber,
  duration,
  period,
  share,
  wholeNumber,
} from './checks';
import type { TripConfig, WindowConfig } from './config-types';
import type { TripPolicy, WindowOptions } from './types';
import { unreachable } from './unreachable';

const windowKinds = ['time', 'count', 'hybrid'] as const;
const tripKinds = ['consecutive', 'count', 'ratio', 'mixed', 'slow', 'refused'] as const;
const MAX_BUCKETS = 1_000;
const MAX_SIZE = 1_000_000;
/** Which policies hold is kept as bits of one number. */
const MAX_POLICIES = 30;
/** A window entry is one byte: a failure bit, a mark and one bit per latency threshold. */
const MAX_SLOW_LIMITS = 6;

export function windowConfig(options: WindowOptions | undefined): WindowConfig {
  const window = options ?? { kind: 'time', durationMs: 10_000, buckets: 10 };
  const size = { ...atLeastOne, max: MAX_SIZE };
  checkChoice('window.kind', window.kind, windowKinds);
  switch (window.kind) {
    case 'time':
      checkKeys('window', window, ['kind', 'durationMs', 'buckets']);
      return {
        kind: 'time',
        durationMs: checkNumber('window.durationMs', window.durationMs, period),
        buckets: checkNumber('window.buckets', window.buckets ?? 10, {
          ...atLeastOne,
          max: MAX_BUCKETS,
        }),
      };
    case 'count':
      checkKeys('window', window, ['kind', 'size']);
      return { kind: 'count', size: checkNumber('window.size', window.size, size) };
    case 'hybrid':
      checkKeys('window', window, ['kind', 'size', 'durationMs']);
      return {
        kind: 'hybrid',
        size: checkNumber('window.size', window.size, size),
        durationMs: checkNumber('window.durationMs', window.durationMs, period),
      };
    default:
      return unreachable(window);
  }
}

export function tripConfig(
  options: readonly TripPolicy[] | undefined,
  window: WindowConfig,
  failureLumpMs: number,
): readonly TripConfig[] {
  const policies = options ?? [{ kind: 'ratio', rate: 0.5, minimumCalls: 20 }];
  if (!Array.isArray(policies) || policies.length === 0 || policies.length > MAX_POLICIES) {
    throw new BreakerOptionError('trip', policies, `a list of 1 to ${MAX_POLICIES} policies`);
  }
  const config = policies.map((policy, i) =>
    policyConfig(`trip[${i}]`, policy, window, mostFailures(window, failureLumpMs)),
  );
  const limits = new Set(
    config.flatMap((policy) => (policy.kind === 'slow' ? [policy.slowMs] : [])),
  );
  if (limits.size >= MAX_SLOW_LIMITS) {
    throw new BreakerOptionError(
      'trip',
      [...limits],
      `fewer than ${MAX_SLOW_LIMITS} different slowMs`,
    );
  }
  return config;
}

/** How many failures the window can hold when those that come together are one. */
function mostFailures(window: WindowConfig, failureLumpMs: number): number {
  const size = window.kind === 'time' ? MAX_SIZE : window.size;
  if (window.kind === 'count') return size;
  return Math.min(size, Math.floor(window.durationMs / failureLumpMs) + 1);
}

function policyConfig(
  name: string,
  policy: TripPolicy,
  window: WindowConfig,
  mostFailed: number,
): TripConfig {
  checkChoice(`${name}.kind`, policy?.kind, tripKinds);
  const capacity = window.kind === 'time' ? MAX_SIZE : window.size;
  const failures = (got: number, max?: number) =>
    checkNumber(`${name}.failures`, got, max === undefined ? atLeastOne : { ...atLeastOne, max });
  const rate = (got: number) => checkNumber(`${name}.rate`, got, share);
  // More than the window can hold would never be reached.
  const minimum = (got: number, max = capacity) =>
    checkNumber(`${name}.minimumCalls`, got, { ...wholeNumber, max });
  switch (policy.kind) {
    case 'consecutive':
    case 'refused':
      checkKeys(name, policy, ['kind', 'failures']);
      return { kind: policy.kind, failures: failures(policy.failures) };
    case 'count':
      checkKeys(name, policy, ['kind', 'failures']);
      return { kind: 'count', failures: failures(policy.failures, mostFailed) };
    case 'ratio':
      checkKeys(name, policy, ['kind', 'rate', 'minimumCalls']);
      return { kind: 'ratio', rate: rate(policy.rate), minimumCalls: minimum(policy.minimumCalls) };
    case 'mixed':
      checkKeys(name, policy, ['kind', 'failures', 'rate', 'minimumCalls']);
      return {
        kind: 'mixed',
        failures: failures(policy.failures, mostFailed),
        rate: rate(policy.rate),
        minimumCalls: minimum(policy.minimumCalls),
      };
    case 'slow': {
      checkKeys(name, policy, ['kind', 'slowMs', 'rate', 'minimumCalls', 'pending']);
      const pending = checkFlag(`${name}.pending`, policy.pending ?? false);
      return {
        kind: 'slow',
        slowMs: checkNumber(`${name}.slowMs`, policy.slowMs, duration),
        rate: rate(policy.rate),
        minimumCalls: minimum(policy.minimumCalls, pending ? MAX_SIZE : capacity),
        pending,
      };
    }
    default:
      return unreachable(policy);
  }
}
