import { ok, type Service, work } from '../service';

export const payments: Service = {
  name: 'payments',
  owner: 'Team Payments',
  instances: 2,
  breakers: {},
  start: () => ({
    async handle(path) {
      await work(12, 28);
      return ok(path === '/methods' ? { methods: ['card', 'invoice'] } : { paid: true });
    },
  }),
};
