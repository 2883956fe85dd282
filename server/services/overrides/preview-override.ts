import type { Overrides } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { breakerViewOf, overrideViewOf } from '../feed/views';

/** [U-22] What an override of this kind would hit now. */
export function createPreviewOverride(core: Core): Overrides['impact'] {
  return async (breakerId, kind) => {
    const { fleet } = core;
    const entry = fleet.breakers.get(breakerId);
    const now = core.clock.wall();
    const view = entry && breakerViewOf(fleet, entry, core.feed.published(breakerId), now);
    if (!entry || !view) throw new RecloserError('not_found', 'the breaker is not known');
    const willRefuse = [...entry.cells.keys()].flatMap((instanceId) => {
      const record = fleet.instances.get(instanceId)?.record;
      if (record === undefined || record.accepts.kinds.includes(kind)) return [];
      const why = `its own policy does not accept ${kind.replace('_', ' ')}`;
      return [{ instanceId, instance: record.instance, why }];
    });
    const { live, stale, offline } = view.instances;
    return {
      now,
      breaker: view,
      kind,
      instances: { live, stale, offline },
      callsPerSecond: view.callsPerSecond,
      failureShare: view.failureShare,
      willRefuse,
      activeOverrides: fleet.overrides
        .activeOfBreaker(breakerId)
        .map((one) => overrideViewOf(fleet, one.record)),
      generation: entry.record.generation,
    };
  };
}
