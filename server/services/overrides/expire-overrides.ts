import type { DeliveryUpdate, OverrideRecord } from '../../store/port';
import type { Core } from '../core';
import type { OverrideEntry } from '../fleet/entries';
import { deliveryAudit, endOverride, NEVER_SENT, type End } from './end-override';
import { showOverride } from './show-override';

/** An answer to what was sent in time may still be on its way. */
const ANSWER_GRACE_MS = 2_000;
/** How long a restarted instance has for its answer. */
export const REAPPLY_WITHIN_MS = 30_000;

const OPEN_DELIVERIES: ReadonlySet<string> = new Set(['queued', 'sent']);
const FRUITLESS: ReadonlySet<string> = new Set(['expired', 'rejected']);

type Target = OverrideRecord['targets'][number];

/** When an answer of this target is overdue, on the monotonic clock. */
function overdueMono(entry: OverrideEntry, target: Target): number {
  const { deliverBy } = entry.record;
  // Sent again after a restart of the instance: the time counts from there.
  const resentMs = Math.max(0, target.updatedAt + REAPPLY_WITHIN_MS - deliverBy);
  const again = target.delivery === 'sent' && target.updatedAt > deliverBy;
  return entry.deliverByMono + ANSWER_GRACE_MS + (again ? resentMs : 0);
}

function overdue(core: Core, entry: OverrideEntry): DeliveryUpdate[] {
  const mono = core.clock.mono();
  const { record } = entry;
  return record.targets.flatMap((target): DeliveryUpdate[] => {
    const { instanceId } = target;
    const base = { overrideId: record.id, instanceId, at: core.clock.wall() };
    if (target.delivery === 'queued' && mono >= entry.deliverByMono) {
      const change = { instanceId, delivery: 'expired' as const, reason: NEVER_SENT };
      return [{ ...base, ...change, audit: deliveryAudit(core, record, change) }];
    }
    if (target.delivery === 'sent' && mono >= overdueMono(entry, target)) {
      const reason = 'it was sent; no answer came';
      const change = { instanceId, delivery: 'unknown' as const, reason };
      return [{ ...base, ...change, audit: deliveryAudit(core, record, change) }];
    }
    return [];
  });
}

/** Null while it goes on. */
export function dueEnd(core: Core, entry: OverrideEntry): End | null {
  const { record } = entry;
  if (record.endedAt !== null) return null;
  const deliveries = record.targets.map((target) => target.delivery);
  const open = deliveries.some((delivery) => OPEN_DELIVERIES.has(delivery));
  const fruitless = !open && deliveries.every((delivery) => FRUITLESS.has(delivery));
  const system = { by: null, actor: 'system' };
  if (fruitless) return { ...system, reason: 'undeliverable' };
  if (record.kind === 'reset') return open ? null : { ...system, reason: 'done' };
  return core.clock.mono() >= entry.endsMono ? { ...system, reason: 'lease' } : null;
}

/** Ends it when its time has come. Runs within the override lane. */
export async function endIfDue(core: Core, id: string): Promise<void> {
  const entry = core.fleet.overrides.get(id);
  const end = entry === undefined ? null : dueEnd(core, entry);
  if (entry === undefined || end === null) return;
  const ended = await endOverride(core, entry.record, end);
  if (ended !== null) return;
  const stored = await core.store.getOverride(id);
  if (stored !== null) showOverride(core, stored);
}

/**
 * Deliveries past deliver-by and leases past their end, by the clock. What a crash left behind is
 * found the same way, so a start needs no other repair.
 */
export function createExpireOverrides(core: Core): () => Promise<void> {
  const isDue = (entry: OverrideEntry): boolean =>
    overdue(core, entry).length > 0 || dueEnd(core, entry) !== null;
  return async () => {
    if (!core.fleet.overrides.all().some(isDue)) return;
    await core.overrideLane(async () => {
      const due = core.fleet.overrides.all().filter(isDue);
      const updates = due.flatMap((entry) => overdue(core, entry));
      const changed = updates.length > 0 ? await core.store.recordDeliveries(updates) : [];
      for (const record of changed) showOverride(core, record);
      for (const { record } of due) {
        // eslint-disable-next-line no-await-in-loop -- one transaction at a time
        await endIfDue(core, record.id);
      }
    });
  };
}
