import { z } from 'zod';
import { rollbackAlarm } from './audit';
import { commandKind, reportedState } from './breaker-state';
import { agentEvent } from './events';
import {
  clockReading,
  count,
  durationMs,
  epochId,
  epochMs,
  freeText,
  label,
  name,
  seq,
} from './primitives';
import { sampleItem } from './samples';
import { LIMITS } from './version';

/** What the local policy of the service lets the console do. */
export const acceptsPolicy = z.object({
  kinds: z.array(commandKind).max(3),
  maxLeaseMs: durationMs,
});
export type AcceptsPolicy = z.infer<typeof acceptsPolicy>;

const hello = z.object({
  type: z.literal('hello'),
  protocol: z.int(),
  sdk: z.object({ name: label, version: label }),
  service: name,
  environment: name,
  instance: name,
  epoch: epochId,
  host: label.optional(),
  pid: count.optional(),
  replica: label.optional(),
  version: label.optional(),
  /** Who answers for the service; the last word counts, silence changes nothing. */
  owner: label.optional(),
  startedAt: epochMs,
  accepts: acceptsPolicy,
  /** Oldest event still held, and the number the next new one will get. */
  firstSeq: seq,
  nextSeq: seq,
  clock: clockReading,
  requires: z.array(label).max(16).optional(),
  /** Asks for signed commands: 128 random bits of this connection, which the signature covers. */
  nonce: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
});
export type Hello = z.infer<typeof hello>;

const events = z.object({
  type: z.literal('events'),
  events: z.array(agentEvent).min(1).max(LIMITS.maxEvents),
});

/** Frames of at most 64 KiB are held until the set is whole; more than this is nobody's state. */
const MAX_STATE_PARTS = 32;

const state = z.object({
  type: z.literal('state'),
  /** SHA-256 over the canonical non-volatile states of all breakers, in hex. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  breakers: z.array(reportedState).max(200).optional(),
  part: z.int().min(1).max(MAX_STATE_PARTS).optional(),
  parts: z.int().min(1).max(MAX_STATE_PARTS).optional(),
});
export type StateFrame = z.infer<typeof state>;

const samples = z.object({
  type: z.literal('samples'),
  samples: z.array(sampleItem).min(1).max(LIMITS.maxSamples),
  /** Items the agent dropped from the samples ring since its last frame. */
  dropped: count.optional(),
});

export const deliveryAnswers = ['applied', 'rejected', 'expired', 'superseded'] as const;

const applied = z.object({
  type: z.literal('applied'),
  revision: count,
  results: z
    .array(
      z.object({
        overrideId: z.string().min(1).max(64),
        breaker: name,
        outcome: z.enum(deliveryAnswers),
        reason: freeText.optional(),
        /** False when the same entry may be accepted later, as for a breaker not created yet; true when left out. */
        final: z.boolean().optional(),
        /** The lease that the instance counts by; 0 when left out. */
        leaseRevision: count.optional(),
      }),
    )
    .max(1000),
});
export type AppliedFrame = z.infer<typeof applied>;

const pong = z.object({ type: z.literal('pong'), id: count, clock: clockReading });
const goodbye = z.object({ type: z.literal('goodbye'), reason: freeText });

export const agentFrame = z.discriminatedUnion('type', [
  hello,
  events,
  state,
  samples,
  applied,
  pong,
  goodbye,
  rollbackAlarm,
]);
export type AgentFrame = z.infer<typeof agentFrame>;
