import type { DeliveryUpdate, EndOverride, OverrideRecord } from '../../store/port';
import { auditBy, SYSTEM, type Caller } from '../caller';
import type { Core } from '../core';
import { ENDED_UNSENT } from './reasons';
import { showOverrides } from './show-override';

export type End = Pick<EndOverride, 'reason' | 'by'> & {
  /** Left out when the console ends it by itself. */
  readonly caller?: Caller;
  readonly note?: string | undefined;
};

const FAILED: ReadonlySet<string> = new Set(['expired', 'unknown', 'applied_late']);
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['undeliverable', 'restarts']);

export function deliveryAudit(
  core: Core,
  record: OverrideRecord,
  update: Pick<DeliveryUpdate, 'instanceId' | 'delivery' | 'reason'>,
  actor = 'system',
): NonNullable<DeliveryUpdate['audit']> {
  const outcome =
    update.delivery === 'rejected' ? 'refused' : FAILED.has(update.delivery) ? 'failed' : 'done';
  return {
    at: core.clock.wall(),
    actor,
    action: `override.${update.delivery}`,
    subject: record.id,
    outcome,
    details: {
      breakerId: record.breakerId,
      kind: record.kind,
      instanceId: update.instanceId,
      reason: update.reason,
    },
  };
}

function insertOf(core: Core, record: OverrideRecord, end: End): EndOverride {
  const at = core.clock.wall();
  const { id, breakerId, kind, commandId } = record;
  const { reason, by, note = null } = end;
  return {
    id,
    at,
    reason,
    by,
    audit: {
      at,
      ...auditBy(end.caller ?? SYSTEM),
      action: 'override.ended',
      subject: id,
      outcome: WITHOUT_EFFECT.has(reason) ? 'failed' : 'done',
      details: { breakerId, kind, commandId, reason, note },
    },
  };
}

/** All in one transaction; gives those that had not ended already. Runs within the override lane. */
export async function endOverrides(
  core: Core,
  records: readonly OverrideRecord[],
  end: End,
): Promise<readonly OverrideRecord[]> {
  const inserts = records.map((record) => insertOf(core, record, end));
  const { overrides, revision } = await core.store.endOverrides(inserts);
  const at = core.clock.wall();
  const unsent = overrides.flatMap((record) =>
    record.targets
      .filter((target) => target.delivery === 'queued')
      .map(({ instanceId }): DeliveryUpdate => {
        const change = { instanceId, delivery: 'expired' as const, reason: ENDED_UNSENT };
        const audit = deliveryAudit(core, record, change);
        return { overrideId: record.id, ...change, at, audit };
      }),
  );
  const after = unsent.length > 0 ? await core.store.recordDeliveries(unsent) : [];
  const changed = new Map(after.map((record) => [record.id, record]));
  const ended = overrides.map((record) => changed.get(record.id) ?? record);
  showOverrides(core, ended, revision);
  return ended;
}

/** Null when it had ended already. Runs within the override lane. */
export async function endOverride(
  core: Core,
  record: OverrideRecord,
  end: End,
): Promise<OverrideRecord | null> {
  const [ended] = await endOverrides(core, [record], end);
  return ended ?? null;
}
