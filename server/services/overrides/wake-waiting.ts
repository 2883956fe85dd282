import type { Core } from '../core';
import { WAITS_FOR_BREAKER } from './reasons';

/** The instance has these breakers now: what waited for one of them is asked again. */
export function wakeWaiting(core: Core, instanceId: string, breakerIds: readonly string[]): void {
  const { overrides } = core.fleet;
  const came = new Set(breakerIds);
  const waits = overrides.activeOfInstance(instanceId).some(({ record }) => {
    const target = record.targets.find((one) => one.instanceId === instanceId);
    const waiting = target?.delivery === 'queued' && target.reason === WAITS_FOR_BREAKER;
    return waiting && came.has(record.breakerId);
  });
  if (!waits) return;
  const revision = overrides.desiredRevision;
  core.bus.publish({ type: 'desired', instanceIds: [instanceId], revision });
}
