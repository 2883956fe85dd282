import type { Core } from './core';
import type { Objects } from './door';

/** Where the things are that a verb names, for the gate. */
export function createObjects(core: Core): Objects {
  const { fleet, store } = core;
  const breaker: Objects['breaker'] = (id) => {
    const serviceId = fleet.breakers.get(id)?.record.serviceId;
    const service = serviceId === undefined ? undefined : fleet.services.get(serviceId)?.record;
    return service ? { environment: service.environment, service: service.name } : null;
  };
  return {
    breaker,
    override: async (id) => {
      const record = fleet.overrides.get(id)?.record ?? (await store.getOverride(id));
      return record === null ? null : breaker(record.breakerId);
    },
    token: async (id) => {
      const record = (await store.listTokens()).find((one) => one.id === id);
      return record === undefined
        ? null
        : { environment: record.environment, service: record.servicePattern };
    },
  };
}
