import {
  approveBody,
  changeLeaseBody,
  closeReviewBody,
  denyBody,
  issueCommandBody,
  policyView,
  previewCommandBody,
  releaseBody,
  setPolicyBody,
} from '@/lib/protocol/commands';
import {
  commandBody,
  commandPreview,
  commandsBody,
  policiesBody,
  reviewBody,
  reviewsBody,
} from '@/lib/protocol/command-views';
import { z } from 'zod';
import { flag, idParams, route } from '../route';

export const commandRoutes = [
  route({
    method: 'post',
    path: '/api/commands/preview',
    summary: 'What a command would hit now; its digest goes back with the command',
    body: previewCommandBody,
    response: commandPreview,
    handle: ({ body }, { services }) => services.commands.preview(body),
  }),
  route({
    method: 'get',
    path: '/api/commands',
    summary: 'Commands, newest first; `waiting`: for a second person or for their start',
    query: z.object({ waiting: flag.optional() }),
    response: commandsBody,
    handle: async ({ query: { waiting } }, { services, now }) => ({
      now: now(),
      commands: await services.commands.list(waiting === undefined ? {} : { waiting }),
    }),
  }),
  route({
    method: 'post',
    path: '/api/commands',
    summary: 'Ask for overrides of a breaker, of chosen instances, of a service or to a target',
    body: issueCommandBody,
    status: 202,
    response: commandBody,
    handle: async ({ body }, { services }) => ({ command: await services.commands.issue(body) }),
  }),
  route({
    method: 'get',
    path: '/api/commands/{id}',
    summary: 'One command and what became of it at each instance',
    params: idParams,
    response: commandBody,
    handle: async ({ params }, { services }) => ({
      command: await services.commands.get(params.id),
    }),
  }),
  route({
    method: 'post',
    path: '/api/commands/{id}/approve',
    summary: 'Let a command go that waits for a second person',
    params: idParams,
    body: approveBody,
    response: commandBody,
    handle: async ({ params, body }, { services }) => ({
      command: await services.commands.approve(params.id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/commands/{id}/deny',
    summary: 'End a command that waits for a second person',
    params: idParams,
    body: denyBody,
    response: commandBody,
    handle: async ({ params, body }, { services }) => ({
      command: await services.commands.deny(params.id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/commands/{id}/cancel',
    summary: 'Take a command back before it starts',
    params: idParams,
    body: releaseBody,
    response: commandBody,
    handle: async ({ params, body }, { services }) => ({
      command: await services.commands.cancel(params.id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/commands/{id}/release',
    summary: 'Return everything of a command to automatic at once',
    params: idParams,
    body: releaseBody,
    response: commandBody,
    handle: async ({ params, body }, { services }) => ({
      command: await services.commands.release(params.id, body),
    }),
  }),
  route({
    method: 'post',
    path: '/api/commands/{id}/lease',
    summary: 'Make the lease of everything in a command longer or shorter, counted from now',
    params: idParams,
    body: changeLeaseBody,
    response: commandBody,
    handle: async ({ params, body }, { services }) => ({
      command: await services.commands.changeLease(params.id, body),
    }),
  }),
  route({
    method: 'get',
    path: '/api/policies',
    summary: 'Which risk asks for a step-up or a second person, by environment',
    response: policiesBody,
    handle: (_input, { services }) => services.policies.list(),
  }),
  route({
    method: 'post',
    path: '/api/policies',
    summary: 'Set the policy of an environment or of a prefix',
    body: setPolicyBody,
    response: z.object({ policy: policyView }),
    handle: async ({ body }, { services }) => ({ policy: await services.policies.set(body) }),
  }),
  route({
    method: 'get',
    path: '/api/reviews',
    summary: 'What break-glass left to look at, newest first',
    query: z.object({ open: flag.optional() }),
    response: reviewsBody,
    handle: async ({ query: { open } }, { services, now }) => ({
      now: now(),
      reviews: await services.reviews.list(open === undefined ? {} : { open }),
    }),
  }),
  route({
    method: 'post',
    path: '/api/reviews/{id}/close',
    summary: 'Close a review; another person than the one who acted',
    params: idParams,
    body: closeReviewBody,
    response: reviewBody,
    handle: async ({ params, body }, { services }) => ({
      review: await services.reviews.close(params.id, body),
    }),
  }),
];
