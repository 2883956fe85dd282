import { ok, type Service, work } from '../service';

export const pricing: Service = {
  name: 'pricing',
  owner: 'Team Catalogue',
  instances: 2,
  breakers: {},
  start: () => ({
    async handle() {
      await work(4, 10);
      return ok({ price: 1_990, currency: 'EUR' });
    },
  }),
};
