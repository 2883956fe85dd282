import { z } from 'zod';
import { simulatorBody } from '@/lib/protocol/simulation';
import { route } from '../route';

export const simulatorRoutes = [
  route({
    method: 'get',
    path: '/api/simulator',
    summary: 'Whether the built-in simulator runs or has left data',
    response: simulatorBody,
    handle: (_input, { services }) => services.simulator.status(),
  }),
  route({
    method: 'post',
    path: '/api/simulator/start',
    summary: 'Start the built-in simulator; it stops by itself after an hour',
    body: z.strictObject({}),
    response: simulatorBody,
    handle: (_input, { services }) => services.simulator.start(),
  }),
  route({
    method: 'post',
    path: '/api/simulator/remove',
    summary: 'Stop the simulator and delete everything of it, except rows of the audit',
    body: z.strictObject({}),
    response: simulatorBody,
    handle: (_input, { services }) => services.simulator.remove(),
  }),
];
