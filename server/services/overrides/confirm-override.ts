import type { AppliedFrame } from '@/lib/protocol/agent-frames';
import type { DeliveryState } from '@/lib/protocol/views';
import type { DeliveryUpdate, OverrideRecord } from '../../store/port';
import type { Connection } from '../agents/connections';
import { createBatched } from '../batched';
import type { Agents, AgentSession } from '../contract';
import type { Core } from '../core';
import { deliveryAudit } from './end-override';
import { endDue } from './expire-overrides';
import { WAITS_FOR_BREAKER } from './reasons';
import { adoptOverride, showOverrides } from './show-override';

type Answer = AppliedFrame['results'][number];
type Target = OverrideRecord['targets'][number];
type Change = {
  readonly delivery: DeliveryState;
  readonly reason: string | null;
  readonly leaseRevision?: number;
  readonly deliverBy?: number;
};

const SETTLED_AS_APPLIED: ReadonlySet<DeliveryState> = new Set(['applied', 'applied_late']);
const GIVEN_UP: ReadonlySet<DeliveryState> = new Set(['unknown', 'expired']);

/**
 * Two processes under one instance id: each answers for itself, and the instance has done it
 * only when both have. Null when they agree; `wait` while one of them has not answered.
 */
function dissent(asked: readonly Connection[], overrideId: string): 'wait' | Change | null {
  if (asked.length < 2) return null;
  const answers = asked.map(({ answers: given }) => given.get(overrideId)?.outcome);
  if (answers.includes(undefined)) return 'wait';
  const kinds = [...new Set(answers)];
  if (kinds.length === 1) return null;
  const counted = kinds.map((kind) => `${answers.filter((one) => one === kind).length} ${kind}`);
  const reason = `${asked.length} processes claim this instance: ${counted.join(', ')}`;
  return { delivery: 'unknown', reason };
}

function appliedChange(record: OverrideRecord, target: Target, answer: Answer): Change | null {
  const leaseRevision = Math.min(answer.leaseRevision ?? 0, record.leaseRevision);
  const reason = answer.reason ?? null;
  if (SETTLED_AS_APPLIED.has(target.delivery)) {
    return leaseRevision === target.leaseRevision && reason === target.reason
      ? null
      : { delivery: target.delivery, reason, leaseRevision };
  }
  const late = record.endedAt !== null || GIVEN_UP.has(target.delivery);
  return { delivery: late ? 'applied_late' : 'applied', reason, leaseRevision };
}

/** Null when the answer says nothing new. */
function changeOf(record: OverrideRecord, target: Target, answer: Answer): Change | null {
  const reason = answer.reason ?? null;
  if (answer.outcome === 'applied') return appliedChange(record, target, answer);
  const open = target.delivery === 'sent' && record.endedAt === null;
  if (answer.outcome === 'rejected' && answer.final === false && open) {
    // One that has been applied here before waits as long as the lease.
    const again = target.deliverBy === null ? {} : { deliverBy: record.endsAt };
    return { delivery: 'queued', reason: WAITS_FOR_BREAKER, ...again };
  }
  if (answer.outcome === target.delivery) return null;
  const leaseRevision = Math.min(answer.leaseRevision ?? Infinity, record.leaseRevision);
  return { delivery: answer.outcome, reason, leaseRevision };
}

async function recordOf(core: Core, id: string): Promise<OverrideRecord | null> {
  const known = core.fleet.overrides.get(id)?.record;
  if (known !== undefined) return known;
  const stored = await core.store.getOverride(id);
  if (stored !== null) adoptOverride(core, stored);
  return stored;
}

/** [S-49] Only from the session that it was sent to, about its own breaker. */
async function askedFor(
  core: Core,
  session: AgentSession,
  answer: Answer,
): Promise<{ record: OverrideRecord; target: Target } | null> {
  const connection = core.connections.find(session);
  if (connection === undefined || !connection.asked.has(answer.overrideId)) return null;
  const record = await recordOf(core, answer.overrideId);
  const target = record?.targets.find((one) => one.instanceId === session.instanceId);
  const breakerId = core.ids.breaker(session.environment, session.service, answer.breaker);
  if (!record || !target || record.breakerId !== breakerId) return null;
  connection.answers.set(answer.overrideId, answer);
  return { record, target };
}

async function updateOf(
  core: Core,
  session: AgentSession,
  given: Answer,
): Promise<DeliveryUpdate | null> {
  const { instance, instanceId } = session;
  const found = await askedFor(core, session, given);
  if (found === null) {
    core.log.info({ instance, overrideId: given.overrideId }, 'refused an answer nobody asked for');
    return null;
  }
  const { record, target } = found;
  const asked = core.connections
    .ofInstance(instanceId)
    .filter((one) => one.asked.has(given.overrideId));
  // One that may still say yes does not contradict anybody yet.
  const contradicted = given.final === false ? null : dissent(asked, record.id);
  const change = contradicted ?? changeOf(record, target, given);
  if (change === null || change === 'wait') return null;
  const routine = change.delivery === 'queued';
  const audit = routine
    ? null
    : deliveryAudit(core, record, { instanceId, ...change }, `instance ${instance}`);
  return { overrideId: record.id, instanceId, ...change, at: core.clock.wall(), audit };
}

type Said = { readonly session: AgentSession; readonly results: readonly Answer[] };

/** What an instance says it did. Only this makes a delivery applied. */
export function createConfirmOverride(core: Core): Agents['applied'] {
  const batched = createBatched<Said, void>(core.overrideLane, async (said) => {
    const updates: DeliveryUpdate[] = [];
    for (const { session, results } of said) {
      for (const answer of results) {
        // eslint-disable-next-line no-await-in-loop -- answers may concern the same override
        const update = await updateOf(core, session, answer);
        if (update !== null) updates.push(update);
      }
    }
    if (updates.length > 0) {
      showOverrides(core, await core.store.recordDeliveries(updates));
      await endDue(
        core,
        updates.map(({ overrideId }) => overrideId),
      );
    }
    return said.map(() => undefined);
  });
  return async (session, frame) => batched({ session, results: frame.results });
}
