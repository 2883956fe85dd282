import { fleetBody, serviceBody, servicesBody } from '@/lib/protocol/api';
import { findingsBody, findingsQuery } from '@/lib/protocol/findings';
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
    path: '/api/findings',
    summary: 'Findings of the last hour in all breakers or those of one service, worst first',
    query: findingsQuery,
    response: findingsBody,
    handle: ({ query }, { services }) => services.diagnosis.findings(query),
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
