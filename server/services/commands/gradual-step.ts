import type { ReleaseRecord, TargetRelease } from '../../store/port';
import type { OverrideRecord } from '../../store/port';
import { auditBy, SYSTEM, type Caller } from '../caller';
import type { Core } from '../core';
import { endOverrides } from '../overrides/end-override';
import { showOverrides } from '../overrides/show-override';

type Target = OverrideRecord['targets'][number];
type Found = { readonly record: OverrideRecord; readonly target: Target };
type Change = Partial<Pick<ReleaseRecord, 'status' | 'statusReason' | 'nextAt'>>;

const WATCHED: ReadonlySet<string | null> = new Set(['released', 'confirmed']);

export function recordsOf(core: Core, release: ReleaseRecord): OverrideRecord[] {
  return release.overrideIds.flatMap((id) => core.fleet.overrides.get(id)?.record ?? []);
}

const targetsOf = (records: readonly OverrideRecord[]): Found[] =>
  records.flatMap((record) => record.targets.map((target) => ({ record, target })));

const outcomeOf = (
  { record, target }: Found,
  outcome: TargetRelease['outcome'],
): TargetRelease => ({
  overrideId: record.id,
  instanceId: target.instanceId,
  releasedAt: target.releasedAt ?? 0,
  outcome,
});

/** It opened by itself after it was let go. */
function tripped(core: Core, { record, target }: Found): boolean {
  const word = core.fleet.cell(record.breakerId, target.instanceId)?.word;
  const since = word?.since ?? 0;
  return word?.state.state === 'open' && since >= (target.releasedAt ?? Infinity);
}

const isLive = (core: Core, { target }: Found): boolean =>
  core.fleet.instances.get(target.instanceId)?.record.liveness === 'live';

const letGo = (core: Core, { record, target }: Found): boolean =>
  core.fleet.cell(record.breakerId, target.instanceId)?.word.state.override?.id !== record.id;

const nameOf = (core: Core, { target }: Found): string =>
  core.fleet.instances.get(target.instanceId)?.record.instance ?? target.instanceId;

/** Stores where it stands and what was seen, and shows both. Runs within the lane. */
export async function record(
  core: Core,
  release: ReleaseRecord,
  change: Change & { readonly targets?: readonly TargetRelease[]; readonly action?: string },
  caller: Caller = SYSTEM,
): Promise<ReleaseRecord> {
  const { targets = [], action, ...fields } = change;
  const at = core.clock.wall();
  const moved = fields.status !== undefined && fields.status !== release.status;
  const by = moved ? { statusAt: at, statusBy: auditBy(caller).actor } : {};
  const next: ReleaseRecord = { ...release, ...fields, ...by };
  const { overrides, revision } = await core.store.stepRelease({
    release: next,
    targets,
    audit:
      action === undefined
        ? null
        : {
            at,
            ...auditBy(caller),
            action: `release.${action}`,
            subject: release.id,
            outcome: action === 'stopped' ? 'failed' : 'done',
            details: {
              overrideIds: release.overrideIds,
              reason: next.statusReason,
              targets: targets.map(({ overrideId, instanceId, outcome }) => ({
                overrideId,
                instanceId,
                outcome,
              })),
            },
          },
  });
  if (next.status === 'running' || next.status === 'stopped') core.releases.set(next.id, next);
  else core.releases.delete(next.id);
  const instanceIds = [...new Set(targets.map(({ instanceId }) => instanceId))];
  showOverrides(core, overrides, revision, instanceIds);
  return next;
}

async function finish(core: Core, release: ReleaseRecord, reason: string | null): Promise<void> {
  const active = recordsOf(core, release).filter(({ endedAt }) => endedAt === null);
  const end = { reason: 'released', by: release.actor, note: release.reason } as const;
  if (active.length > 0) await endOverrides(core, active, end);
  await record(core, release, { status: 'done', statusReason: reason, action: 'done' });
}

/** The instances that come next, with everything that is held on them. */
function nextBatch(release: ReleaseRecord, held: readonly Found[]): Found[] {
  const ids = [...new Set(held.map(({ target }) => target.instanceId))];
  const chosen = new Set(ids.slice(0, release.batchSize));
  return held.filter(({ target }) => chosen.has(target.instanceId));
}

/** What was seen of those that were let go; the first one that trips or holds on stops it all. */
function look(core: Core, release: ReleaseRecord, gone: readonly Found[], due: boolean) {
  const seen: TargetRelease[] = [];
  let problem: string | null = null;
  for (const found of gone.filter(({ target }) => WATCHED.has(target.releaseOutcome))) {
    const waiting = found.target.releaseOutcome === 'released';
    if (tripped(core, found)) {
      seen.push(outcomeOf(found, 'tripped'));
      problem ??= `${nameOf(core, found)} tripped again`;
    } else if (waiting && letGo(core, found)) seen.push(outcomeOf(found, 'confirmed'));
    else if (waiting && due && !isLive(core, found)) seen.push(outcomeOf(found, 'not_heard'));
    else if (waiting && due) problem ??= `${nameOf(core, found)} did not let go`;
  }
  return { seen, problem };
}

/** One look, and the next instances when their time has come. Runs within the lane. */
export async function stepRelease(core: Core, release: ReleaseRecord): Promise<void> {
  const active = recordsOf(core, release).filter(({ endedAt }) => endedAt === null);
  if (active.length === 0) return finish(core, release, 'everything had ended by itself');
  const now = core.clock.wall();
  const due = now >= release.nextAt;
  const all = targetsOf(active);
  const held = all.filter(({ target }) => target.releasedAt === null);
  const gone = all.filter(({ target }) => target.releasedAt !== null);
  const { seen, problem } = look(core, release, gone, due);
  if (problem !== null) {
    const change = { targets: seen, statusReason: problem };
    await record(core, release, { ...change, status: 'stopped', action: 'stopped' });
    return undefined;
  }
  if (!due) {
    if (seen.length > 0) await record(core, release, { targets: seen });
    return undefined;
  }
  if (held.length === 0) return finish(core, release, null);
  const batch = nextBatch(release, held).map((found) => ({
    ...outcomeOf(found, 'released'),
    releasedAt: now,
  }));
  const nextAt = now + release.intervalMs;
  await record(core, release, { targets: [...seen, ...batch], nextAt, action: 'step' });
  return undefined;
}
