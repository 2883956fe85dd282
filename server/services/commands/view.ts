import { APPROVAL_MS } from '@/lib/protocol/commands';
import type { CommandView } from '@/lib/protocol/command-views';
import type { DeliveryState } from '@/lib/protocol/views';
import type { CommandRecord } from '../../store/port';
import type { OverrideRecord } from '../../store/port';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { overrideViewOf } from '../feed/views';

const APPLIED: ReadonlySet<DeliveryState> = new Set(['applied', 'applied_late']);
const OPEN: ReadonlySet<DeliveryState> = new Set(['queued', 'sent']);

/** Counts say it; the word never says more than they do. */
export function summaryOf(
  command: Pick<CommandRecord, 'status'>,
  records: readonly OverrideRecord[],
): Pick<CommandView, 'outcome' | 'counts'> {
  const counts: Partial<Record<DeliveryState, number>> = {};
  for (const { targets } of records) {
    for (const { delivery } of targets) counts[delivery] = (counts[delivery] ?? 0) + 1;
  }
  const sum = (states: ReadonlySet<DeliveryState>): number =>
    [...states].reduce((total, state) => total + (counts[state] ?? 0), 0);
  const total = records.reduce((all, { targets }) => all + targets.length, 0);
  const applied = sum(APPLIED);
  const waits = command.status === 'pending_approval' || command.status === 'scheduled';
  if (waits) return { outcome: 'waiting', counts };
  if (command.status !== 'issued') return { outcome: 'none', counts };
  if (sum(OPEN) > 0) return { outcome: 'in_progress', counts };
  if (applied === total) return { outcome: 'succeeded', counts };
  return { outcome: applied > 0 ? 'partial' : 'failed', counts };
}

export function commandFields(command: CommandRecord) {
  const { requester, expected: _expected, ...shown } = command;
  const pending = command.status === 'pending_approval';
  return {
    ...shown,
    requester: { kind: requester.kind, id: requester.id },
    facts: { breakers: command.facts.breakers.map((one) => ({ ...one })) },
    approvalEndsAt: pending ? command.createdAt + APPROVAL_MS : null,
  };
}

export function commandViewOf(
  core: Core,
  command: CommandRecord,
  records: readonly OverrideRecord[],
): CommandView {
  return {
    ...commandFields(command),
    ...summaryOf(command, records),
    endsAt: records.length === 0 ? null : Math.max(...records.map(({ endsAt }) => endsAt)),
    overrides: records.map((record) => overrideViewOf(core.fleet, record)),
  };
}

export async function commandOrThrow(core: Core, id: string): Promise<CommandRecord> {
  const command = await core.store.getCommand(id);
  if (command === null) throw new RecloserError('not_found', 'the command is not known');
  return command;
}

export async function viewOfCommand(core: Core, command: CommandRecord): Promise<CommandView> {
  return commandViewOf(core, command, await core.store.overridesOfCommand(command.id));
}
