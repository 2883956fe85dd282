import { z } from 'zod';
import { outcomes, transitionCauses } from '../breaker/types';
import { automaticState, breakerState, reportedOverride } from './breaker-state';
import {
  configHash,
  count,
  durationMs,
  epochMs,
  fraction,
  freeText,
  name,
  seq,
} from './primitives';

const stamped = { seq, at: epochMs, mono: durationMs, breaker: name };

/** Numbers behind a trip or a fallback, as far as they apply. */
const trigger = {
  reason: freeText,
  calls: count.optional(),
  failures: count.optional(),
  slow: count.optional(),
  rate: fraction.optional(),
  threshold: fraction.optional(),
  step: count.nullable().optional(),
  share: fraction.optional(),
  openTimeoutMs: durationMs.optional(),
  retryInMs: durationMs.optional(),
  level: count.optional(),
  breakerEpoch: count,
};

const change = {
  from: breakerState,
  to: breakerState,
  automatic: automaticState,
  cause: z.enum(transitionCauses),
  overrideId: z.string().max(64).optional(),
  actor: z.string().max(128).optional(),
  ...trigger,
};

/** Plain JSON of any shape up to a small depth: the complete effective options of a breaker. */
export const configObject = z.record(z.string().max(64), z.json());

const registered = z.object({
  type: z.literal('registered'),
  ...stamped,
  target: name,
  config: configObject,
  configHash,
});

const transition = z.object({ type: z.literal('transition'), ...stamped, ...change });

/** The ramp moved to `step`; the counts and `tookMs` belong to the step that ended. */
const step = z.object({
  type: z.literal('step'),
  ...stamped,
  step: count,
  share: fraction,
  successes: count,
  failures: count,
  tookMs: durationMs,
  breakerEpoch: count,
});

const verdict = {
  ...stamped,
  step: count.nullable().optional(),
  quantile: fraction.optional(),
  samples: count.optional(),
  valueMs: durationMs.optional(),
  baselineMs: durationMs.optional(),
  cause: freeText,
};
const hold = z.object({ type: z.literal('hold'), ...verdict });
const release = z.object({ type: z.literal('release'), ...verdict });

const starved = z.object({ type: z.literal('starved'), ...stamped, step: count.nullable() });
const wouldTrip = z.object({ type: z.literal('would_trip'), ...stamped, ...trigger });
const wouldRecover = z.object({ type: z.literal('would_recover'), ...stamped, ...trigger });

const overrideEnded = z.object({
  type: z.literal('override_ended'),
  ...stamped,
  override: reportedOverride,
  reason: z.enum(['lease', 'released', 'superseded', 'contact_lost', 'local']),
});

/**
 * Stands in place of `fromSeq..toSeq`, which the agent no longer holds. It has no seq of its own,
 * is sent before anything newer, and moves the acknowledged seq to `toSeq`.
 */
const gap = z
  .object({
    type: z.literal('gap'),
    at: epochMs,
    mono: durationMs,
    fromSeq: seq,
    toSeq: seq,
    counts: z.record(z.string().max(64), count),
    reason: freeText,
  })
  .refine((value) => value.toSeq >= value.fromSeq, 'toSeq must not be below fromSeq');

export const agentEvent = z.discriminatedUnion('type', [
  registered,
  transition,
  step,
  hold,
  release,
  starved,
  wouldTrip,
  wouldRecover,
  overrideEnded,
  gap,
]);
export type AgentEvent = z.infer<typeof agentEvent>;
export type NumberedEvent = Exclude<AgentEvent, { type: 'gap' }>;
export type GapEvent = Extract<AgentEvent, { type: 'gap' }>;
export type TransitionEvent = Extract<AgentEvent, { type: 'transition' }>;

const probe = z.object({
  type: z.literal('probe'),
  seq,
  at: epochMs,
  mono: durationMs,
  breaker: name,
  step: count,
  outcome: z.enum(outcomes),
  latencyMs: durationMs,
  idempotent: z.boolean(),
  inFlight: count,
});
export type ProbeReport = z.infer<typeof probe>;

export { probe as probeReport };
