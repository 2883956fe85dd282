import {
  BreakerOptionError,
  checkChoice,
  checkKeys,
  checkNumber,
  duration,
  fraction,
  period,
} from './checks';
import type { OpenConfig } from './config-types';
import type { OpenOptions } from './types';
import { unreachable } from './unreachable';

const openKinds = ['fixed', 'exponential', 'adaptive'] as const;
const common = ['kind', 'baseMs', 'jitter', 'minMs', 'stableForMs', 'decayEveryMs', 'maxHintMs'];

export function openConfig(options: OpenOptions | undefined): OpenConfig {
  const open = options ?? { kind: 'exponential', baseMs: 10_000 };
  checkChoice('open.kind', open.kind, openKinds);
  const baseMs = checkNumber('open.baseMs', open.baseMs, duration);
  const shared = {
    baseMs,
    jitter: checkNumber('open.jitter', open.jitter ?? 0.2, fraction),
    minMs: checkNumber('open.minMs', open.minMs ?? Math.min(1_000, baseMs), duration),
    stableForMs: checkNumber('open.stableForMs', open.stableForMs ?? 60_000, duration),
    decayEveryMs: checkNumber('open.decayEveryMs', open.decayEveryMs ?? 60_000, period),
    maxHintMs: checkNumber('open.maxHintMs', open.maxHintMs ?? 300_000, duration),
  };
  switch (open.kind) {
    case 'fixed':
      checkKeys('open', open, common);
      return { kind: 'fixed', ...shared };
    case 'exponential':
      checkKeys('open', open, [...common, 'multiplier', 'maxMs']);
      return {
        kind: 'exponential',
        ...shared,
        multiplier: checkNumber('open.multiplier', open.multiplier ?? 2, { min: 1 }),
        maxMs: maximum(open.maxMs, baseMs, shared.minMs),
      };
    case 'adaptive':
      checkKeys('open', open, [...common, 'factor', 'maxMs']);
      return {
        kind: 'adaptive',
        ...shared,
        factor: checkNumber('open.factor', open.factor ?? 1.5, period),
        maxMs: maximum(open.maxMs, baseMs, shared.minMs),
      };
    default:
      return unreachable(open);
  }
}

function maximum(got: number | undefined, baseMs: number, minMs: number): number {
  const low = Math.max(baseMs, minMs);
  const maxMs = checkNumber('open.maxMs', got ?? Math.max(60_000, low), duration);
  if (maxMs < low) {
    throw new BreakerOptionError('open.maxMs', got, `at least baseMs and minMs, here ${low}`);
  }
  return maxMs;
}
