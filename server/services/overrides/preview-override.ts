import { LEASE_PRESETS_MS } from '@/lib/protocol/api';
import type { CommandKind } from '@/lib/protocol/breaker-state';
import type { InstanceRecord, TokenRecord } from '../../store/port';
import type { Overrides } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { breakerViewOf, overrideViewOf } from '../feed/views';

/** Why this instance will not do it, as far as can be known before asking. */
function refusal(
  { accepts }: InstanceRecord,
  token: TokenRecord | undefined,
  kind: CommandKind,
): string | null {
  if (token !== undefined && !token.abilities.includes('obey')) {
    return 'its token may publish but not obey';
  }
  if (!accepts.kinds.includes(kind)) {
    return `its own policy does not accept ${kind.replace('_', ' ')}`;
  }
  const shortest = Math.min(...LEASE_PRESETS_MS);
  return kind !== 'reset' && accepts.maxLeaseMs < shortest
    ? `its own policy accepts ${Math.floor(accepts.maxLeaseMs / 1_000)} s at most`
    : null;
}

/** [U-22] What an override of this kind would hit now. */
export function createPreviewOverride(core: Core): Overrides['impact'] {
  return async (breakerId, kind) => {
    const { fleet } = core;
    const entry = fleet.breakers.get(breakerId);
    const now = core.clock.wall();
    const view = entry && breakerViewOf(fleet, entry, core.feed.published(breakerId), now);
    if (!entry || !view) throw new RecloserError('not_found', 'the breaker is not known');
    const tokens = await core.store.listTokens();
    const willRefuse = [...entry.cells.keys()].flatMap((instanceId) => {
      const record = fleet.instances.get(instanceId)?.record;
      const token = tokens.find((one) => one.id === record?.tokenId);
      const why = record === undefined ? null : refusal(record, token, kind);
      return record === undefined || why === null
        ? []
        : [{ instanceId, instance: record.instance, why }];
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
