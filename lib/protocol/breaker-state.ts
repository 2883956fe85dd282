import { z } from 'zod';
import { automaticStates, breakerStates } from '../breaker/types';
import { configHash, count, durationMs, fraction, name } from './primitives';

export const breakerState = z.enum(breakerStates);
export const automaticState = z.enum(automaticStates);

/** What an operator may ask for. `reset` is one-off; the other two hold until their lease ends. */
export const commandKinds = ['force_open', 'force_closed', 'reset'] as const;
export const commandKind = z.enum(commandKinds);
export type CommandKind = z.infer<typeof commandKind>;

/** The override that an instance says is in force. */
export const reportedOverride = z.object({
  id: z.string().min(1).max(64),
  kind: z.enum(['force_open', 'force_closed', 'metrics_only', 'disabled']),
  remainingMs: durationMs.optional(),
});

/**
 * The full word of one instance about one breaker. Volatile (left out of the digest): `retryInMs`,
 * `inFlight`, and `override.remainingMs`.
 */
export const reportedState = z.object({
  breaker: name,
  target: name,
  state: breakerState,
  automatic: automaticState,
  step: count.nullable(),
  steps: count,
  share: fraction,
  level: count,
  hold: z.boolean().optional(),
  retryInMs: durationMs.optional(),
  openTimeoutMs: durationMs.optional(),
  inFlight: count,
  override: reportedOverride.optional(),
  configHash,
  breakerEpoch: count,
});
export type ReportedState = z.infer<typeof reportedState>;
