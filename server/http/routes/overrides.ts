import { z } from 'zod';
import {
  issueOverrideBody,
  overrideBody,
  overridesBody,
  releaseOverrideBody,
} from '@/lib/protocol/api';
import { changeLeaseBody, releaseBody } from '@/lib/protocol/commands';
import { flag, idParams, route } from '../route';

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
  route({
    method: 'post',
    path: '/api/overrides/{id}/lease',
    summary: 'Make a lease longer or shorter, counted from now',
    params: idParams,
    body: changeLeaseBody,
    response: overrideBody,
    handle: async ({ params, body }, { services }) => ({
      override: await services.overrides.changeLease(params.id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/breakers/{id}/release',
    summary: 'Return a breaker to automatic: every override that is in force on it',
    params: idParams,
    body: releaseBody,
    response: overridesBody,
    handle: async ({ params, body }, { services, now }) => ({
      now: now(),
      overrides: await services.overrides.releaseBreaker(params.id, body),
    }),
  }),
];
