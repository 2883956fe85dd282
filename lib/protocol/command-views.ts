/** What is read back of commands: their previews, their fate, and the acts around them. */
import { z } from 'zod';
import { breakerState, commandKind } from './breaker-state';
import {
  commandFacts,
  commandScope,
  commandStatus,
  policyView,
  releaseOutcome,
  releaseStatus,
  riskLevel,
} from './commands';
import { deliveryState, overrideView } from './views';

const at = z.number();
const id = z.string();

/** Never stronger than the facts: `succeeded` only when every instance said so. */
export const commandOutcomes = [
  'waiting',
  'in_progress',
  'succeeded',
  'partial',
  'failed',
  'none',
] as const;

export const commandView = z.object({
  id,
  kind: commandKind,
  environment: z.string(),
  scope: commandScope,
  includeNew: z.boolean(),
  reason: z.string(),
  actor: z.string(),
  /** Who asked, by id: names are not unique. For a token the person behind it; null for the console itself. */
  requester: z.object({ kind: z.string(), id: z.string().nullable() }),
  createdAt: at,
  startAt: at.nullable(),
  leaseMs: z.number(),
  deliverWithinMs: z.number(),
  risk: riskLevel,
  breakGlass: z.boolean(),
  facts: commandFacts,
  /** What an approver has to name, so that nothing else is approved. */
  digest: z.string(),
  status: commandStatus,
  statusAt: at,
  statusBy: z.string().nullable(),
  statusReason: z.string().nullable(),
  approvedBy: z.string().nullable(),
  /** Set while it waits for a second person. */
  approvalEndsAt: at.nullable(),
  outcome: z.enum(commandOutcomes),
  /** Instances by what became of it there, over all breakers. */
  counts: z.partialRecord(deliveryState, z.int()),
  /** The latest end of its overrides; null while none was issued. */
  endsAt: at.nullable(),
  overrides: z.array(overrideView),
});
export type CommandView = z.infer<typeof commandView>;

export const commandBody = z.object({ command: commandView });
export const commandsBody = z.object({ now: at, commands: z.array(commandView) });

const previewBreaker = z.object({
  breakerId: id,
  service: z.string(),
  name: z.string(),
  target: z.string(),
  generation: z.int(),
  state: breakerState,
  /** What it would be without an override: null where nobody can know, as while it is held open. */
  wouldBeOpen: z.boolean().nullable(),
  instances: z.object({ live: z.int(), stale: z.int(), offline: z.int() }),
  /** Calls that arrived in the last minute, admitted or not, per second. */
  callsPerSecond: z.number(),
  failureShare: z.number().nullable(),
  failureThreshold: z.number().nullable(),
});

/** [U-22] What a command would hit now, counted by the server. */
export const commandPreview = z.object({
  now: at,
  digest: z.string(),
  kind: commandKind,
  environment: z.string(),
  scope: commandScope,
  includeNew: z.boolean(),
  risk: riskLevel,
  /** What the policy of the environment will ask for. */
  needs: z.object({ stepUp: z.boolean(), secondPerson: z.boolean() }),
  instances: z.object({ live: z.int(), stale: z.int(), offline: z.int() }),
  callsPerSecond: z.number(),
  failureShare: z.number().nullable(),
  breakers: z.array(previewBreaker),
  /** Services that have breakers to the services of this command. */
  callers: z.array(z.object({ serviceId: id, service: z.string() })),
  /** Targets of its breakers; with an id where the target is a service that reports here. */
  callees: z.array(z.object({ target: z.string(), serviceId: id.nullable() })),
  activeOverrides: z.array(overrideView),
  /** Instances that will refuse as far as can be known, with their reason. */
  willRefuse: z.array(
    z.object({ breakerId: id, instanceId: id, instance: z.string(), why: z.string() }),
  ),
  /** Instances that two processes claim: they have to be chosen by name. */
  doubled: z.array(z.object({ instanceId: id, instance: z.string() })),
  /** What ends it: the lease, and for a breaker held closed the loss of contact. */
  ends: z.object({ leaseMs: z.number().nullable(), contactLossMs: z.number().nullable() }),
  /** Sent back as `expectedGenerations`. */
  expectedGenerations: z.record(z.string(), z.int()),
});
export type CommandPreview = z.infer<typeof commandPreview>;

export const releaseView = z.object({
  id,
  actor: z.string(),
  reason: z.string(),
  createdAt: at,
  overrideIds: z.array(id),
  batchSize: z.int(),
  intervalMs: z.number(),
  status: releaseStatus,
  statusAt: at,
  statusBy: z.string().nullable(),
  statusReason: z.string().nullable(),
  /** When the next instances are let go, while it is running. */
  nextAt: at.nullable(),
  total: z.int(),
  released: z.int(),
  /** Instances that were let go, in order, and what was seen of them since. */
  steps: z.array(
    z.object({
      overrideId: id,
      instanceId: id,
      instance: z.string(),
      releasedAt: at,
      outcome: releaseOutcome,
    }),
  ),
});
export type ReleaseView = z.infer<typeof releaseView>;

export const gradualReleaseBody = z.object({ release: releaseView });
export const gradualReleasesBody = z.object({ now: at, releases: z.array(releaseView) });

export const policiesBody = z.object({
  /** What holds where no policy is set: the names that look like production ask for a step-up. */
  builtIn: z.array(policyView),
  policies: z.array(policyView),
});
export type PoliciesBody = z.infer<typeof policiesBody>;

export const reviewView = z.object({
  id,
  createdAt: at,
  dueAt: at,
  overdue: z.boolean(),
  closedAt: at.nullable(),
  closedBy: z.string().nullable(),
  note: z.string().nullable(),
  command: commandView.omit({ overrides: true, counts: true, outcome: true, endsAt: true }),
});
export type ReviewView = z.infer<typeof reviewView>;
export const reviewsBody = z.object({ now: at, reviews: z.array(reviewView) });
export const reviewBody = z.object({ review: reviewView });
