/**
 * What a browser or a script reads. Every instant is epoch milliseconds on the server's clock,
 * every share and rate a fraction, every latency milliseconds.
 */
import { z } from 'zod';
import { acceptsPolicy, deliveryAnswers } from './agent-frames';
import { automaticState, breakerState, commandKind } from './breaker-state';
import { releaseOutcome } from './commands';
import { configObject } from './events';
import { findingKind } from './findings';

export const livenessStates = ['live', 'stale', 'offline'] as const;
/** live: heard within 45 s; stale: within 5 min; offline after, or after a goodbye. */
export const liveness = z.enum(livenessStates);
export type Liveness = z.infer<typeof liveness>;

const at = z.number();
const id = z.string();

const instanceCounts = z.object({
  total: z.int(),
  live: z.int(),
  stale: z.int(),
  offline: z.int(),
});
export type InstanceCounts = z.infer<typeof instanceCounts>;

const overrideMark = z.object({
  id,
  kind: commandKind,
  actor: z.string(),
  endsAt: at,
});

/** One logical breaker: (environment, service, name), rolled up over its instances. */
export const breakerView = z.object({
  id,
  environment: z.string(),
  service: z.string(),
  serviceId: id,
  name: z.string(),
  target: z.string(),
  /** Worst effective state of the live instances; of the last known ones when none is live. */
  state: breakerState,
  /** Live instances by effective state; states with none are left out. */
  states: z.partialRecord(breakerState, z.int()),
  instances: instanceCounts,
  /** When `state` last changed; null when it has not since the breaker was first seen. */
  since: at.nullable(),
  /** The recovering instance that is least far. */
  ramp: z.object({ step: z.int(), steps: z.int(), share: z.number() }).nullable(),
  hold: z.boolean(),
  level: z.int(),
  openTimeoutMs: z.number().nullable(),
  /** The soonest next probe among open instances; in the past means: eligible, nobody called. */
  retryAt: at.nullable(),
  callsPerSecond: z.number(),
  refusedPerSecond: z.number(),
  /** Failures over counted calls of the last ten seconds; null without calls. */
  failureShare: z.number().nullable(),
  /** Failure share at which it trips, when a ratio policy is set. */
  failureThreshold: z.number().nullable(),
  latencyP95Ms: z.number().nullable(),
  baselineP95Ms: z.number().nullable(),
  /** The operator's override that is wanted now, applied or not. */
  override: overrideMark.nullable(),
  /** When the last instance lets go of the forced state by itself; null without an end or a force. */
  forcedUntil: at.nullable(),
  /** Held closed or only watching: whether it would be open now. Null where nobody can know. */
  wouldBeOpen: z.boolean().nullable(),
  /** Grows with each override; sent back as `expectedGeneration`. */
  generation: z.int(),
  configDrift: z.boolean(),
  /** Kinds of the findings of the last hour, worst first. */
  findings: z.array(findingKind).optional(),
  /** When an instance last reported anything about it. */
  asOf: at,
  /** Five minutes in 5 s buckets, oldest first: (failures + refused) / (calls + refused); null is no data. */
  spark: z.array(z.number().nullable()),
  sparkEndsAt: at,
});
export type BreakerView = z.infer<typeof breakerView>;

/** What one instance says about one breaker. */
export const breakerInstanceView = z.object({
  breakerId: id,
  instanceId: id,
  instance: z.string(),
  host: z.string().nullable(),
  liveness,
  state: breakerState,
  automatic: automaticState,
  step: z.int().nullable(),
  steps: z.int(),
  share: z.number(),
  hold: z.boolean(),
  level: z.int(),
  retryAt: at.nullable(),
  openTimeoutMs: z.number().nullable(),
  inFlight: z.int(),
  /** The override that the instance itself reports. */
  override: z.object({ id, kind: z.string(), endsAt: at.nullable() }).nullable(),
  since: at.nullable(),
  asOf: at,
  callsPerSecond: z.number(),
  refusedPerSecond: z.number(),
  failureShare: z.number().nullable(),
  latencyP95Ms: z.number().nullable(),
  configHash: z.string(),
});
export type BreakerInstanceView = z.infer<typeof breakerInstanceView>;

export const serviceView = z.object({
  id,
  environment: z.string(),
  name: z.string(),
  /** Who answers for it, as its agents say; null when none of them does. */
  owner: z.string().nullable(),
  instances: instanceCounts,
  breakers: z.int(),
  /** Open or recovering logical breakers. */
  troubled: z.int(),
  firstSeenAt: at,
});
export type ServiceView = z.infer<typeof serviceView>;

export const instanceView = z.object({
  id,
  serviceId: id,
  instance: z.string(),
  host: z.string().nullable(),
  pid: z.int().nullable(),
  replica: z.string().nullable(),
  version: z.string().nullable(),
  sdk: z.string(),
  liveness,
  connected: z.boolean(),
  startedAt: at,
  lastSeenAt: at,
  /** Agent wall clock minus server clock; null until measured. */
  clockOffsetMs: z.number().nullable(),
  droppedEvents: z.int(),
  droppedSamples: z.int(),
  duplicates: z.int(),
  tokenName: z.string().nullable(),
  accepts: acceptsPolicy,
  /** Another live connection claims the same instance with another epoch. */
  duplicateIdentity: z.boolean(),
});
export type InstanceView = z.infer<typeof instanceView>;

/** The fate of an override at one instance. */
export const deliveryStates = [
  'queued',
  'sent',
  ...deliveryAnswers,
  'unknown',
  'applied_late',
] as const;
export const deliveryState = z.enum(deliveryStates);
export type DeliveryState = z.infer<typeof deliveryState>;

export const overrideTargetView = z.object({
  instanceId: id,
  instance: z.string(),
  liveness,
  delivery: deliveryState,
  reason: z.string().nullable(),
  /** What the instance itself reports now, so that words and facts can be compared. */
  reportedState: breakerState.nullable(),
  updatedAt: at,
  /** Below the override's own: the instance has not taken the changed lease yet. */
  leaseRevision: z.int(),
  /** Set where it was let go before the override itself ended, and what was seen of it since. */
  releasedAt: at.nullable(),
  releaseOutcome: releaseOutcome.nullable(),
});
export type OverrideTargetView = z.infer<typeof overrideTargetView>;

export const overrideEndReasons = [
  'lease',
  'released',
  'superseded',
  'undeliverable',
  'restarts',
  'done',
] as const;
export type OverrideEndReason = (typeof overrideEndReasons)[number];

export const overrideView = z.object({
  id,
  breakerId: id,
  environment: z.string(),
  service: z.string(),
  breaker: z.string(),
  kind: commandKind,
  generation: z.int(),
  reason: z.string(),
  actor: z.string(),
  createdAt: at,
  deliverBy: at,
  leaseMs: z.number(),
  endsAt: at,
  endedAt: at.nullable(),
  endReason: z.enum(overrideEndReasons).nullable(),
  endedBy: z.string().nullable(),
  /** The command that it is a part of. */
  commandId: id.nullable(),
  /** Instances that register during the lease get it as well. */
  includeNew: z.boolean(),
  /** Grows with each change of the lease. */
  leaseRevision: z.int(),
  targets: z.array(overrideTargetView),
});
export type OverrideView = z.infer<typeof overrideView>;

/** One stored event of a breaker, newest first in lists. */
export const historyEvent = z.object({
  id: z.int(),
  breakerId: id.nullable(),
  instanceId: id,
  instance: z.string(),
  type: z.string(),
  /** Agent time corrected by the measured offset, never after `receivedAt`. */
  at,
  agentAt: at,
  receivedAt: at,
  run: z.string(),
  seq: z.int(),
  data: z.record(z.string(), z.json()),
});
export type HistoryEvent = z.infer<typeof historyEvent>;

/** All instances (or the chosen one) over one bucket that starts at `at`. */
export const seriesPoint = z.object({
  at,
  /** Instances that reported in this bucket. */
  instances: z.int(),
  /** Mean share of traffic that the reporting instances allowed. */
  share: z.number(),
  /** Highest ramp step among them, null when none was half-open. */
  step: z.int().nullable(),
  admitted: z.int(),
  refused: z.int(),
  successes: z.int(),
  failures: z.int(),
  slow: z.int(),
  inFlight: z.int(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
  latencySamples: z.int(),
  baselineP50Ms: z.number().nullable(),
  baselineP90Ms: z.number().nullable(),
  baselineP95Ms: z.number().nullable(),
  baselineP99Ms: z.number().nullable(),
});
export type SeriesPoint = z.infer<typeof seriesPoint>;

/** Calls of all breakers to one target over one bucket that starts at `at`. */
export const targetPoint = z.object({
  at,
  /** Let through by instances that were recovering: the sum of all ramps. */
  ramping: z.int(),
  /** Let through by all others. */
  steady: z.int(),
  refused: z.int(),
  failures: z.int(),
  /** Instances that were recovering. */
  probing: z.int(),
});
export type TargetPoint = z.infer<typeof targetPoint>;

export const probePoint = z.object({
  id: z.int(),
  at,
  instanceId: id,
  step: z.int(),
  outcome: z.string(),
  latencyMs: z.number(),
  idempotent: z.boolean(),
});
export type ProbePoint = z.infer<typeof probePoint>;

/** A span in which something is known to be missing. */
export const gapSpan = z.object({
  from: at,
  to: at,
  instanceId: id,
  reason: z.string(),
  events: z.int(),
});
export type GapSpan = z.infer<typeof gapSpan>;

export const breakerConfigView = z.object({
  configHash: z.string(),
  config: configObject,
  instanceIds: z.array(id),
});
export type BreakerConfigView = z.infer<typeof breakerConfigView>;

export const tokenView = z.object({
  id,
  name: z.string(),
  servicePattern: z.string(),
  environment: z.string(),
  abilities: z.array(z.enum(['publish', 'obey'])),
  hint: z.string(),
  createdAt: at,
  expiresAt: at,
  lastUsedAt: at.nullable(),
  revokedAt: at.nullable(),
});
export type TokenView = z.infer<typeof tokenView>;

/** Who did something: the person, token or part of the console, and where it came from. */
export const who = z.object({
  kind: z.enum(['user', 'api_token', 'local', 'system', 'anonymous']),
  id: z.string(),
  name: z.string(),
  session: z.string().nullable(),
  factors: z.array(z.string()),
  /** The role that allowed it. */
  role: z.string().nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
});
export type Who = z.infer<typeof who>;

export const auditRow = z.object({
  id: z.int(),
  at,
  actor: z.string(),
  /** Null for what the console or an instance did by itself. */
  who: who.nullable(),
  action: z.string(),
  subject: z.string(),
  outcome: z.enum(['done', 'refused', 'failed']),
  details: z.record(z.string(), z.json()),
  /** Null in a row from before the chain began. */
  hash: z.string().nullable(),
  previousHash: z.string().nullable(),
});
export type AuditRow = z.infer<typeof auditRow>;
