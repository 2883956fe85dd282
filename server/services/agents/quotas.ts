import type { ServiceEntry } from '../fleet/entries';

const MAX_BREAKERS = 500;
const MAX_INSTANCES = 2_000;

/** [S-48] One service's names must not bury the others. */
export function hasRoomForBreaker(service: ServiceEntry): boolean {
  return service.breakers.size + service.pendingBreakers.size < MAX_BREAKERS;
}

export function hasRoomForInstance(service: ServiceEntry | undefined): boolean {
  return (service?.instances.size ?? 0) < MAX_INSTANCES;
}

export const BREAKER_QUOTA_TEXT = `quota: a service may have ${MAX_BREAKERS} breakers`;
export const INSTANCE_QUOTA_TEXT = `quota: a service may have ${MAX_INSTANCES} instances`;
