/** Bodies of `/api`, one schema each; the OpenAPI document is made from these. */
import { z } from 'zod';
import { commandKind } from './breaker-state';
import { MAX_DELIVER_WITHIN_MS, MAX_LEASE_MS, MIN_LEASE_MS, reason } from './commands';
import { freeText, name } from './primitives';
import {
  auditRow,
  breakerConfigView,
  breakerInstanceView,
  breakerView,
  gapSpan,
  historyEvent,
  instanceView,
  overrideView,
  probePoint,
  seriesPoint,
  targetPoint,
  serviceView,
  tokenView,
} from './views';

export const errorCodes = [
  'invalid_input',
  'not_found',
  /** No session, or one that has ended: sign in. */
  'not_signed_in',
  'not_allowed',
  /** A fresh factor is needed; `details.factors` says which ones count. */
  'step_up_needed',
  /** A second person has to agree. */
  'approval_needed',
  'conflict',
  'too_large',
  'unsupported_media_type',
  /** Too often; `Retry-After` says when to come back. */
  'too_many',
  'not_ready',
  'read_only',
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

export const errorBody = z.object({
  error: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    /** Named in the log, so that a report can be found. */
    requestId: z.string().optional(),
    details: z.record(z.string(), z.json()).optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;

export const fleetBody = z.object({
  serverEpoch: z.string(),
  revision: z.int(),
  now: z.number(),
  breakers: z.array(breakerView),
  services: z.array(serviceView),
  overrides: z.array(overrideView),
});
export type FleetBody = z.infer<typeof fleetBody>;

export const breakerBody = z.object({
  now: z.number(),
  breaker: breakerView,
  instances: z.array(breakerInstanceView),
  configs: z.array(breakerConfigView),
  overrides: z.array(overrideView),
});
export type BreakerBody = z.infer<typeof breakerBody>;

/** `before` is the cursor `next` of the page before; `types` a comma list. Newest first. */
export const historyQuery = z.object({
  before: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
  instance: z.string().max(64).optional(),
  types: z.string().max(200).optional(),
});
export type HistoryQuery = z.infer<typeof historyQuery>;

export const historyBody = z.object({
  events: z.array(historyEvent),
  next: z.string().nullable(),
});
export type HistoryBody = z.infer<typeof historyBody>;

export const seriesQuery = z.object({
  from: z.coerce.number(),
  to: z.coerce.number(),
  instance: z.string().max(64).optional(),
  /** At most this many buckets; the server picks 1, 2, 5, 10, 30, 60 … s to fit. */
  points: z.coerce.number().int().min(10).max(1000).default(600),
});
export type SeriesQuery = z.infer<typeof seriesQuery>;

export const seriesBody = z.object({
  now: z.number(),
  from: z.number(),
  to: z.number(),
  resolutionMs: z.int(),
  points: z.array(seriesPoint),
  /** At most 1,000: every failure, then an even pick of the successes; `probesLeftOut` says how many. */
  probes: z.array(probePoint),
  probesLeftOut: z.int(),
  /** Transitions, steps, holds, releases, overrides in the range, and the last one of each instance before it. */
  events: z.array(historyEvent),
  eventsLeftOut: z.int(),
  gaps: z.array(gapSpan),
});
export type SeriesBody = z.infer<typeof seriesBody>;

export const targetSeriesQuery = z.object({
  target: name,
  /** Left out: in every environment. */
  environment: name.optional(),
  from: z.coerce.number(),
  to: z.coerce.number(),
  points: z.coerce.number().int().min(10).max(1000).default(300),
});
export type TargetSeriesQuery = z.infer<typeof targetSeriesQuery>;

export const targetSeriesBody = z.object({
  now: z.number(),
  from: z.number(),
  to: z.number(),
  resolutionMs: z.int(),
  points: z.array(targetPoint),
  /** Breakers that the sums are of. */
  breakers: z.int(),
  /** Breakers that were left out because there was too much to read; 0 is the rule. */
  breakersLeftOut: z.int(),
});
export type TargetSeriesBody = z.infer<typeof targetSeriesBody>;

export const servicesBody = z.object({ now: z.number(), services: z.array(serviceView) });
export const serviceBody = z.object({
  now: z.number(),
  service: serviceView,
  instances: z.array(instanceView),
});
export type ServiceBody = z.infer<typeof serviceBody>;

/** `breakersGone`: ids of the logical breakers that no other instance has. */
export const removedInstanceBody = z.object({
  instanceId: z.string(),
  instance: z.string(),
  serviceId: z.string(),
  breakersGone: z.array(z.string()),
});

export const issueOverrideBody = z.strictObject({
  breakerId: z.string().min(1).max(64),
  kind: commandKind,
  reason,
  leaseMs: z.int().min(MIN_LEASE_MS).max(MAX_LEASE_MS).optional(),
  deliverWithinMs: z.int().min(1_000).max(MAX_DELIVER_WITHIN_MS).optional(),
  /** Instance ids; left out means every instance that is known now. */
  instances: z.array(z.string().max(64)).min(1).max(2000).optional(),
  /** The generation that the person saw; another one means somebody acted in between. */
  expectedGeneration: z.int().min(0),
  previewDigest: z.string().max(64).optional(),
  stepUpId: z.string().max(64).optional(),
  idempotencyKey: z.string().min(8).max(64),
});
export type IssueOverrideBody = z.infer<typeof issueOverrideBody>;

export const releaseOverrideBody = z.strictObject({
  reason: freeText.optional(),
});
export type ReleaseOverrideBody = z.infer<typeof releaseOverrideBody>;

export const overrideBody = z.object({ override: overrideView });
export const overridesBody = z.object({ now: z.number(), overrides: z.array(overrideView) });

/** What an override of this kind would hit now, counted by the server. */
export const impactBody = z.object({
  now: z.number(),
  breaker: breakerView,
  kind: commandKind,
  instances: z.object({ live: z.int(), stale: z.int(), offline: z.int() }),
  callsPerSecond: z.number(),
  failureShare: z.number().nullable(),
  /** Instances whose own policy will refuse, with their reason. */
  willRefuse: z.array(z.object({ instanceId: z.string(), instance: z.string(), why: z.string() })),
  activeOverrides: z.array(overrideView),
  generation: z.int(),
});
export type ImpactBody = z.infer<typeof impactBody>;

export const createTokenBody = z.strictObject({
  name,
  /** Exact service name, or a prefix with a trailing `*`. */
  servicePattern: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[^*]*\*?$/, 'a * is allowed at the end only'),
  environment: name,
  abilities: z
    .array(z.enum(['publish', 'obey']))
    .min(1)
    .default(['publish', 'obey']),
  expiresInDays: z.int().min(1).max(365).default(90),
});
export type CreateTokenBody = z.infer<typeof createTokenBody>;

/** The only time the token itself is shown. */
export const createdTokenBody = z.object({ token: z.string(), view: tokenView });
export const tokensBody = z.object({ now: z.number(), tokens: z.array(tokenView) });

export { auditQuery } from './audit';
export const auditBody = z.object({ rows: z.array(auditRow), next: z.int().nullable() });

export const healthBody = z.object({
  status: z.enum(['ready', 'starting', 'degraded']),
  reason: z.string().optional(),
  /** Of the second audit sink, where there is one: the age of the oldest row that is not there, ms. */
  auditSink: z.object({ state: z.enum(['ok', 'failing']), lagMs: z.number() }).optional(),
});
