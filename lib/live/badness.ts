import type { BreakerState } from '../breaker/types';

/**
 * Worst first. Forced closed leads because calls then reach a target that may be failing with
 * nothing to stop them; the rest follows how much traffic is refused.
 */
const WORST_FIRST = [
  'forced_closed',
  'forced_open',
  'open',
  'half_open',
  'metrics_only',
  'disabled',
  'closed',
] as const satisfies readonly BreakerState[];

/** `closed` when there is none. */
export function worstState(states: ReadonlySet<BreakerState>): BreakerState {
  return WORST_FIRST.find((state) => states.has(state)) ?? 'closed';
}

/** Open or on the way back: what a service counts as troubled. */
export function isTroubled(state: BreakerState): boolean {
  return state === 'open' || state === 'half_open' || state === 'forced_open';
}
