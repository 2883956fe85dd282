import { canonicalJson } from '@/lib/protocol/digest';
import type { ChangeLeaseBody } from '@/lib/protocol/commands';
import { asksFor, policyFor } from '@/lib/protocol/risk';
import type { ChangeLease } from '../../store/port';
import type { OverrideRecord } from '../../store/port';
import { auditBy, type Caller } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { showOverrides } from '../overrides/show-override';
import { checkLease } from './limits';
import type { OverrideRate } from './override-rate';
import { isLocal } from './people';
import { riskOfResolved } from './policy';
import { requireStepUp } from './step-up';
import { invalid, type Resolved } from './scope';

function resolvedOf(core: Core, records: readonly OverrideRecord[]): Resolved {
  const parts = records.flatMap(({ breakerId, targets }) => {
    const breaker = core.fleet.breakers.get(breakerId);
    const instanceIds = targets.map((target) => target.instanceId);
    return breaker === undefined ? [] : [{ breaker, instanceIds }];
  });
  const service = core.fleet.services.get(parts[0]?.breaker.record.serviceId ?? '');
  return { environment: service?.record.environment ?? '', parts };
}

function isLonger(
  core: Core,
  records: readonly OverrideRecord[],
  { leaseMs }: ChangeLeaseBody,
): boolean {
  const end = core.clock.wall() + leaseMs;
  return records.some(({ endsAt }) => end > endsAt);
}

/** Making it shorter is the safe direction; making it longer is as grave as asking for it. */
async function checkPolicy(
  core: Core,
  caller: Caller,
  records: readonly OverrideRecord[],
  body: ChangeLeaseBody,
): Promise<void> {
  const [first] = records;
  if (first === undefined || isLocal(caller)) return;
  const resolved = resolvedOf(core, records);
  const policy = policyFor(await core.store.listPolicies(), resolved.environment);
  const risk = riskOfResolved(core, first.kind, records.length > 1, resolved, policy);
  if (asksFor(policy.twoPerson, risk)) {
    throw new RecloserError(
      'approval_needed',
      'a longer lease needs a second person here: ask for the override anew',
    );
  }
  if (!asksFor(policy.stepUp, risk)) return;
  const ids = records.map(({ id, leaseRevision }) => ({ id, leaseRevision }));
  const digest = core.hash(canonicalJson({ lease: ids, leaseMs: body.leaseMs }));
  await requireStepUp(core, caller, digest, body.stepUpId);
}

function changeOf(
  core: Core,
  caller: Caller,
  record: OverrideRecord,
  body: ChangeLeaseBody,
): ChangeLease {
  const at = core.clock.wall();
  const { id, breakerId, kind, createdAt, leaseRevision } = record;
  const endsAt = at + body.leaseMs;
  return {
    id,
    at,
    leaseMs: body.leaseMs,
    endsAt,
    expectedLeaseRevision: body.expectedLeaseRevision ?? leaseRevision,
    audit: {
      at,
      ...auditBy(caller),
      action: 'override.lease_changed',
      subject: id,
      outcome: 'done',
      details: {
        breakerId,
        kind,
        before: { endsAt: record.endsAt, leaseRevision },
        after: { endsAt, leaseRevision: leaseRevision + 1 },
        totalMs: endsAt - createdAt,
        reason: body.reason ?? null,
      },
    },
  };
}

/** A new end, counted from now and within the limits of a new one. Runs within the lane. */
export async function changeLease(
  core: Core,
  rate: OverrideRate,
  caller: Caller,
  records: readonly OverrideRecord[],
  body: ChangeLeaseBody,
): Promise<readonly OverrideRecord[]> {
  for (const { kind, endedAt, endedBy } of records) {
    if (kind === 'reset') throw invalid('a reset happens once and has no lease');
    if (endedAt !== null) throw ended(endedBy);
    checkLease(kind, body.leaseMs);
  }
  const longer = isLonger(core, records, body);
  if (longer) rate.check(caller);
  if (longer) await checkPolicy(core, caller, records, body);
  const inputs = records.map((record) => changeOf(core, caller, record, body));
  const result = await core.store.changeLeases(inputs);
  if (result.kind === 'changed') {
    if (longer) rate.count(caller);
    showOverrides(core, result.overrides, result.revision);
    return result.overrides;
  }
  if (result.kind === 'ended') throw ended(result.override?.endedBy ?? null);
  throw new RecloserError('conflict', 'somebody changed this lease in the meantime', {
    details: {
      leaseRevision: result.override?.leaseRevision ?? null,
      endsAt: result.override?.endsAt ?? null,
    },
  });
}

const ended = (by: string | null): RecloserError =>
  new RecloserError('conflict', by === null ? 'it has ended' : `it was ended by ${by}`, {
    details: { endedBy: by },
  });
