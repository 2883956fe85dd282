import { classicPolicy, databasePolicy } from '../policies';
import { ok, type Service } from '../service';

/**
 * Reads stock from its database behind a ramping breaker. Every read is mirrored to a second copy
 * of the database behind a classic breaker: same traffic, same faults, different recovery.
 */
export const inventory: Service = {
  name: 'inventory',
  owner: 'Team Warehouse',
  instances: 2,
  breakers: {
    'inventory-db': { target: 'inventory-db', policy: databasePolicy },
    'inventory-db-classic': { target: 'inventory-db-classic', policy: classicPolicy },
  },
  start: (tools) => ({
    async handle() {
      const read = { idempotent: true };
      // Nobody waits for the mirror; what becomes of it shows in its breaker.
      tools.guarded('inventory-db-classic', '/stock', read).catch(() => undefined);
      try {
        await tools.guarded('inventory-db', '/stock', read);
        return ok({ stock: 12 });
      } catch {
        // Old stock is better than no page: callers of inventory stay healthy.
        return ok({ stock: 12, asOf: 'a moment ago' });
      }
    },
  }),
};
