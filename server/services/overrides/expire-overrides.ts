import type { DeliveryUpdate, EndOverride, OverrideRecord } from '../../store/port';
import { auditBy, SYSTEM } from '../caller';
import type { Core } from '../core';
import type { OverrideEntry } from '../fleet/entries';
import { deliveryAudit, endOverride, type End } from './end-override';
import { deliverByMono, REAPPLY_WITHIN_MS } from './limits';
import {
  BREAKER_NEVER_CAME,
  NEVER_SENT,
  NO_ANSWER,
  RESTARTS_TOO_OFTEN,
  WAITS_FOR_BREAKER,
} from './reasons';
import { showOverrides } from './show-override';

/** An answer to what was sent in time may still be on its way. */
const ANSWER_GRACE_MS = 2_000;

const OPEN_DELIVERIES: ReadonlySet<string> = new Set(['queued', 'sent']);
const FRUITLESS: ReadonlySet<string> = new Set(['expired', 'rejected']);

function overdue(core: Core, entry: OverrideEntry): DeliveryUpdate[] {
  const mono = core.clock.mono();
  const { record } = entry;
  return record.targets.flatMap((target): DeliveryUpdate[] => {
    const { instanceId } = target;
    const limit = deliverByMono(entry, instanceId);
    const base = { overrideId: record.id, instanceId, at: core.clock.wall() };
    if (target.delivery === 'queued' && mono >= limit) {
      const reason = target.reason === WAITS_FOR_BREAKER ? BREAKER_NEVER_CAME : NEVER_SENT;
      const change = { instanceId, delivery: 'expired' as const, reason };
      return [{ ...base, ...change, audit: deliveryAudit(core, record, change) }];
    }
    if (target.delivery === 'sent' && mono >= limit + ANSWER_GRACE_MS) {
      const change = { instanceId, delivery: 'unknown' as const, reason: NO_ANSWER };
      return [{ ...base, ...change, audit: deliveryAudit(core, record, change) }];
    }
    return [];
  });
}

function fruitlessEnd(targets: OverrideRecord['targets']): EndOverride['reason'] {
  const restarting = targets.some(({ reason }) => reason === RESTARTS_TOO_OFTEN);
  return restarting ? 'restarts' : 'undeliverable';
}

/** Null while it goes on. */
function dueEnd(core: Core, entry: OverrideEntry): End | null {
  const { record } = entry;
  if (record.endedAt !== null) return null;
  const held = record.targets.filter((target) => target.releasedAt === null);
  const open = held.some(({ delivery }) => OPEN_DELIVERIES.has(delivery));
  const over = core.clock.mono() >= entry.endsMono;
  // One that takes new instances waits for them.
  const waits = record.includeNew && record.kind !== 'reset' && !over;
  const fruitless = !open && !waits && held.every(({ delivery }) => FRUITLESS.has(delivery));
  if (held.length > 0 && fruitless) return { reason: fruitlessEnd(held), by: null };
  if (record.kind === 'reset') return open ? null : { reason: 'done', by: null };
  return over ? { reason: 'lease', by: null } : null;
}

/** Instances that have the breaker and came after the list was made. */
function joiners(core: Core, { record, endsMono }: OverrideEntry): string[] {
  const takes = record.includeNew && record.endedAt === null && record.kind !== 'reset';
  if (!takes || core.clock.mono() >= endsMono) return [];
  const listed = new Set(record.targets.map((target) => target.instanceId));
  const cells = core.fleet.breakers.get(record.breakerId)?.cells.keys() ?? [];
  return [...cells].filter((instanceId) => !listed.has(instanceId));
}

async function join(core: Core, entry: OverrideEntry): Promise<void> {
  const instanceIds = joiners(core, entry);
  const { record } = entry;
  if (instanceIds.length === 0) return;
  const at = core.clock.wall();
  const joined = await core.store.addTargets({
    overrideId: record.id,
    instanceIds,
    at,
    deliverBy: Math.min(at + REAPPLY_WITHIN_MS, record.endsAt),
    audit: {
      at,
      ...auditBy(SYSTEM),
      action: 'override.joined',
      subject: record.id,
      outcome: 'done',
      details: { breakerId: record.breakerId, kind: record.kind, instanceIds },
    },
  });
  if (joined !== null) showOverrides(core, [joined.override], joined.revision);
}

/** Ends those whose time has come. Runs within the override lane. */
export async function endDue(core: Core, ids: Iterable<string>): Promise<void> {
  for (const id of new Set(ids)) {
    const entry = core.fleet.overrides.get(id);
    const end = entry === undefined ? null : dueEnd(core, entry);
    if (entry === undefined || end === null) continue;
    // eslint-disable-next-line no-await-in-loop -- one transaction at a time
    const ended = await endOverride(core, entry.record, end);
    if (ended !== null) continue;
    // eslint-disable-next-line no-await-in-loop -- rare: it had ended behind our back
    const stored = await core.store.getOverride(id);
    if (stored !== null) showOverrides(core, [stored]);
  }
}

/**
 * Deliveries past deliver-by and leases past their end, by the clock. What a crash left behind is
 * found the same way, so a start needs no other repair.
 */
export function createExpireOverrides(core: Core): () => Promise<void> {
  const isDue = (entry: OverrideEntry): boolean =>
    overdue(core, entry).length > 0 ||
    dueEnd(core, entry) !== null ||
    joiners(core, entry).length > 0;
  return async () => {
    if (!core.fleet.overrides.all().some(isDue)) return;
    await core.overrideLane(async () => {
      const due = core.fleet.overrides.all().filter(isDue);
      const updates = due.flatMap((entry) => overdue(core, entry));
      if (updates.length > 0) showOverrides(core, await core.store.recordDeliveries(updates));
      await endDue(
        core,
        due.map(({ record }) => record.id),
      );
      for (const { record } of due) {
        const entry = core.fleet.overrides.get(record.id);
        // eslint-disable-next-line no-await-in-loop -- one transaction at a time
        if (entry !== undefined) await join(core, entry);
      }
    });
  };
}
