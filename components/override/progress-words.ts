import type { DeliveryState, OverrideTargetView, OverrideView } from '@/lib/protocol/views';
import { KINDS } from './kinds';

const DELIVERY: Record<DeliveryState, string> = {
  queued: 'Queued',
  sent: 'Sent',
  applied: 'Applied',
  rejected: 'Rejected',
  expired: 'Expired',
  superseded: 'Superseded',
  unknown: 'No answer',
  applied_late: 'Applied late',
};

export const deliveryWord = (delivery: DeliveryState): string => DELIVERY[delivery];

export type DeliveryTone = 'ok' | 'wait' | 'bad' | 'off';

const TONES: Record<DeliveryState, DeliveryTone> = {
  queued: 'wait',
  sent: 'wait',
  applied: 'ok',
  applied_late: 'ok',
  rejected: 'bad',
  unknown: 'bad',
  expired: 'bad',
  superseded: 'off',
};

export const deliveryTone = (delivery: DeliveryState): DeliveryTone => TONES[delivery];

const applied = (target: OverrideTargetView) =>
  target.delivery === 'applied' || target.delivery === 'applied_late';

/** Offline instances that have not answered: they get it when they come back, if they do in time. */
const missing = (target: OverrideTargetView) => !applied(target) && target.liveness === 'offline';

function count(
  targets: readonly OverrideTargetView[],
  word: string,
  test: (one: OverrideTargetView) => boolean,
) {
  const found = targets.filter(test).length;
  return found === 0 ? [] : [`${found} ${word}`];
}

/**
 * "applied on 2 of 3, 1 offline": never stronger than what the instances said. `uncovered` are live
 * instances that are no target: started after the command, they go by their own rules.
 */
export function progressText(override: Pick<OverrideView, 'targets'>, uncovered = 0): string {
  const { targets } = override;
  const open = targets.filter((one) => !applied(one) && !missing(one));
  const parts = [
    `applied on ${targets.filter(applied).length} of ${targets.length}`,
    ...count(targets, 'of them gone since', (one) => applied(one) && one.liveness === 'offline'),
    ...count(targets, 'offline', missing),
    ...count(open, 'refused', (one) => one.delivery === 'rejected'),
    ...count(open, 'expired', (one) => one.delivery === 'expired'),
    ...count(open, 'without an answer', (one) => one.delivery === 'unknown'),
    ...count(open, 'superseded', (one) => one.delivery === 'superseded'),
    ...count(open, 'waiting', (one) => deliveryTone(one.delivery) === 'wait'),
    ...(uncovered === 0 ? [] : [`${uncovered} live without it`]),
  ];
  return parts.join(', ');
}

/** The same over all breakers of a command; an instance counts once for each breaker. */
export function groupProgressText(overrides: readonly Pick<OverrideView, 'targets'>[]): string {
  const text = progressText({ targets: overrides.flatMap((one) => one.targets) });
  return overrides.length > 1 ? `${text}, over ${overrides.length} breakers` : text;
}

const FAILED: ReadonlySet<DeliveryState> = new Set(['rejected', 'expired', 'unknown']);

type Asked = Pick<OverrideView, 'breakerId' | 'createdAt' | 'targets'>;

/**
 * Instances that did not do it, will not do it by themselves any more, and were not asked anything
 * about this breaker since.
 */
export function leftOf(override: Asked, live: readonly Asked[]): string[] {
  const later = live.filter(
    ({ breakerId, createdAt }) =>
      breakerId === override.breakerId && createdAt > override.createdAt,
  );
  const asked = new Set(later.flatMap(({ targets }) => targets.map((one) => one.instanceId)));
  return override.targets
    .filter(({ delivery, instanceId }) => FAILED.has(delivery) && !asked.has(instanceId))
    .map(({ instanceId }) => instanceId);
}

/** Live instances that were no target when the command was given. A reset is over at once. */
export function uncoveredBy(
  override: Pick<OverrideView, 'targets' | 'kind'>,
  instances: readonly { instanceId: string; liveness: string }[],
): number {
  if (override.kind === 'reset') return 0;
  const targets = new Set(override.targets.map(({ instanceId }) => instanceId));
  return instances.filter((one) => one.liveness === 'live' && !targets.has(one.instanceId)).length;
}

export type Progress = 'waiting' | 'all' | 'some' | 'none';

export function progressOf(override: Pick<OverrideView, 'targets'>): Progress {
  const { targets } = override;
  const done = targets.filter(applied).length;
  if (done === targets.length) return 'all';
  if (targets.some((one) => deliveryTone(one.delivery) === 'wait' && !missing(one)))
    return 'waiting';
  return done > 0 ? 'some' : 'none';
}

/** Whether what an instance reports agrees with what was asked of it; null: it has said nothing. */
export function agrees(override: OverrideView, target: OverrideTargetView): boolean | null {
  // The last word of an instance that is gone says nothing about now.
  if (target.reportedState === null || target.liveness === 'offline') return null;
  if (override.endedAt !== null || override.kind === 'reset') return null;
  return target.reportedState === KINDS[override.kind].target;
}

const ENDS: Record<NonNullable<OverrideView['endReason']>, string> = {
  lease: 'The lease ended',
  released: 'Returned to automatic',
  superseded: 'Another override took over',
  undeliverable: 'No instance took it',
  restarts: 'Stopped: the instance restarts too often',
  done: 'Done',
};

export function endText(override: Pick<OverrideView, 'endReason' | 'endedBy'>): string {
  if (override.endReason === null) return '';
  const by = override.endedBy === null ? '' : ` by ${override.endedBy}`;
  return `${ENDS[override.endReason]}${override.endReason === 'released' ? by : ''}`;
}
