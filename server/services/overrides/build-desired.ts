import type { Desired, DesiredOverride } from '@/lib/protocol/server-frames';
import type { DeliveryUpdate, OverrideRecord } from '../../store/port';
import { createBatched } from '../batched';
import type { Agents, AgentSession } from '../contract';
import type { Core } from '../core';
import type { OverrideEntry } from '../fleet/entries';
import type { Connection } from '../agents/connections';
import { deliveryAudit } from './end-override';
import { deliverByMono, REAPPLY_WITHIN_MS } from './limits';
import { RESTARTS_TOO_OFTEN } from './reasons';
import { showOverrides } from './show-override';

const REAPPLY_LIMIT = 3;
const REAPPLY_WINDOW_MS = 600_000;

/** What to do with one override for one session; null leaves it out of the set. */
type Plan = {
  readonly deliverWithinMs: number;
  /** Null when the stored delivery stays as it is. */
  readonly become: 'sent' | null;
  readonly again: boolean;
  /** It has a new time for its answer. */
  readonly renews: boolean;
};

type Target = OverrideRecord['targets'][number];

const APPLIED_ONCE: ReadonlySet<string> = new Set(['applied', 'applied_late', 'superseded']);
const TURNED_DOWN: ReadonlySet<string> = new Set(['rejected', 'expired']);

/** What has not been answered yet. */
function planOpen(target: Target, untilDeliverBy: number, fresh: boolean): Plan | null {
  const plan = { deliverWithinMs: untilDeliverBy, again: false, renews: false };
  if (target.delivery === 'sent' && !fresh) return { ...plan, become: null };
  return untilDeliverBy > 0 ? { ...plan, become: 'sent' } : null;
}

function planFor(
  entry: OverrideEntry,
  target: Target,
  connection: Connection,
  mono: number,
): Plan | null {
  const { delivery } = target;
  const untilDeliverBy = Math.max(0, deliverByMono(entry, target.instanceId) - mono);
  // A process that started after the last news of the delivery cannot have it.
  const fresh = connection.startedAt > target.updatedAt;
  if (delivery === 'queued' || delivery === 'sent') return planOpen(target, untilDeliverBy, fresh);
  if (entry.record.kind === 'reset') return null;
  // It may be applied there: only the instance knows, and a new process cannot.
  if (delivery === 'unknown') {
    return fresh ? null : { deliverWithinMs: 0, become: null, again: false, renews: false };
  }
  const deliverWithinMs = Math.min(REAPPLY_WITHIN_MS, Math.max(0, entry.endsMono - mono));
  if (APPLIED_ONCE.has(delivery)) {
    return { deliverWithinMs, become: fresh ? 'sent' : null, again: fresh, renews: fresh };
  }
  // A lease that was changed since is another question.
  const changed = target.leaseRevision < entry.record.leaseRevision;
  return TURNED_DOWN.has(delivery) && changed
    ? { deliverWithinMs, become: 'sent', again: false, renews: true }
    : null;
}

/** At most three times in ten minutes: a process that keeps dying is not helped by it. */
class Reapplications {
  readonly #times = new Map<string, number[]>();

  allow(key: string, mono: number): boolean {
    const recent = (this.#times.get(key) ?? []).filter((at) => mono - at < REAPPLY_WINDOW_MS);
    const allowed = recent.length < REAPPLY_LIMIT;
    this.#times.set(key, allowed ? [...recent, mono] : recent);
    return allowed;
  }

  forget(alive: (key: string) => boolean): void {
    for (const key of this.#times.keys()) if (!alive(key)) this.#times.delete(key);
  }
}

function scopeText({ targets, includeNew }: OverrideRecord): string {
  const listed = `${targets.length} listed ${targets.length === 1 ? 'instance' : 'instances'}`;
  return includeNew ? `${listed} and new ones` : listed;
}

function wireOf(
  core: Core,
  record: OverrideRecord,
  plan: Plan,
  remainingMs: number,
): DesiredOverride {
  const { leaseRevision } = record;
  return {
    id: record.id,
    breaker: core.fleet.breakers.get(record.breakerId)?.record.name ?? '',
    kind: record.kind,
    generation: record.generation,
    deliverWithinMs: plan.deliverWithinMs,
    remainingMs: record.kind === 'reset' ? 0 : remainingMs,
    ...(leaseRevision === 0 ? {} : { leaseRevision }),
    reason: record.reason,
    actor: record.actor,
    scope: scopeText(record),
  };
}

type Built = { readonly overrides: DesiredOverride[]; readonly updates: DeliveryUpdate[] };

function tooOften(core: Core, entry: OverrideEntry, session: AgentSession): DeliveryUpdate {
  const { record } = entry;
  const { instanceId, instance } = session;
  core.log.error(
    { overrideId: record.id, instance },
    'an override is not applied again: the instance restarts too often',
  );
  const change = { instanceId, delivery: 'expired' as const, reason: RESTARTS_TOO_OFTEN };
  const audit = deliveryAudit(core, record, change);
  const { leaseRevision } = record;
  return { overrideId: record.id, at: core.clock.wall(), ...change, leaseRevision, audit };
}

function sentUpdate(core: Core, entry: OverrideEntry, instanceId: string, plan: Plan) {
  const { record } = entry;
  const at = core.clock.wall();
  const reason = plan.again ? 'the instance was restarted' : null;
  const change = { instanceId, delivery: 'sent' as const, reason };
  const audit = plan.again ? deliveryAudit(core, record, change) : null;
  // Where the first limit is over by now, the time for the answer counts from here.
  const renewed = plan.renews ? { deliverBy: at + plan.deliverWithinMs } : {};
  return { overrideId: record.id, at, ...change, ...renewed, audit };
}

function build(core: Core, session: AgentSession, connection: Connection, re: Reapplications) {
  const mono = core.clock.mono();
  const { instanceId } = session;
  const built: Built = { overrides: [], updates: [] };
  for (const entry of core.fleet.overrides.activeOfInstance(instanceId)) {
    const { record } = entry;
    const target = record.targets.find((one) => one.instanceId === instanceId);
    const remainingMs = Math.max(0, entry.endsMono - mono);
    const plan = target && planFor(entry, target, connection, mono);
    if (!plan || (record.kind !== 'reset' && remainingMs === 0)) continue;
    if (plan.again && !re.allow(`${record.id} ${instanceId}`, mono)) {
      built.updates.push(tooOften(core, entry, session));
      continue;
    }
    if (plan.become !== null) built.updates.push(sentUpdate(core, entry, instanceId, plan));
    connection.asked.add(record.id);
    built.overrides.push(wireOf(core, record, plan, remainingMs));
  }
  return built;
}

/**
 * The whole wanted set of one instance with the time that is left. What is sent is stored as sent
 * first.
 */
export function createBuildDesired(core: Core): Agents['desired'] {
  const re = new Reapplications();
  const { overrides } = core.fleet;
  const answer = (set: DesiredOverride[]): Desired => ({
    type: 'desired',
    revision: overrides.desiredRevision,
    overrides: set,
  });
  const batched = createBatched<AgentSession, Desired>(core.overrideLane, async (sessions) => {
    re.forget((key) => overrides.get(key.split(' ')[0] ?? '') !== undefined);
    const built = sessions.map((session): Built => {
      const connection = core.connections.find(session);
      if (connection === undefined) return { overrides: [], updates: [] };
      return build(core, session, connection, re);
    });
    const updates = built.flatMap((one) => one.updates);
    if (updates.length > 0) showOverrides(core, await core.store.recordDeliveries(updates));
    return built.map((one) => answer(one.overrides));
  });
  return async (session) => {
    if (!session.token.abilities.includes('obey')) return answer([]);
    if (overrides.activeOfInstance(session.instanceId).length === 0) return answer([]);
    return batched(session);
  };
}
