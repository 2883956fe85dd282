import { APPROVAL_MS, type ApproveBody, type DenyBody } from '@/lib/protocol/commands';
import type { CommandView } from '@/lib/protocol/command-views';
import type { CommandRecord, SettleCommand, StartCommandResult } from '../../store/port';
import { auditBy, nameOf, SYSTEM, type Caller } from '../caller';
import type { Commands } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { markRecorded } from '../refusals';
import { conflictError } from './conflict';
import { digestOf, expectedOf, sameFacts } from './facts';
import { adopt, auditOf, checkDoubled, overridesOf } from './issue';
import { isSecondPerson } from './people';
import { previewCommand, type Previewed } from './preview';
import { withRefusals } from './refusals';
import { requireStepUp } from './step-up';
import { commandOrThrow, commandViewOf, viewOfCommand } from './view';

const gone = (command: CommandRecord | null): RecloserError =>
  new RecloserError(
    'conflict',
    command === null
      ? 'the command is not known'
      : `it is ${command.status.replace('_', ' ')}${command.statusBy === null ? '' : ` by ${command.statusBy}`} by now`,
    { details: { status: command?.status ?? null, by: command?.statusBy ?? null } },
  );

/** From waiting to an end without effect; null when it waits no more. */
export async function settle(
  core: Core,
  command: CommandRecord,
  change: Pick<SettleCommand, 'to' | 'from'> & { readonly reason: string | null },
  caller?: Caller,
): Promise<CommandRecord | null> {
  const at = core.clock.wall();
  const { id, kind, scope, reason: why } = command;
  const settled = await core.store.settleCommand({
    id,
    from: change.from,
    to: change.to,
    at,
    by: caller === undefined ? null : nameOf(caller),
    reason: change.reason,
    audit: {
      at,
      ...auditBy(caller ?? SYSTEM),
      action: `override.${change.to}`,
      subject: id,
      outcome: change.to === 'failed' || change.to === 'expired' ? 'failed' : 'done',
      details: { kind, scope, command: why, reason: change.reason },
    },
  });
  if (settled !== null) core.waiting.delete(id);
  return settled;
}

async function pending(core: Core, id: string): Promise<CommandRecord> {
  const command = await commandOrThrow(core, id);
  if (command.status !== 'pending_approval') throw gone(command);
  return command;
}

export const approvalIsOver = (core: Core, command: CommandRecord): boolean =>
  core.clock.wall() >= command.createdAt + APPROVAL_MS;

export const expireApproval = (core: Core, command: CommandRecord) =>
  settle(core, command, {
    from: ['pending_approval'],
    to: 'expired',
    reason: 'nobody approved it in time',
  });

const CHANGED = 'the facts have changed since it was asked for; look again';

/**
 * [S-14] What the requester asked for is no longer what it would do: somebody has to look again. The
 * row of the change is that of the refusal too.
 */
async function refresh(
  core: Core,
  caller: Caller,
  command: CommandRecord,
  { facts }: Previewed,
): Promise<never> {
  const digest = digestOf(core, command, facts);
  const expected = expectedOf(facts);
  const { id } = command;
  const refreshed = await core.store.refreshCommand({
    id,
    from: command.digest,
    facts,
    digest,
    expected,
    audit: {
      at: core.clock.wall(),
      ...auditBy(caller),
      action: 'override.facts_changed',
      subject: id,
      outcome: 'refused',
      details: { before: command.digest, after: digest, code: 'conflict', message: CHANGED },
    },
  });
  if (refreshed === null) throw gone(await core.store.getCommand(id));
  core.waiting.set(id, refreshed);
  const details = { command: commandViewOf(core, refreshed, []) };
  throw markRecorded(new RecloserError('conflict', CHANGED, { details }));
}

function started(result: StartCommandResult) {
  if (result.kind === 'issued') return result;
  throw result.kind === 'conflict' ? conflictError(result.conflicts) : gone(result.command);
}

async function approve(
  core: Core,
  caller: Caller,
  id: string,
  body: ApproveBody,
): Promise<CommandView> {
  const command = await pending(core, id);
  if (approvalIsOver(core, command)) {
    throw gone((await expireApproval(core, command)) ?? command);
  }
  if (!isSecondPerson(caller, command.requester)) {
    throw new RecloserError('not_allowed', 'only another person can approve it');
  }
  const previewed = await previewCommand(core, command);
  checkDoubled(core, command, previewed.resolved);
  if (!sameFacts(command.facts, previewed.facts)) return refresh(core, caller, command, previewed);
  if (body.digest !== command.digest) {
    throw new RecloserError('conflict', 'this is not what you looked at; look again', {
      details: { command: commandViewOf(core, command, []) },
    });
  }
  if (previewed.preview.needs.stepUp) {
    await requireStepUp(core, caller, command.digest, body.stepUpId);
  }
  const by = nameOf(caller);
  const later = command.startAt !== null && command.startAt > core.clock.wall();
  const overrides = later ? [] : overridesOf(core, command, previewed.resolved);
  const issued = started(
    await core.store.startCommand({
      id,
      from: 'pending_approval',
      digest: body.digest,
      at: core.clock.wall(),
      by,
      approvedBy: by,
      to: later ? 'scheduled' : 'issued',
      expected: command.expected,
      overrides,
      audit: auditOf(core, caller, 'override.approved', command, overrides),
    }),
  );
  adopt(core, issued);
  return commandViewOf(core, issued.command, issued.overrides);
}

async function deny(
  core: Core,
  caller: Caller,
  id: string,
  { reason }: DenyBody,
): Promise<CommandView> {
  const command = await pending(core, id);
  const settled = await settle(
    core,
    command,
    { from: ['pending_approval'], to: 'denied', reason },
    caller,
  );
  if (settled === null) throw gone(await core.store.getCommand(id));
  return viewOfCommand(core, settled);
}

async function cancel(
  core: Core,
  caller: Caller,
  id: string,
  reason: string | undefined,
): Promise<CommandView> {
  const command = await commandOrThrow(core, id);
  const from = ['pending_approval', 'scheduled'] as const;
  const change = { from, to: 'cancelled', reason: reason ?? null } as const;
  const settled = await settle(core, command, change, caller);
  if (settled === null) throw gone(await core.store.getCommand(id));
  return viewOfCommand(core, settled);
}

/** One deny, one withdrawal or one approval ends the wait, whoever comes first. */
export function createDecisions(core: Core): Pick<Commands, 'approve' | 'deny' | 'cancel'> {
  const decide = (caller: Caller, id: string, verb: string, work: () => Promise<CommandView>) =>
    core.overrideLane(() =>
      withRefusals(core, caller, { action: `override.${verb}`, subject: id, details: {} }, work),
    );
  return {
    approve: (caller, id, body) =>
      decide(caller, id, 'approve', () => approve(core, caller, id, body)),
    deny: (caller, id, body) => decide(caller, id, 'deny', () => deny(core, caller, id, body)),
    cancel: (caller, id, { reason }) =>
      decide(caller, id, 'cancel', () => cancel(core, caller, id, reason)),
  };
}
