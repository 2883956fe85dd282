import { isSimulated, SIMULATED_ENVIRONMENT } from '@/lib/protocol/simulated';
import type { AuditInsert } from '../../store/port';
import { auditBy, type Caller } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { endOverrides } from '../overrides/end-override';
import type { SimulatedFleet, Simulator } from './contract';

const NOWHERE: SimulatedFleet = {
  endsAt: null,
  isReady: false,
  start: () => undefined,
  stop: async () => undefined,
};

const servicesOf = ({ fleet }: Core) =>
  [...fleet.services.values()].filter(({ record }) => isSimulated(record));

function audit(core: Core, caller: Caller, action: string, details: object): AuditInsert {
  return {
    at: core.clock.wall(),
    ...auditBy(caller),
    action,
    subject: SIMULATED_ENVIRONMENT,
    outcome: 'done',
    details: { ...details },
  };
}

/** Out of memory and off every screen. */
function forget(core: Core): void {
  const { fleet, feed, waiting, releases } = core;
  for (const [id, command] of waiting) if (isSimulated(command)) waiting.delete(id);
  for (const { record } of servicesOf(core)) {
    const gone = fleet.removeService(record.id);
    for (const [id, { overrideIds }] of releases) {
      if (overrideIds.some((one) => gone.overrides.includes(one))) releases.delete(id);
    }
    for (const id of gone.breakers) feed.mark('breakers', id, true);
    for (const id of gone.instances) feed.mark('instances', id, true);
    for (const id of gone.overrides) feed.mark('overrides', id, true);
    feed.mark('services', record.id, true);
  }
  feed.flushUrgent();
}

function createRemove(core: Core, fleet: SimulatedFleet): (caller: Caller) => Promise<void> {
  return async (caller) => {
    await fleet.stop();
    await core.commit.drain();
    await core.overrideLane(async () => {
      const services = servicesOf(core);
      const active = services
        .flatMap(({ breakers }) => [...breakers])
        .flatMap((id) => core.fleet.overrides.activeOfBreaker(id).map(({ record }) => record));
      if (active.length > 0) {
        await endOverrides(core, active, { reason: 'released', by: 'simulator', caller });
      }
      const breakers = services.reduce((sum, one) => sum + one.breakers.size, 0);
      const row = audit(core, caller, 'simulator.removed', { breakers });
      await core.store.removeEnvironment(SIMULATED_ENVIRONMENT, row);
      forget(core);
    });
  };
}

/** [U-39] What the console shows before there is anything to show. */
export function createSimulatorVerbs(core: Core): Simulator {
  const fleet = core.simulated ?? NOWHERE;
  const remove = createRemove(core, fleet);
  const status: Simulator['status'] = async () => {
    const services = servicesOf(core);
    const stored = services.length > 0 ? 'stopped' : 'absent';
    return {
      state: fleet.endsAt === null ? stored : 'running',
      endsAt: fleet.endsAt,
      breakers: services.reduce((sum, { breakers }) => sum + breakers.size, 0),
    };
  };
  return {
    status,
    start: async (caller) => {
      if (!fleet.isReady) {
        throw new RecloserError('not_ready', 'The console takes no agents yet; try again.');
      }
      await core.store.appendAudit(audit(core, caller, 'simulator.started', {}));
      fleet.start();
      return status();
    },
    remove: async (caller) => {
      await remove(caller);
      return status();
    },
  };
}
