import type { AppliedFrame } from '@/lib/protocol/agent-frames';
import type { DeliveryState } from '@/lib/protocol/views';
import type { DeliveryUpdate, OverrideRecord } from '../../store/port';
import type { Agents, AgentSession } from '../contract';
import type { Core } from '../core';
import { deliveryAudit, wasSent } from './end-override';
import { endIfDue } from './expire-overrides';
import { adoptOverride, showOverride } from './show-override';

type Answer = AppliedFrame['results'][number];
type Target = OverrideRecord['targets'][number];

const SETTLED_AS_APPLIED: ReadonlySet<DeliveryState> = new Set(['applied', 'applied_late']);
const GIVEN_UP: ReadonlySet<DeliveryState> = new Set(['unknown', 'expired']);

/** Null when the answer says nothing new. */
function outcomeOf(record: OverrideRecord, target: Target, answer: Answer): DeliveryState | null {
  if (answer.outcome !== 'applied') {
    return answer.outcome === target.delivery ? null : answer.outcome;
  }
  if (SETTLED_AS_APPLIED.has(target.delivery)) return null;
  const late = record.endedAt !== null || GIVEN_UP.has(target.delivery);
  return late ? 'applied_late' : 'applied';
}

/** [S-49] Only for an override that was sent to this very instance, about its own breaker. */
function targetOf(
  core: Core,
  session: AgentSession,
  record: OverrideRecord,
  answer: Answer,
): Target | null {
  const breakerId = core.ids.breaker(session.environment, session.service, answer.breaker);
  const target = record.targets.find((one) => one.instanceId === session.instanceId);
  if (record.breakerId !== breakerId || target === undefined || !wasSent(target)) return null;
  return target;
}

async function recordOf(core: Core, id: string): Promise<OverrideRecord | null> {
  const known = core.fleet.overrides.get(id)?.record;
  if (known !== undefined) return known;
  const stored = await core.store.getOverride(id);
  if (stored !== null) adoptOverride(core, stored);
  return stored;
}

async function updateOf(
  core: Core,
  session: AgentSession,
  answer: Answer,
): Promise<DeliveryUpdate | null> {
  const record = await recordOf(core, answer.overrideId);
  const target = record && targetOf(core, session, record, answer);
  if (!record || !target) {
    const { instance } = session;
    core.log.info(
      { instance, overrideId: answer.overrideId },
      'refused an answer nobody asked for',
    );
    return null;
  }
  const delivery = outcomeOf(record, target, answer);
  if (delivery === null) return null;
  const { instanceId } = session;
  const change = { instanceId, delivery, reason: answer.reason ?? null };
  const audit = deliveryAudit(core, record, change, `instance ${session.instance}`);
  return { overrideId: record.id, ...change, at: core.clock.wall(), audit };
}

/** What an instance says it did. Only this makes a delivery applied. */
export function createConfirmOverride(core: Core): Agents['applied'] {
  return (session, frame) =>
    core.overrideLane(async () => {
      const updates: DeliveryUpdate[] = [];
      for (const answer of frame.results) {
        // eslint-disable-next-line no-await-in-loop -- answers may concern the same override
        const update = await updateOf(core, session, answer);
        if (update !== null) updates.push(update);
      }
      if (updates.length === 0) return;
      for (const record of await core.store.recordDeliveries(updates)) {
        showOverride(core, record);
        // eslint-disable-next-line no-await-in-loop -- one transaction at a time
        await endIfDue(core, record.id);
      }
    });
}
