import { canonicalJson } from '@/lib/protocol/digest';
import {
  REVIEW_WITHIN_MS,
  type CommandStatus,
  type IssueCommandBody,
} from '@/lib/protocol/commands';
import type { CommandRecord, Issued, OverrideInsert, PutCommand } from '../../store/port';
import type { Action } from '@/lib/protocol/access';
import type { AuditInsert, OverrideRecord } from '../../store/port';
import { auditBy, nameOf, permit, type Caller } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { showOverrides } from '../overrides/show-override';
import { checkBreakers, conflictError } from './conflict';
import { countInstances, digestOf } from './facts';
import { checkBreakGlass, checkNewInstances, checkStart, limitsOf } from './limits';
import type { OverrideRate } from './override-rate';
import { isLocal, stampOf } from './people';
import { previewCommand, type Asked, type Previewed } from './preview';
import { withRefusals } from './refusals';
import { doubledOf, invalid, type Resolved } from './scope';
import type { SeenPreviews } from './seen-previews';
import { requireStepUp } from './step-up';

export type Issue = (caller: Caller, body: IssueCommandBody) => Promise<PutDone>;

type Asking = { readonly previews: SeenPreviews; readonly rate: OverrideRate };

type PutDone = {
  readonly command: CommandRecord;
  readonly overrides: readonly OverrideRecord[];
};

/** One part for each breaker, with limits that count from now. */
export function overridesOf(
  core: Core,
  command: Pick<CommandRecord, 'kind' | 'leaseMs' | 'deliverWithinMs'>,
  { parts }: Resolved,
): OverrideInsert[] {
  const createdAt = core.clock.wall();
  const { kind, leaseMs, deliverWithinMs } = command;
  return parts.map(({ breaker, instanceIds }) => ({
    id: core.ids.override(),
    breakerId: breaker.record.id,
    createdAt,
    deliverBy: createdAt + deliverWithinMs,
    endsAt: createdAt + (kind === 'reset' ? deliverWithinMs : leaseMs),
    targetInstanceIds: instanceIds,
  }));
}

/** Two processes under one name cannot both be meant by it. */
export function checkDoubled(core: Core, asked: Pick<Asked, 'scope'>, resolved: Resolved): void {
  const doubled = asked.scope.kind === 'instances' ? [] : doubledOf(core, resolved);
  if (doubled.length === 0) return;
  throw invalid('two processes claim the same instance; choose the instances', {
    duplicateIdentity: doubled,
  });
}

/** What came of it is in memory and on the way before anybody is answered. */
export function adopt(core: Core, { command, overrides, revision }: Issued): void {
  for (const { breakerId, generation } of overrides) {
    const entry = core.fleet.breakers.get(breakerId);
    if (entry) entry.record = { ...entry.record, generation };
  }
  const waits = command.status === 'pending_approval' || command.status === 'scheduled';
  if (waits) core.waiting.set(command.id, command);
  else core.waiting.delete(command.id);
  showOverrides(core, overrides, revision);
}

/** A single override is what people look for in the audit; a group has only itself. */
const subjectOf = (command: Pick<CommandRecord, 'id'>, inserts: readonly OverrideInsert[]) =>
  inserts.length === 1 && inserts[0] !== undefined ? inserts[0].id : command.id;

export function auditOf(
  core: Core,
  caller: Caller,
  action: string,
  command: CommandRecord,
  inserts: readonly OverrideInsert[],
): AuditInsert {
  const { kind, reason, leaseMs, deliverWithinMs, scope, includeNew, startAt } = command;
  const { risk, breakGlass, digest, expected, id: commandId } = command;
  const [only, ...others] = Object.keys(expected);
  const instanceIds = new Set(inserts.flatMap((one) => one.targetInstanceIds));
  return {
    at: core.clock.wall(),
    ...auditBy(caller),
    action,
    subject: subjectOf(command, inserts),
    outcome: 'done',
    details: {
      commandId,
      ...(others.length === 0 && only !== undefined ? { breakerId: only } : {}),
      kind,
      reason,
      leaseMs,
      deliverWithinMs,
      scope,
      includeNew,
      startAt,
      risk,
      breakGlass,
      digest,
      expected,
      instances: countInstances(core, instanceIds),
      overrides: Object.fromEntries(inserts.map(({ id, breakerId }) => [breakerId, id])),
    },
  };
}

function recordOf(
  core: Core,
  caller: Caller,
  body: IssueCommandBody,
  asked: Asked,
  { preview, facts }: Previewed,
): CommandRecord {
  const createdAt = core.clock.wall();
  const { reason, breakGlass, expectedGenerations: expected } = body;
  const actor = nameOf(caller);
  const secondPerson = preview.needs.secondPerson && !breakGlass && !isLocal(caller);
  const waits: CommandStatus = asked.startAt === null ? 'issued' : 'scheduled';
  return {
    ...asked,
    id: core.ids.command(),
    environment: preview.environment,
    reason,
    actor,
    requester: stampOf(caller),
    createdAt,
    risk: preview.risk,
    breakGlass,
    expected,
    facts,
    digest: digestOf(core, { ...asked, reason, actor, breakGlass }, facts),
    status: secondPerson ? 'pending_approval' : waits,
    statusAt: createdAt,
    statusBy: null,
    statusReason: null,
    approvedBy: null,
  };
}

/** What the requester proves a factor for: the act and the breakers as they were seen. [S-13] */
function actDigest(core: Core, { id: _id, facts: _facts, ...command }: CommandRecord): string {
  const { scope, kind, includeNew, leaseMs, deliverWithinMs, startAt } = command;
  const { reason, actor, breakGlass, expected } = command;
  const act = { scope, kind, includeNew, leaseMs, deliverWithinMs, startAt };
  return core.hash(canonicalJson({ act, reason, actor, breakGlass, expected }));
}

const ACTION: Partial<Record<CommandStatus, string>> = {
  pending_approval: 'override.requested',
  scheduled: 'override.scheduled',
};

/** Also a service that came into the scope after the gate has looked. */
function assertMay(core: Core, caller: Caller, action: Action, resolved: Resolved): void {
  for (const { breaker } of resolved.parts) {
    const service = core.fleet.services.get(breaker.record.serviceId)?.record;
    const scope = { environment: resolved.environment, service: service?.name ?? '' };
    if (permit(caller, action, scope) !== undefined) continue;
    throw new RecloserError('not_allowed', `You may not do this for ${scope.service}.`, {
      details: { needs: action },
    });
  }
}

/** Everything that is checked before anything is stored. */
async function prepare(
  core: Core,
  previews: SeenPreviews,
  caller: Caller,
  body: IssueCommandBody,
): Promise<PutCommand> {
  checkStart(body.startAt, core.clock.wall());
  checkNewInstances(body);
  const { leaseMs, deliverWithinMs } = limitsOf(body);
  checkBreakGlass(body, leaseMs);
  const { scope, kind, includeNew, startAt = null } = body;
  const asked: Asked = { scope, kind, includeNew, leaseMs, deliverWithinMs, startAt };
  const previewed = await previewCommand(core, asked);
  const { preview, resolved } = previewed;
  assertMay(core, caller, 'override.issue', resolved);
  checkDoubled(core, asked, resolved);
  checkBreakers(body.expectedGenerations, previewed);
  if (body.previewDigest !== undefined) previews.check(asked, body.previewDigest, previewed);
  const command = recordOf(core, caller, body, asked, previewed);
  if (body.breakGlass) assertMay(core, caller, 'override.break_glass', resolved);
  if (preview.needs.stepUp || body.breakGlass) {
    await requireStepUp(core, caller, actDigest(core, command), body.stepUpId);
  }
  const overrides = command.status === 'issued' ? overridesOf(core, command, resolved) : [];
  const { createdAt } = command;
  const review = { id: core.ids.review(), createdAt, dueAt: createdAt + REVIEW_WITHIN_MS };
  const action = ACTION[command.status] ?? 'override.issued';
  return {
    command,
    idempotencyKey: body.idempotencyKey,
    overrides,
    review: body.breakGlass ? review : null,
    audit: auditOf(core, caller, action, command, overrides),
  };
}

/** What a person would call the same command; another one under its key must not pass for done. */
function assertSame(known: CommandRecord, caller: Caller, body: IssueCommandBody): void {
  const { leaseMs = known.leaseMs } = body;
  const same =
    canonicalJson(known.scope) === canonicalJson(body.scope) &&
    known.kind === body.kind &&
    known.reason === body.reason &&
    known.actor === nameOf(caller) &&
    known.leaseMs === leaseMs;
  if (!same) {
    throw new RecloserError('conflict', 'this idempotencyKey was used for another command');
  }
}

async function put(
  core: Core,
  { previews, rate }: Asking,
  caller: Caller,
  body: IssueCommandBody,
): Promise<PutDone> {
  const known = await core.store.findCommandByKey(body.idempotencyKey);
  if (known !== null) {
    assertSame(known, caller, body);
    return { command: known, overrides: await core.store.overridesOfCommand(known.id) };
  }
  rate.check(caller);
  const input = await prepare(core, previews, caller, body);
  const result = await core.store.putCommand(input);
  switch (result.kind) {
    case 'issued':
      rate.count(caller);
      adopt(core, result);
      if (body.breakGlass) {
        const { id, actor } = result.command;
        core.log.error({ commandId: id, actor }, 'break-glass was used; a review is open');
      }
      return result;
    case 'repeat':
      assertSame(result.command, caller, body);
      return result;
    case 'conflict':
      throw conflictError(result.conflicts);
    default:
      throw new RecloserError('not_found', 'the breaker is not known');
  }
}

function subjectOfScope({ scope }: IssueCommandBody): string {
  if ('breakerId' in scope) return scope.breakerId;
  return 'serviceId' in scope ? scope.serviceId : scope.target;
}

/** Command, frozen targets, generations and audit row in one transaction, before anything is sent. */
export function createIssue(core: Core, asking: Asking): Issue {
  return (caller, body) => {
    const { kind, reason, scope } = body;
    const attempt = { action: 'override.issue', subject: subjectOfScope(body) };
    return core.overrideLane(() =>
      withRefusals(core, caller, { ...attempt, details: { kind, reason, scope } }, () =>
        put(core, asking, caller, body),
      ),
    );
  };
}
