import { CONTACT_LOSS_MS, LEASE_PRESETS_MS, type CommandFacts } from '@/lib/protocol/commands';
import type { CommandPreview } from '@/lib/protocol/command-views';
import type { CommandKind } from '@/lib/protocol/breaker-state';
import { asksFor, policyFor } from '@/lib/protocol/risk';
import type { InstanceRecord, TokenRecord } from '../../store/port';
import type { CommandRecord } from '../../store/port';
import type { Core } from '../core';
import { overrideViewOf } from '../feed/views';
import { countInstances, digestOf, expectedOf, factsOf, viewOf } from './facts';
import { isWide, riskOfResolved } from './policy';
import { doubledOf, resolveScope, type Part, type Resolved } from './scope';

/** What is asked for, as far as it changes what would be hit. */
export type Asked = Pick<
  CommandRecord,
  'scope' | 'kind' | 'includeNew' | 'leaseMs' | 'deliverWithinMs' | 'startAt'
>;

/** Why this instance will not do it, as far as can be known before asking. */
function refusalOf(
  { accepts }: InstanceRecord,
  token: TokenRecord | undefined,
  kind: CommandKind,
  leaseMs: number,
): string | null {
  if (token !== undefined && !token.abilities.includes('obey')) {
    return 'its token may publish but not obey';
  }
  if (!accepts.kinds.includes(kind)) {
    return `its own policy does not accept ${kind.replace('_', ' ')}`;
  }
  return kind !== 'reset' && accepts.maxLeaseMs < leaseMs
    ? `its own policy accepts ${Math.floor(accepts.maxLeaseMs / 1_000)} s at most`
    : null;
}

/** Without a lease: the shortest that people are offered. */
export async function refusals(
  core: Core,
  kind: CommandKind,
  parts: readonly Part[],
  leaseMs: number = Math.min(...LEASE_PRESETS_MS),
) {
  const tokens = new Map((await core.store.listTokens()).map((token) => [token.id, token]));
  return parts.flatMap(({ breaker, instanceIds }) =>
    instanceIds.flatMap((instanceId) => {
      const record = core.fleet.instances.get(instanceId)?.record;
      if (record === undefined) return [];
      const token = record.tokenId === null ? undefined : tokens.get(record.tokenId);
      const why = refusalOf(record, token, kind, leaseMs);
      if (why === null) return [];
      return [{ breakerId: breaker.record.id, instanceId, instance: record.instance, why }];
    }),
  );
}

function breakerOf(core: Core, { breaker, instanceIds }: Part) {
  const view = viewOf(core, breaker);
  if (view === null) return [];
  const { id: breakerId, service, name, target, generation, state } = view;
  const { failureShare, failureThreshold } = view;
  return [
    {
      breakerId,
      service,
      name,
      target,
      generation,
      state,
      wouldBeOpen: view.wouldBeOpen,
      instances: countInstances(core, instanceIds),
      callsPerSecond: breaker.spark.callsPerSecond(core.clock.wall()),
      failureShare,
      failureThreshold,
    },
  ];
}

/** Over all breakers, by their calls; null when nobody called. */
function meanShare(breakers: ReturnType<typeof breakerOf>): number | null {
  const known = breakers.filter((one) => one.failureShare !== null);
  if (known.length === 0) return null;
  const weights = known.map(({ callsPerSecond }) => callsPerSecond + 1e-9);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const bad = known.reduce(
    (sum, { failureShare }, at) => sum + (failureShare ?? 0) * (weights[at] ?? 0),
    0,
  );
  return Math.round((bad / whole) * 10_000) / 10_000;
}

/** Who calls the services of this command, and whom its breakers call, in one environment. */
function neighbours(core: Core, { environment, parts }: Resolved) {
  const { services, breakers } = core.fleet;
  const here = [...services.values()].filter(({ record }) => record.environment === environment);
  const byName = new Map(here.map(({ record }) => [record.name, record.id]));
  const own = new Set(parts.map(({ breaker }) => services.get(breaker.record.serviceId)?.record));
  const names = new Set([...own].flatMap((record) => record?.name ?? []));
  const callers = here
    .filter(({ breakers: ids }) =>
      [...ids].some((id) => names.has(breakers.get(id)?.record.target ?? '')),
    )
    .map(({ record }) => ({ serviceId: record.id, service: record.name }));
  const targets = new Set(parts.map(({ breaker }) => breaker.record.target));
  const callees = [...targets].map((target) => ({ target, serviceId: byName.get(target) ?? null }));
  return { callers, callees };
}

export type Previewed = {
  readonly preview: CommandPreview;
  readonly resolved: Resolved;
  readonly facts: CommandFacts;
};

/** [U-22] The one function that counts: for the dialog when it opens and for the command when sent. */
export async function previewCommand(core: Core, asked: Asked): Promise<Previewed> {
  const resolved = resolveScope(core, asked.scope);
  const { environment, parts } = resolved;
  const facts = factsOf(core, parts);
  const policy = policyFor(await core.store.listPolicies(), environment);
  const risk = riskOfResolved(core, asked.kind, isWide(asked.scope), resolved, policy);
  const breakers = parts.flatMap((part) => breakerOf(core, part));
  const instanceIds = new Set(parts.flatMap((part) => part.instanceIds));
  const { scope, kind, includeNew, leaseMs } = asked;
  const preview: CommandPreview = {
    now: core.clock.wall(),
    digest: digestOf(core, asked, facts),
    kind,
    environment,
    scope,
    includeNew,
    risk,
    needs: {
      stepUp: asksFor(policy.stepUp, risk),
      secondPerson: asksFor(policy.twoPerson, risk),
    },
    instances: countInstances(core, instanceIds),
    callsPerSecond: breakers.reduce((sum, one) => sum + one.callsPerSecond, 0),
    failureShare: meanShare(breakers),
    breakers,
    ...neighbours(core, resolved),
    activeOverrides: parts.flatMap(({ breaker }) =>
      core.fleet.overrides
        .activeOfBreaker(breaker.record.id)
        .map(({ record }) => overrideViewOf(core.fleet, record)),
    ),
    willRefuse: await refusals(core, kind, parts, leaseMs),
    doubled: doubledOf(core, resolved).map((instanceId) => ({
      instanceId,
      instance: core.fleet.instances.get(instanceId)?.record.instance ?? instanceId,
    })),
    ends: {
      leaseMs: kind === 'reset' ? null : leaseMs,
      contactLossMs: kind === 'force_closed' ? CONTACT_LOSS_MS : null,
    },
    expectedGenerations: expectedOf(facts),
  };
  return { preview, resolved, facts };
}
