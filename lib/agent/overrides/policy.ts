import type { CommandKind } from '../../protocol/breaker-state';

/** What the service lets the console do to it. */
export type LocalPolicy = {
  readonly kinds: readonly CommandKind[];
  /** Longest lease that is accepted. */
  readonly maxLeaseMs: number;
};

export const DEFAULT_KINDS: readonly CommandKind[] = ['force_open', 'reset'];
export const MAX_LEASE_MS = 4 * 60 * 60_000;
/** A breaker that is held closed protects nothing, so it may be held only this long. */
export const MAX_FORCE_CLOSED_MS = 30 * 60_000;
/** Without a word from the server for this long, a breaker held closed protects again. */
export const CONTACT_LOSS_MS = 120_000;

export function longestLease(kind: CommandKind, policy: LocalPolicy): number {
  return kind === 'force_closed'
    ? Math.min(policy.maxLeaseMs, MAX_FORCE_CLOSED_MS)
    : policy.maxLeaseMs;
}
