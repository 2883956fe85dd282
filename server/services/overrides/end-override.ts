import type { DeliveryUpdate, EndOverride, OverrideRecord } from '../../store/port';
import { auditBy, SYSTEM, type Caller } from '../caller';
import type { Core } from '../core';
import { showOverride } from './show-override';

export type End = Pick<EndOverride, 'reason' | 'by'> & {
  /** Left out when the console ends it by itself. */
  readonly caller?: Caller;
  readonly note?: string | undefined;
};

/** What was never sent will not be sent any more. */
export const NEVER_SENT = 'it was not delivered in time';
const ENDED_UNSENT = 'it ended before it was sent';

export function deliveryAudit(
  core: Core,
  record: OverrideRecord,
  update: Pick<DeliveryUpdate, 'instanceId' | 'delivery' | 'reason'>,
  actor = 'system',
): NonNullable<DeliveryUpdate['audit']> {
  const bad = new Set(['expired', 'unknown', 'applied_late']);
  const outcome =
    update.delivery === 'rejected' ? 'refused' : bad.has(update.delivery) ? 'failed' : 'done';
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

/** Null when it had ended already. Runs within the override lane. */
export async function endOverride(
  core: Core,
  record: OverrideRecord,
  end: End,
): Promise<OverrideRecord | null> {
  const at = core.clock.wall();
  const { breakerId, kind } = record;
  const result = await core.store.endOverride({
    id: record.id,
    at,
    reason: end.reason,
    by: end.by,
    audit: {
      at,
      ...auditBy(end.caller ?? SYSTEM),
      action: 'override.ended',
      subject: record.id,
      outcome: end.reason === 'undeliverable' ? 'failed' : 'done',
      details: { breakerId, kind, reason: end.reason, note: end.note ?? null },
    },
  });
  if (result === null) return null;
  const unsent = result.override.targets
    .filter((target) => target.delivery === 'queued')
    .map(({ instanceId }): DeliveryUpdate => {
      const change = { instanceId, delivery: 'expired' as const, reason: ENDED_UNSENT };
      const audit = deliveryAudit(core, record, change);
      return { overrideId: record.id, ...change, at, audit };
    });
  const [after] = unsent.length > 0 ? await core.store.recordDeliveries(unsent) : [];
  const ended = after ?? result.override;
  showOverride(core, ended, result.revision);
  return ended;
}

/** A delivery that was never sent cannot have been applied. */
export function wasSent(target: OverrideRecord['targets'][number]): boolean {
  if (target.delivery === 'queued') return false;
  return target.reason !== NEVER_SENT && target.reason !== ENDED_UNSENT;
}
