import type { OpenConfig } from './config-types';
import { unreachable } from './unreachable';

const MAX_EXPONENT = 30;

/** The delay before jitter. It never falls while the level rises. */
export function plainDelay(open: OpenConfig, level: number, outageMs: number | null): number {
  switch (open.kind) {
    case 'fixed':
      return open.baseMs;
    case 'exponential':
      return Math.min(open.maxMs, open.baseMs * open.multiplier ** Math.min(level, MAX_EXPONENT));
    case 'adaptive': {
      const learned = outageMs === null ? open.baseMs : open.factor * outageMs;
      return Math.min(open.maxMs, Math.max(open.baseMs, learned));
    }
    default:
      return unreachable(open);
  }
}

/** `random` in [0, 1) picks a place in the band of `jitter` around the delay. */
export function jittered(open: OpenConfig, delayMs: number, random: number): number {
  const spread = delayMs * (1 - open.jitter + 2 * open.jitter * random);
  const max = open.kind === 'fixed' ? Infinity : open.maxMs;
  return Math.min(max, Math.max(open.minMs, spread));
}

/** One level is forgotten per `decayEveryMs` of uninterrupted closed time. */
export function decayedLevel(open: OpenConfig, level: number, closedForMs: number): number {
  return Math.max(0, level - Math.floor(Math.max(0, closedForMs) / open.decayEveryMs));
}
