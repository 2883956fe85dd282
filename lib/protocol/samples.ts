import { z } from 'zod';
import { breakerState } from './breaker-state';
import { probeReport } from './events';
import { count, durationMs, epochMs, fraction, histogram, name, seq } from './primitives';

/** Calls of one kind, so that operations that share a breaker can be told apart. */
export const callGroup = z.object({
  name,
  calls: count,
  failures: count,
  /** Sum of the latencies of its successes and timeouts. */
  totalMs: durationMs,
});
export type CallGroup = z.infer<typeof callGroup>;

/** What an agent calls them when it only knows whether a call may be repeated. */
export const CALL_GROUPS = {
  idempotent: 'calls that may be repeated',
  other: 'other calls',
} as const;

const MAX_CALL_GROUPS = 8;

export const callCounts = z.object({
  success: count,
  client_error: count,
  timeout: count,
  server_error: count,
  overload: count,
  refused: count,
  rejected_local: count,
  cancelled: count,
  ignored: count,
  /** Calls the breaker itself turned away. */
  not_permitted: count,
});
export type CallCounts = z.infer<typeof callCounts>;

/** One breaker of one instance over `periodMs` that ended at `at`; sent only when not idle. */
const sample = z.object({
  type: z.literal('sample'),
  seq,
  at: epochMs,
  mono: durationMs,
  breaker: name,
  periodMs: durationMs,
  state: breakerState,
  step: count.nullable(),
  share: fraction,
  calls: callCounts,
  slow: count,
  late: count,
  expired: count,
  inFlight: count,
  latency: histogram,
  baseline: z
    .object({
      p50: durationMs,
      p90: durationMs,
      p95: durationMs,
      p99: durationMs,
      samples: count,
    })
    .optional(),
  /** Probes of this period beyond the 50 a second that are reported one by one. */
  probesNotSent: count.optional(),
  /** The calls by kind when there is more than one; kept in memory for the diagnosis, not stored. */
  groups: z.array(callGroup).max(MAX_CALL_GROUPS).optional(),
  /** How many one-second samples the agent merged into this one. */
  merged: z.int().min(1).optional(),
});
export type Sample = z.infer<typeof sample>;

export const sampleItem = z.discriminatedUnion('type', [sample, probeReport]);
export type SampleItem = z.infer<typeof sampleItem>;
