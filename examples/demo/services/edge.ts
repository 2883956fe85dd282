import { rampPolicy } from '../policies';
import { ok, type Service } from '../service';

const read = { idempotent: true };

export const edge: Service = {
  name: 'edge',
  owner: 'Team Storefront',
  instances: 2,
  breakers: {
    checkout: { target: 'checkout', policy: rampPolicy },
    inventory: { target: 'inventory', policy: rampPolicy },
    payments: { target: 'payments', policy: rampPolicy },
    pricing: {
      target: 'pricing',
      policy: rampPolicy,
      leftBehind: { instance: 'edge-2', policy: { ...rampPolicy, callTimeoutMs: 5_000 } },
    },
  },
  start: (tools) => ({
    async handle(path) {
      const missing: string[] = [];
      const ask = (breaker: string, at: string, options = read) =>
        tools.guarded(breaker, at, options).catch(() => void missing.push(breaker));

      if (path === '/order') await ask('checkout', '/order', { idempotent: false });
      else if (path === '/methods') await ask('payments', '/methods');
      else await Promise.all([ask('pricing', '/price'), ask('inventory', '/stock')]);
      // A page without one of its parts is still a page.
      return ok({ page: path, missing });
    },
  }),
};
