import type { InstanceRecord } from '../../store/port';
import { auditBy, type Caller } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import type { Instances } from './contract';

/** Out of memory and off every screen; gives the breakers that it took part in. */
export function dropInstance(core: Core, id: string): string[] {
  const { fleet, feed } = core;
  const entry = fleet.instances.get(id);
  if (entry === undefined) return [];
  feed.mark('instances', id, true);
  feed.mark('services', entry.record.serviceId, false);
  const breakers = fleet.removeInstance(id);
  for (const breakerId of breakers) feed.mark('breakers', breakerId, true);
  return breakers;
}

/** What nobody has heard for five minutes, or what said goodbye; anything else may be running. */
function assertGone({ instance, liveness }: InstanceRecord): void {
  if (liveness === 'offline') return;
  const why =
    liveness === 'live'
      ? 'it is connected; stop it first, or it would be back at once'
      : 'it is stale, not offline: it may be running and cut off. It can be removed once it has been silent for five minutes';
  throw new RecloserError('conflict', `${instance} was not removed: ${why}.`);
}

function createRemove(core: Core): Instances['remove'] {
  const { fleet, store, clock, feed } = core;
  return async (caller: Caller, id: string) => {
    const record = fleet.instances.get(id)?.record;
    const service = record && fleet.services.get(record.serviceId)?.record;
    if (record === undefined || service === undefined) {
      throw new RecloserError('not_found', 'the instance is not known');
    }
    assertGone(record);
    const { instance, lastSeenAt } = record;
    const { environment, name } = service;
    const removed = await store.removeInstance(id, clock.wall(), {
      at: clock.wall(),
      ...auditBy(caller),
      action: 'instance.removed',
      subject: id,
      outcome: 'done',
      details: { instance, service: name, environment, lastSeenAt },
    });
    // It has come back while the row was written.
    if (!removed) throw new RecloserError('conflict', `${instance} was not removed: it is back.`);
    const breakers = dropInstance(core, id);
    feed.flushUrgent();
    const breakersGone = breakers.filter((one) => fleet.breakers.get(one)?.cells.size === 0);
    return { instanceId: id, instance, serviceId: service.id, breakersGone };
  };
}

export function createInstances(core: Core): Instances {
  return { remove: createRemove(core) };
}
