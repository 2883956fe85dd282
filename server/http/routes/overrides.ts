import { z } from 'zod';
import {
  issueOverrideBody,
  overrideBody,
  overridesBody,
  releaseOverrideBody,
} from '@/lib/protocol/api';
import { idParams, route } from '../route';

/** `?active`, `?active=1` and `?active=true` mean the same. */
const flag = z
  .enum(['', '1', 'true', '0', 'false'])
  .transform((text) => text !== '0' && text !== 'false');

const listQuery = z.object({
  active: flag.optional(),
  breakerId: z.string().min(1).max(64).optional(),
});

export const overrideRoutes = [
  route({
    method: 'get',
    path: '/api/overrides',
    summary: 'Overrides, newest first',
    query: listQuery,
    response: overridesBody,
    handle: async ({ query }, { services, now }) => ({
      now: now(),
      overrides: await services.overrides.list({
        ...(query.active === undefined ? {} : { active: query.active }),
        ...(query.breakerId === undefined ? {} : { breakerId: query.breakerId }),
      }),
    }),
  }),
  route({
    method: 'post',
    path: '/api/overrides',
    summary: 'Ask for an override; it is wanted from now on and applied when each instance says so',
    body: issueOverrideBody,
    status: 202,
    response: overrideBody,
    handle: async ({ body }, { services }) => ({ override: await services.overrides.issue(body) }),
  }),
  route({
    method: 'get',
    path: '/api/overrides/{id}',
    summary: 'One override and its fate at each instance',
    params: idParams,
    response: overrideBody,
    handle: async ({ params }, { services }) => ({
      override: await services.overrides.get(params.id),
    }),
  }),
  route({
    method: 'post',
    path: '/api/overrides/{id}/release',
    summary: 'End an override before its lease',
    params: idParams,
    body: releaseOverrideBody,
    response: overrideBody,
    handle: async ({ params, body }, { services }) => ({
      override: await services.overrides.release(params.id, body),
    }),
  }),
];
