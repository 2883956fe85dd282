import { z } from 'zod';
import { createdTokenBody, createTokenBody, tokensBody } from '@/lib/protocol/api';
import { tokenView } from '@/lib/protocol/views';
import { idParams, route } from '../route';

export const tokenRoutes = [
  route({
    method: 'get',
    path: '/api/tokens',
    summary: 'Agent tokens, without their secrets',
    response: tokensBody,
    handle: async (_input, { services, now }) => ({
      now: now(),
      tokens: await services.tokens.list(),
    }),
  }),
  route({
    method: 'post',
    path: '/api/tokens',
    summary: 'Make an agent token; the only answer that shows it',
    body: createTokenBody,
    status: 201,
    response: createdTokenBody,
    handle: ({ body }, { services }) => services.tokens.create(body),
  }),
  route({
    method: 'post',
    path: '/api/tokens/{id}/revoke',
    summary: 'End a token and the connections that use it',
    params: idParams,
    body: z.strictObject({}),
    response: z.object({ token: tokenView }),
    handle: async ({ params }, { services }) => ({
      token: await services.tokens.revoke(params.id),
    }),
  }),
];
