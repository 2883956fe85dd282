import type { StartReleaseBody } from '@/lib/protocol/commands';
import type { ReleaseView } from '@/lib/protocol/command-views';
import type { OverrideRecord, ReleaseRecord } from '../../store/port';
import { auditBy, nameOf, type Caller } from '../caller';
import type { Releases } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { record, stepRelease } from './gradual-step';
import { withRefusals } from './refusals';
import { overrideOrThrow } from './release';
import { invalid } from './scope';

const LISTED = 100;

async function viewOf(core: Core, release: ReleaseRecord): Promise<ReleaseView> {
  const records = await Promise.all(release.overrideIds.map((id) => overrideOrThrow(core, id)));
  const targets = records.flatMap(({ id, targets: all }) =>
    all.map((target) => ({ overrideId: id, ...target })),
  );
  const { nextAt, status } = release;
  return {
    ...release,
    overrideIds: [...release.overrideIds],
    nextAt: status === 'running' ? nextAt : null,
    total: targets.length,
    released: targets.filter(({ releasedAt }) => releasedAt !== null).length,
    steps: targets
      .flatMap(({ overrideId, instanceId, releasedAt, releaseOutcome: outcome }) => {
        if (releasedAt === null || outcome === null) return [];
        const instance = core.fleet.instances.get(instanceId)?.record.instance ?? instanceId;
        return [{ overrideId, instanceId, instance, releasedAt, outcome }];
      })
      .sort((a, b) => a.releasedAt - b.releasedAt),
  };
}

async function chosen(core: Core, body: StartReleaseBody): Promise<readonly OverrideRecord[]> {
  const { commandId, overrideIds } = body;
  if ((commandId === undefined) === (overrideIds === undefined)) {
    throw invalid('name either a commandId or overrideIds');
  }
  const records =
    commandId === undefined
      ? await Promise.all((overrideIds ?? []).map((id) => overrideOrThrow(core, id)))
      : await core.store.overridesOfCommand(commandId);
  const active = records.filter(({ endedAt, kind }) => endedAt === null && kind !== 'reset');
  if (active.length === 0) throw new RecloserError('conflict', 'nothing of it is in force');
  return active;
}

function assertFree(core: Core, ids: readonly string[]): void {
  const wanted = new Set(ids);
  for (const { id, overrideIds, actor } of core.releases.values()) {
    if (!overrideIds.some((one) => wanted.has(one))) continue;
    throw new RecloserError('conflict', `${actor} is releasing it already`, {
      details: { releaseId: id },
    });
  }
}

async function start(core: Core, caller: Caller, body: StartReleaseBody): Promise<ReleaseView> {
  const records = await chosen(core, body);
  const overrideIds = records.map(({ id }) => id);
  assertFree(core, overrideIds);
  const at = core.clock.wall();
  const { batchSize, intervalMs, reason = '' } = body;
  const release: ReleaseRecord = {
    id: core.ids.release(),
    actor: nameOf(caller),
    reason,
    createdAt: at,
    overrideIds,
    batchSize,
    intervalMs,
    nextAt: at,
    status: 'running',
    statusAt: at,
    statusBy: nameOf(caller),
    statusReason: null,
  };
  await core.store.putRelease(release, {
    at,
    ...auditBy(caller),
    action: 'release.started',
    subject: release.id,
    outcome: 'done',
    details: { overrideIds, batchSize, intervalMs, reason },
  });
  core.releases.set(release.id, release);
  await stepRelease(core, release);
  return viewOf(core, core.releases.get(release.id) ?? release);
}

async function releaseOrThrow(core: Core, id: string): Promise<ReleaseRecord> {
  const found = core.releases.get(id) ?? (await core.store.getRelease(id));
  if (found === null) throw new RecloserError('not_found', 'the release is not known');
  return found;
}

/** Some instances at a time, and only as long as those that were let go stay well. */
export function createReleases(core: Core): Releases {
  const inLane = (
    caller: Caller,
    verb: string,
    subject: string,
    work: () => Promise<ReleaseView>,
  ): Promise<ReleaseView> =>
    core.overrideLane(() =>
      withRefusals(core, caller, { action: `release.${verb}`, subject, details: {} }, work),
    );
  return {
    start: (caller, body) =>
      inLane(caller, 'start', body.commandId ?? body.overrideIds?.[0] ?? '', () =>
        start(core, caller, body),
      ),
    resume: (caller, id) =>
      inLane(caller, 'resume', id, async () => {
        const release = await releaseOrThrow(core, id);
        if (release.status !== 'stopped') {
          throw new RecloserError(
            'conflict',
            `it is ${release.status}; only a stopped one goes on`,
          );
        }
        const change = {
          status: 'running',
          statusReason: null,
          nextAt: core.clock.wall(),
        } as const;
        return viewOf(core, await record(core, release, { ...change, action: 'resumed' }, caller));
      }),
    cancel: (caller, id) =>
      inLane(caller, 'cancel', id, async () => {
        const release = await releaseOrThrow(core, id);
        if (release.status !== 'running' && release.status !== 'stopped') {
          throw new RecloserError('conflict', `it is ${release.status} by now`);
        }
        const change = { status: 'cancelled', action: 'cancelled' } as const;
        return viewOf(core, await record(core, release, change, caller));
      }),
    get: async (id) => viewOf(core, await releaseOrThrow(core, id)),
    list: async (filter) => {
      const releases = await core.store.listReleases({ ...filter, limit: LISTED });
      return Promise.all(releases.map((release) => viewOf(core, release)));
    },
  };
}

/** Everything that is running looks again; a stopped one waits for a person. */
export function createGoOn(core: Core): () => Promise<void> {
  const running = () => [...core.releases.values()].filter(({ status }) => status === 'running');
  return async () => {
    if (running().length === 0) return;
    await core.overrideLane(async () => {
      for (const release of running()) {
        // eslint-disable-next-line no-await-in-loop -- one transaction at a time
        await stepRelease(core, release);
      }
    });
  };
}
