/**
 * Commands: what a person asks for over one breaker, chosen instances, a service or a target. Each
 * breaker in it gets an override of its own; the command groups them.
 */
import { z } from 'zod';
import { commandKind } from './breaker-state';
import { freeText, name } from './primitives';

const MINUTE_MS = 60_000;
export const LEASE_PRESETS_MS = [5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);
export const MIN_LEASE_MS = 60_000;
export const MAX_LEASE_MS = 240 * MINUTE_MS;
export const DEFAULT_LEASE_MS = 15 * MINUTE_MS;
export const MAX_FORCE_CLOSED_LEASE_MS = 30 * MINUTE_MS;
export const DEFAULT_DELIVER_WITHIN_MS = 30_000;
export const MAX_DELIVER_WITHIN_MS = 10 * MINUTE_MS;
/** How far ahead a start may lie. */
export const MAX_START_AHEAD_MS = 7 * 24 * 60 * MINUTE_MS;
/** An instance that holds a breaker closed lets go after this long without the console. */
export const CONTACT_LOSS_MS = 120_000;
export const APPROVAL_MS = 10 * MINUTE_MS;
export const BREAK_GLASS_LEASE_MS = 30 * MINUTE_MS;
export const BREAK_GLASS_REASON_MIN = 20;
export const REVIEW_WITHIN_MS = 72 * 60 * MINUTE_MS;

const id = z.string().min(1).max(64);
const at = z.number();

export const reason = freeText.min(10, 'a reason needs at least 10 characters');

export const commandScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('breaker'), breakerId: id }),
  z.strictObject({
    kind: z.literal('instances'),
    breakerId: id,
    instanceIds: z.array(id).min(1).max(2000),
  }),
  /** Every breaker of one service. */
  z.strictObject({ kind: z.literal('service'), serviceId: id }),
  /** Every breaker to one target, in all services of one environment. */
  z.strictObject({ kind: z.literal('target'), environment: name, target: name }),
]);
export type CommandScope = z.infer<typeof commandScope>;

export const commandStatuses = [
  'pending_approval',
  'scheduled',
  'issued',
  'denied',
  'cancelled',
  'expired',
  'failed',
] as const;
export const commandStatus = z.enum(commandStatuses);
export type CommandStatus = z.infer<typeof commandStatus>;

export const riskLevel = z.enum(['L1', 'L2', 'L3']);
export type RiskLevel = z.infer<typeof riskLevel>;

/** From which risk level on something is asked for. */
export const policyLevel = z.enum(['never', 'L3', 'L2']);
export type PolicyLevel = z.infer<typeof policyLevel>;

export const releaseStatus = z.enum(['running', 'stopped', 'done', 'cancelled']);
export type ReleaseStatus = z.infer<typeof releaseStatus>;

export const releaseOutcome = z.enum(['released', 'confirmed', 'tripped', 'not_heard']);
export type ReleaseOutcome = z.infer<typeof releaseOutcome>;

/** What decides whether two previews are of the same situation. */
export const commandFacts = z.object({
  breakers: z.array(
    z.object({
      breakerId: z.string(),
      generation: z.int(),
      state: z.string(),
      live: z.int(),
    }),
  ),
});
export type CommandFacts = z.infer<typeof commandFacts>;

/** Breaker id to the generation that the person saw. */
const generations = z.record(z.string().max(64), z.int().min(0));

const asked = {
  scope: commandScope,
  kind: commandKind,
  /** Instances that register during the lease get it as well; the list is frozen without it. */
  includeNew: z.boolean().default(false),
  leaseMs: z.int().min(MIN_LEASE_MS).max(MAX_LEASE_MS).optional(),
  deliverWithinMs: z.int().min(1_000).max(MAX_DELIVER_WITHIN_MS).optional(),
  /** Epoch milliseconds, at most seven days ahead; left out means now. */
  startAt: z.int().min(0).optional(),
};

export const previewCommandBody = z.strictObject({ ...asked, reason: freeText.optional() });
export type PreviewCommandBody = z.infer<typeof previewCommandBody>;

export const issueCommandBody = z.strictObject({
  ...asked,
  reason,
  expectedGenerations: generations,
  /** Of the preview that the person saw; the facts must still be the same. */
  previewDigest: z.string().max(64).optional(),
  /** Skips the second person; needs a longer reason, a short lease and a review afterwards. */
  breakGlass: z.boolean().default(false),
  /** A step-up that was done for the digest which the refusal named. */
  stepUpId: z.string().max(64).optional(),
  idempotencyKey: z.string().min(8).max(64),
});
export type IssueCommandBody = z.infer<typeof issueCommandBody>;

export const changeLeaseBody = z.strictObject({
  /** From now on. */
  leaseMs: z.int().min(1_000).max(MAX_LEASE_MS),
  reason: freeText.optional(),
  /** The lease that the person saw; another one means somebody changed it in between. */
  expectedLeaseRevision: z.int().min(0).optional(),
  stepUpId: z.string().max(64).optional(),
});
export type ChangeLeaseBody = z.infer<typeof changeLeaseBody>;

export const releaseBody = z.strictObject({ reason: freeText.optional() });
export type ReleaseBody = z.infer<typeof releaseBody>;

export const approveBody = z.strictObject({
  /** Of the summary that the approver saw. */
  digest: z.string().max(64),
  stepUpId: z.string().max(64).optional(),
});
export type ApproveBody = z.infer<typeof approveBody>;

export const denyBody = z.strictObject({ reason: freeText.min(3) });
export type DenyBody = z.infer<typeof denyBody>;

export const startReleaseBody = z.strictObject({
  /** One of the two. */
  commandId: id.optional(),
  overrideIds: z.array(id).min(1).max(500).optional(),
  batchSize: z.int().min(1).max(1000).default(1),
  intervalMs: z.int().min(1_000).max(600_000).default(30_000),
  reason: freeText.optional(),
});
export type StartReleaseBody = z.infer<typeof startReleaseBody>;

export const policyView = z.object({
  environment: z.string(),
  twoPerson: policyLevel,
  stepUp: policyLevel,
  tierOneServices: z.array(z.string()),
  updatedAt: at,
  updatedBy: z.string(),
});
export type PolicyView = z.infer<typeof policyView>;

const pattern = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^*]*\*?$/, 'a * is allowed at the end only');

export const setPolicyBody = z.strictObject({
  /** Exact name, or a prefix with a trailing `*`. */
  environment: pattern,
  twoPerson: policyLevel,
  stepUp: policyLevel,
  tierOneServices: z.array(pattern).max(200).default([]),
});
export type SetPolicyBody = z.infer<typeof setPolicyBody>;

export const closeReviewBody = z.strictObject({ note: freeText.min(10) });
export type CloseReviewBody = z.infer<typeof closeReviewBody>;
