import {
  apiTokensBody,
  apiTokenView,
  createApiTokenBody,
  createdApiTokenBody,
} from '@/lib/protocol/api-tokens';
import { z } from 'zod';
import { idParams, route } from '../route';

export const apiTokenRoutes = [
  route({
    method: 'get',
    path: '/api/api-tokens',
    summary: 'Own API tokens; those of everybody for an admin',
    response: apiTokensBody,
    handle: async (_input, { services, now }) => ({
      now: now(),
      tokens: await services.apiTokens.list(),
    }),
  }),
  route({
    method: 'post',
    path: '/api/api-tokens',
    summary: 'Make an API token with a part of the own grants; it is shown in this answer only',
    body: createApiTokenBody,
    status: 201,
    response: createdApiTokenBody,
    handle: ({ body }, { services }) => services.apiTokens.create(body),
  }),
  route({
    method: 'post',
    path: '/api/api-tokens/{id}/revoke',
    summary: 'End an API token at once',
    params: idParams,
    body: z.strictObject({}),
    response: z.object({ view: apiTokenView }),
    handle: async ({ params }, { services }) => ({
      view: await services.apiTokens.revoke(params.id),
    }),
  }),
];
