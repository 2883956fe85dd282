import { rampPolicy } from '../policies';
import { ok, type Service, work } from '../service';

export const checkout: Service = {
  name: 'checkout',
  owner: 'Team Checkout',
  instances: 2,
  breakers: {
    inventory: { target: 'inventory', policy: rampPolicy },
    payments: { target: 'payments', policy: rampPolicy },
  },
  start: (tools) => ({
    async handle() {
      await work(2, 5);
      try {
        await tools.guarded('inventory', '/stock', { idempotent: true });
        await tools.guarded('payments', '/pay', { idempotent: false });
        return ok({ order: 'placed' });
      } catch {
        // Taken and paid later: a payment provider that is down does not take checkout with it.
        return ok({ order: 'kept for later' });
      }
    },
  }),
};
