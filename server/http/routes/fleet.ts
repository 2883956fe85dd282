import { fleetBody, serviceBody, servicesBody } from '@/lib/protocol/api';
import { idParams, route } from '../route';

export const fleetRoutes = [
  route({
    method: 'get',
    path: '/api/fleet',
    summary: 'All breakers, services and overrides at one revision',
    response: fleetBody,
    handle: (_input, { services }) => services.queries.fleet(),
  }),
  route({
    method: 'get',
    path: '/api/services',
    summary: 'All services',
    response: servicesBody,
    handle: async (_input, { services, now }) => ({
      now: now(),
      services: await services.queries.services(),
    }),
  }),
  route({
    method: 'get',
    path: '/api/services/{id}',
    summary: 'One service and its instances',
    params: idParams,
    response: serviceBody,
    handle: ({ params }, { services }) => services.queries.service(params.id),
  }),
];
