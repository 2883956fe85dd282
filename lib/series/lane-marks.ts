import { contains } from './domain';
import { numberIn } from './events';
import type { HoldMark } from './marks';
import type { EventLike, TimeDomain } from './types';

export type StepMark = { readonly id: number; readonly at: number; readonly step: number };

/** Where the ramp of one instance went to another step. */
export function stepsOf(
  events: readonly EventLike[],
  instanceId: string,
  domain: TimeDomain,
): StepMark[] {
  return events.flatMap((event) => {
    const step = event.type === 'step' ? numberIn(event.data, 'step') : null;
    const mine = event.instanceId === instanceId && contains(domain, event.at);
    return mine && step !== null ? [{ id: event.id, at: event.at, step }] : [];
  });
}

export function holdsOf(holds: readonly HoldMark[], instanceId: string): HoldMark[] {
  return holds.filter((hold) => hold.instanceId === instanceId);
}
