import type { Scope } from '@/lib/protocol/access';
import type { CommandScope } from '@/lib/protocol/commands';
import { resolveScope } from './commands/scope';
import type { Core } from './core';
import type { Objects } from './door';
import { RecloserError } from './errors';

/** Where the things are that a verb names, for the gate. */
export function createObjects(core: Core): Objects {
  const { fleet, store } = core;
  const breaker: Objects['breaker'] = (id) => {
    const serviceId = fleet.breakers.get(id)?.record.serviceId;
    const service = serviceId === undefined ? undefined : fleet.services.get(serviceId)?.record;
    return service ? { environment: service.environment, service: service.name } : null;
  };
  function servicesOf(scope: CommandScope): readonly Scope[] | null {
    try {
      const { environment, parts } = resolveScope(core, scope);
      const ids = new Set(parts.map((part) => part.breaker.record.serviceId));
      return [...ids].map((id) => ({
        environment,
        service: fleet.services.get(id)?.record.name ?? '',
      }));
    } catch (error) {
      if (error instanceof RecloserError) return null;
      throw error;
    }
  }
  /** Where it is; before it was issued, where its scope would take it now. */
  async function ofCommand(id: string): Promise<readonly Scope[] | null> {
    const command = await store.getCommand(id);
    if (command === null) return null;
    const issued = (await store.overridesOfCommand(id)).flatMap(
      ({ breakerId }) => breaker(breakerId) ?? [],
    );
    return issued.length > 0 ? issued : servicesOf(command.scope);
  }
  async function ofOverride(id: string): Promise<Scope | null> {
    const record = fleet.overrides.get(id)?.record ?? (await store.getOverride(id));
    return record === null ? null : breaker(record.breakerId);
  }
  return {
    breaker,
    scope: servicesOf,
    command: ofCommand,
    release: async (id) => {
      const release = await store.getRelease(id);
      const found = await Promise.all((release?.overrideIds ?? []).map(ofOverride));
      return release === null ? null : found.flatMap((scope) => scope ?? []);
    },
    review: async (id) => {
      const review = await store.getReview(id);
      return review === null ? null : ofCommand(review.command.id);
    },
    override: ofOverride,
    instance: (id) => {
      const serviceId = fleet.instances.get(id)?.record.serviceId;
      const service = serviceId === undefined ? undefined : fleet.services.get(serviceId)?.record;
      return service ? { environment: service.environment, service: service.name } : null;
    },
    token: async (id) => {
      const record = (await store.listTokens()).find((one) => one.id === id);
      return record === undefined
        ? null
        : { environment: record.environment, service: record.servicePattern };
    },
  };
}
