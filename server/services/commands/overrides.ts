import type { OverrideView } from '@/lib/protocol/views';
import type { OverrideRecord } from '../../store/port';
import type { Caller } from '../caller';
import type { Overrides } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { breakerViewOf, overrideViewOf } from '../feed/views';
import type { Issue } from './issue';
import { changeLease } from './lease';
import type { OverrideRate } from './override-rate';
import { refusals } from './preview';
import { withRefusals } from './refusals';
import { overrideOrThrow, release } from './release';

const LISTED = 200;

/** [U-22] What an override of one breaker would hit now. */
function createImpact(core: Core): Overrides['impact'] {
  return async (breakerId, kind) => {
    const { fleet } = core;
    const entry = fleet.breakers.get(breakerId);
    const now = core.clock.wall();
    const view = entry && breakerViewOf(fleet, entry, core.feed.published(breakerId), now);
    if (!entry || !view) throw new RecloserError('not_found', 'the breaker is not known');
    const parts = [{ breaker: entry, instanceIds: [...entry.cells.keys()] }];
    const { live, stale, offline } = view.instances;
    return {
      now,
      breaker: view,
      kind,
      instances: { live, stale, offline },
      callsPerSecond: view.callsPerSecond,
      failureShare: view.failureShare,
      willRefuse: (await refusals(core, kind, parts)).map(
        ({ breakerId: _breaker, ...refusal }) => refusal,
      ),
      activeOverrides: fleet.overrides
        .activeOfBreaker(breakerId)
        .map((one) => overrideViewOf(fleet, one.record)),
      generation: entry.record.generation,
    };
  };
}

/** The short form for one breaker; the same rules as for any command. */
function createIssueOne(core: Core, issue: Issue): Overrides['issue'] {
  return async (caller, body) => {
    const { breakerId, instances: instanceIds, expectedGeneration, ...rest } = body;
    const scope =
      instanceIds === undefined
        ? { kind: 'breaker' as const, breakerId }
        : { kind: 'instances' as const, breakerId, instanceIds };
    const { command, overrides } = await issue(caller, {
      ...rest,
      scope,
      includeNew: false,
      breakGlass: false,
      expectedGenerations: { [breakerId]: expectedGeneration },
    });
    const [only] = overrides;
    if (only !== undefined) return overrideViewOf(core.fleet, only);
    throw new RecloserError('approval_needed', 'a second person has to approve it', {
      details: { commandId: command.id },
    });
  };
}

export function createOverrides(core: Core, issue: Issue, rate: OverrideRate): Overrides {
  const view = (record: OverrideRecord): OverrideView => overrideViewOf(core.fleet, record);
  const fresh = async (id: string): Promise<OverrideView> => view(await overrideOrThrow(core, id));
  const inLane = <T>(
    caller: Caller,
    verb: string,
    id: string,
    work: () => Promise<T>,
  ): Promise<T> =>
    core.overrideLane(() =>
      withRefusals(core, caller, { action: `override.${verb}`, subject: id, details: {} }, work),
    );
  return {
    impact: createImpact(core),
    issue: createIssueOne(core, issue),
    release: (caller, id, { reason }) =>
      inLane(caller, 'release', id, async () => {
        await release(core, caller, [await overrideOrThrow(core, id)], reason);
        return fresh(id);
      }),
    releaseBreaker: (caller, breakerId, { reason }) =>
      inLane(caller, 'release', breakerId, async () => {
        const active = core.fleet.overrides.activeOfBreaker(breakerId);
        const records = active.map(({ record }) => record);
        await release(core, caller, records, reason);
        return Promise.all(records.map(({ id }) => fresh(id)));
      }),
    changeLease: (caller, id, body) =>
      inLane(caller, 'change_lease', id, async () => {
        const records = [await overrideOrThrow(core, id)];
        const [changed] = await changeLease(core, rate, caller, records, body);
        return changed === undefined ? fresh(id) : view(changed);
      }),
    get: fresh,
    list: async (filter) => {
      const records = await core.store.listOverrides({ ...filter, limit: LISTED });
      return records.map(view);
    },
  };
}
