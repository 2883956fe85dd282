import type { OverrideRecord } from '../../store/port';
import { nameOf } from '../caller';
import type { Overrides } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { overrideViewOf } from '../feed/views';
import { endOverride } from './end-override';

export async function overrideOrThrow(core: Core, id: string): Promise<OverrideRecord> {
  const record = core.fleet.overrides.get(id)?.record ?? (await core.store.getOverride(id));
  if (record === null) throw new RecloserError('not_found', 'the override is not known');
  return record;
}

/** Back to automatic: the safe direction. Releasing one that has ended changes nothing. */
export function createReleaseOverride(core: Core): Overrides['release'] {
  return (caller, id, { reason }) =>
    core.overrideLane(async () => {
      const record = await overrideOrThrow(core, id);
      const end = { reason: 'released', by: nameOf(caller), caller, note: reason } as const;
      const ended = record.endedAt === null ? await endOverride(core, record, end) : null;
      return overrideViewOf(core.fleet, ended ?? (await overrideOrThrow(core, id)));
    });
}
