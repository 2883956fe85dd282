import type { SinkHealth } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import type { AuditKeeper } from './keeper';

/** Rows are copied four times a second: one that is this old does not get through. */
const LATE_MS = 10_000;

export async function sinkHealthOf(core: Core, keeper: AuditKeeper): Promise<SinkHealth | null> {
  const required = core.sinkRequired === true;
  const sink = await keeper.sink();
  if (sink === null) return required ? { state: 'failing', lagMs: 0, required } : null;
  const { state, lagMs } = sink;
  return { state: lagMs > LATE_MS ? 'failing' : state, lagMs, required };
}

/** [S-29] Where the second place is required: no sink, no action. */
export function createSinkRule(core: Core, keeper: AuditKeeper): () => Promise<void> {
  return async () => {
    if (core.sinkRequired !== true) return;
    const health = await sinkHealthOf(core, keeper);
    if (health?.state !== 'failing') return;
    throw new RecloserError(
      'read_only',
      'Nothing was changed, because it could not be recorded: the second audit sink does not take rows.',
      { details: { reason: 'audit_sink', lagMs: health.lagMs } },
    );
  };
}
