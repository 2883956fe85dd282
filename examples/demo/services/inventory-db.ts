import { capacityRps, coldStore, inventoryDb, serve, warmStore } from '../capacity';
import { failed, ok, pause, type Running, type Service } from '../service';

function startStore(): Running {
  let store = warmStore();
  return {
    async handle() {
      const { store: next, answer } = serve(store, performance.now(), inventoryDb);
      store = next;
      // Accepted and lost: the caller's own deadline has to end it.
      if (answer.kind === 'lost') return 'never';
      if (answer.kind === 'overloaded') return failed(503, 'queue full');
      await pause(answer.latencyMs);
      return ok({ rows: 1 });
    },
    restartCold() {
      store = coldStore();
    },
    warmUp() {
      store = warmStore();
    },
    describe: () => ({
      warmth: Number(store.warmth.toFixed(2)),
      capacityRps: Math.round(capacityRps(store, inventoryDb)),
    }),
  };
}

const copy = (name: string): Service => ({
  name,
  owner: 'Team Databases',
  instances: 1,
  breakers: {},
  start: startStore,
});

export const inventoryDbRamp = copy('inventory-db');
export const inventoryDbClassic = copy('inventory-db-classic');
