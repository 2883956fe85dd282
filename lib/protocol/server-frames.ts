import { z } from 'zod';
import { checkpointFrame } from './audit';
import { commandKind } from './breaker-state';
import { clockReading, count, durationMs, epochId, freeText, name, seq } from './primitives';

const welcome = z.object({
  type: z.literal('welcome'),
  serverEpoch: z.string().min(1).max(64),
  clock: clockReading,
  /** Highest contiguous seq stored for this epoch, 0 when none. */
  ackedSeq: count,
  samplesSeq: count,
  heartbeatMs: durationMs,
  limits: z.object({ maxFrameBytes: count, maxEvents: count, maxSamples: count, window: count }),
  requires: z.array(z.string()).optional(),
});
export type Welcome = z.infer<typeof welcome>;

/** Sent only after the commit. Frees one credit for each events or samples frame it answers. */
const ack = z.object({
  type: z.literal('ack'),
  epoch: epochId,
  seq: count,
  accepted: count,
  duplicate: count,
  samplesSeq: count,
  /** How many events and samples frames this answers. */
  frames: z.int().min(1),
});
export type Ack = z.infer<typeof ack>;

const resend = z.object({ type: z.literal('resend'), from: seq });
const needState = z.object({ type: z.literal('need_state') });

export const desiredOverride = z.object({
  id: z.string().min(1).max(64),
  breaker: name,
  kind: commandKind,
  generation: z.int().min(1),
  /** Time left in which it may still be applied for the first time. */
  deliverWithinMs: durationMs,
  /** Time left until the lease ends; 0 for `reset`. */
  remainingMs: durationMs,
  /** Grows when the lease of the same id and generation was made longer or shorter; 0 when left out. */
  leaseRevision: count.optional(),
  reason: freeText,
  actor: freeText,
  scope: freeText,
});
export type DesiredOverride = z.infer<typeof desiredOverride>;

/** [S-09] Ed25519, base64, over `desiredText`; the key in SPKI, base64, and its SHA-256 as its id. */
export const commandProof = z.object({
  keyId: z.string().regex(/^[0-9a-f]{64}$/),
  publicKey: z.string().max(128),
  number: z.int().min(1),
  signature: z.string().max(128),
});

/** The whole set for this instance, each time. What is missing from it ends. */
const desired = z.object({
  type: z.literal('desired'),
  revision: count,
  overrides: z.array(desiredOverride).max(1000),
  part: z.int().min(1).optional(),
  parts: z.int().min(1).optional(),
  /** For an agent whose `hello` has a nonce. */
  proof: commandProof.optional(),
});
export type Desired = z.infer<typeof desired>;

const ping = z.object({ type: z.literal('ping'), id: count, clock: clockReading });

const error = z.object({
  type: z.literal('error'),
  code: z.string().min(1).max(64),
  message: z.string().max(2000),
  seq: seq.optional(),
  /** A permanent error is not retried. */
  permanent: z.boolean(),
});

const restarting = z.object({ type: z.literal('restarting'), retryAfterMs: durationMs });
/** Reserved in version 1: ask the agent to send less for a while. */
const slowDown = z.object({ type: z.literal('slow_down'), forMs: durationMs });

export const serverFrame = z.discriminatedUnion('type', [
  welcome,
  ack,
  resend,
  needState,
  desired,
  ping,
  error,
  restarting,
  slowDown,
  checkpointFrame,
]);
export type ServerFrame = z.infer<typeof serverFrame>;
