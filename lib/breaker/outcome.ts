import type { Outcome } from './types';

/** What an outcome says about the target. `none` says nothing and gives the place back. */
type Weight = 'good' | 'bad' | 'none';

const weights: Readonly<Record<Outcome, Weight>> = {
  success: 'good',
  client_error: 'good',
  timeout: 'bad',
  server_error: 'bad',
  overload: 'bad',
  refused: 'bad',
  rejected_local: 'none',
  cancelled: 'none',
  ignored: 'none',
};

export function weightOf(outcome: Outcome): Weight {
  return weights[outcome];
}

/** A timeout was slow by definition; other failures say nothing of the target's speed. */
export function isSlow(outcome: Outcome, latencyMs: number, slowMs: number): boolean {
  return outcome === 'timeout' || (weights[outcome] !== 'bad' && latencyMs >= slowMs);
}
