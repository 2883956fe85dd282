import { z } from 'zod';
import { createdTokenBody, createTokenBody, tokensBody } from '@/lib/protocol/api';
import { name } from '@/lib/protocol/primitives';
import { tokenView } from '@/lib/protocol/views';
import { idParams, route } from '../route';

/** Who did it, as far as a console without sign-in can know. */
const actor = name.default('console');

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
    body: createTokenBody.extend({ actor }),
    status: 201,
    response: createdTokenBody,
    handle: ({ body: { actor: by, ...body } }, { services }) => services.tokens.create(body, by),
  }),
  route({
    method: 'post',
    path: '/api/tokens/{id}/revoke',
    summary: 'End a token and the connections that use it',
    params: idParams,
    body: z.strictObject({ actor }),
    response: z.object({ token: tokenView }),
    handle: async ({ params, body }, { services }) => ({
      token: await services.tokens.revoke(params.id, body.actor),
    }),
  }),
];
