import type { OverrideRecord } from '../../store/port';
import { nameOf, type Caller } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { endOverrides } from '../overrides/end-override';

export async function overrideOrThrow(core: Core, id: string): Promise<OverrideRecord> {
  const record = core.fleet.overrides.get(id)?.record ?? (await core.store.getOverride(id));
  if (record === null) throw new RecloserError('not_found', 'the override is not known');
  return record;
}

/**
 * Back to automatic: the safe direction, all in one transaction. Those that have ended stay as they
 * are. Runs within the lane.
 */
export async function release(
  core: Core,
  caller: Caller,
  records: readonly OverrideRecord[],
  note: string | undefined,
): Promise<void> {
  const active = records.filter(({ endedAt }) => endedAt === null);
  if (active.length === 0) return;
  await endOverrides(core, active, { reason: 'released', by: nameOf(caller), caller, note });
}
