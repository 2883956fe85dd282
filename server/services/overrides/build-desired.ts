import type { Desired, DesiredOverride } from '@/lib/protocol/server-frames';
import type { DeliveryUpdate, OverrideRecord } from '../../store/port';
import type { Agents, AgentSession } from '../contract';
import type { Core } from '../core';
import type { OverrideEntry } from '../fleet/entries';
import type { Connection } from '../agents/connections';
import { deliveryAudit } from './end-override';
import { REAPPLY_WITHIN_MS } from './expire-overrides';
import { showOverride } from './show-override';

const REAPPLY_LIMIT = 3;
const REAPPLY_WINDOW_MS = 600_000;

/** What to do with one override for one session; null leaves it out of the set. */
type Plan = {
  readonly deliverWithinMs: number;
  /** Null when the stored delivery stays as it is. */
  readonly become: 'sent' | null;
  readonly again: boolean;
};

type Target = OverrideRecord['targets'][number];

function planFor(
  entry: OverrideEntry,
  target: Target,
  connection: Connection,
  mono: number,
): Plan | null {
  const untilDeliverBy = Math.max(0, entry.deliverByMono - mono);
  const untilEnd = Math.max(0, entry.endsMono - mono);
  const lasting = entry.record.kind !== 'reset';
  // A process that started after the last news of the delivery cannot have it.
  const fresh = connection.startedAt > target.updatedAt;
  const renewed = Math.min(REAPPLY_WITHIN_MS, untilEnd);
  switch (target.delivery) {
    case 'queued':
      return untilDeliverBy > 0
        ? { deliverWithinMs: untilDeliverBy, become: 'sent', again: false }
        : null;
    case 'sent':
      if (!fresh) return { deliverWithinMs: untilDeliverBy, become: null, again: false };
      return untilDeliverBy > 0
        ? { deliverWithinMs: untilDeliverBy, become: 'sent', again: false }
        : null;
    case 'unknown':
      // It may be applied there: only the instance knows, and a new process cannot.
      return fresh || !lasting ? null : { deliverWithinMs: 0, become: null, again: false };
    case 'applied':
    case 'applied_late':
    case 'superseded':
      if (!lasting) return null;
      return { deliverWithinMs: renewed, become: fresh ? 'sent' : null, again: fresh };
    default:
      return null;
  }
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

function wireOf(
  core: Core,
  record: OverrideRecord,
  plan: Plan,
  remainingMs: number,
): DesiredOverride {
  return {
    id: record.id,
    breaker: core.fleet.breakers.get(record.breakerId)?.record.name ?? '',
    kind: record.kind,
    generation: record.generation,
    deliverWithinMs: plan.deliverWithinMs,
    remainingMs: record.kind === 'reset' ? 0 : remainingMs,
    reason: record.reason,
    actor: record.actor,
    scope: `${record.targets.length} listed ${record.targets.length === 1 ? 'instance' : 'instances'}`,
  };
}

type Built = { readonly overrides: DesiredOverride[]; readonly updates: DeliveryUpdate[] };

function build(
  core: Core,
  session: AgentSession,
  connection: Connection,
  re: Reapplications,
): Built {
  const mono = core.clock.mono();
  const built: Built = { overrides: [], updates: [] };
  for (const entry of core.fleet.overrides.activeOfInstance(session.instanceId)) {
    const { record } = entry;
    const target = record.targets.find((one) => one.instanceId === session.instanceId);
    const remainingMs = Math.max(0, entry.endsMono - mono);
    const plan = target && planFor(entry, target, connection, mono);
    if (!plan || (record.kind !== 'reset' && remainingMs === 0)) continue;
    const { instanceId } = session;
    const base = { overrideId: record.id, instanceId, at: core.clock.wall() };
    if (plan.again && !re.allow(`${record.id} ${instanceId}`, mono)) {
      const reason = 'the instance restarts too often; not applied again';
      const change = { instanceId, delivery: 'expired' as const, reason };
      built.updates.push({ ...base, ...change, audit: deliveryAudit(core, record, change) });
      continue;
    }
    if (plan.become !== null) {
      const reason = plan.again ? 'the instance was restarted' : null;
      const change = { instanceId, delivery: plan.become, reason };
      const audit = plan.again ? deliveryAudit(core, record, change) : null;
      built.updates.push({ ...base, ...change, audit });
    }
    built.overrides.push(wireOf(core, record, plan, remainingMs));
  }
  return built;
}

/**
 * The whole wanted set of one instance with the time that is left. What is sent is stored as sent
 * first.
 */
export function createBuildDesired(core: Core): Agents['desired'] {
  const reapplications = new Reapplications();
  const { overrides } = core.fleet;
  const answer = (set: DesiredOverride[]): Desired => ({
    type: 'desired',
    revision: overrides.desiredRevision,
    overrides: set,
  });
  return async (session) => {
    if (!session.token.abilities.includes('obey')) return answer([]);
    if (overrides.activeOfInstance(session.instanceId).length === 0) return answer([]);
    return core.overrideLane(async () => {
      reapplications.forget((key) => overrides.get(key.split(' ')[0] ?? '') !== undefined);
      const connection = core.connections.find(session);
      if (connection === undefined) return answer([]);
      const built = build(core, session, connection, reapplications);
      const changed =
        built.updates.length > 0 ? await core.store.recordDeliveries(built.updates) : [];
      for (const record of changed) showOverride(core, record);
      return answer(built.overrides);
    });
  };
}
