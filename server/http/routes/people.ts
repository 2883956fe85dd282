import { z } from 'zod';
import {
  doneBody,
  grantsBody,
  inviteBody,
  invitedBody,
  peopleBody,
  personBody,
} from '@/lib/protocol/people';
import type { Door } from '../../services/contract';
import { idParams, route } from '../route';

const nothing = z.strictObject({});

type PersonVerb = 'disable' | 'enable' | 'resetFactors' | 'signOut';

const personRoute = (name: string, verb: PersonVerb, summary: string) =>
  route({
    method: 'post',
    path: `/api/people/{id}/${name}`,
    summary,
    params: idParams,
    body: nothing,
    response: personBody,
    handle: async ({ params }, { services }: { services: Door }) => ({
      person: await services.people[verb](params.id),
    }),
  });

export const peopleRoutes = [
  route({
    method: 'get',
    path: '/api/people',
    summary: 'People, their roles and factors, and open invitations',
    response: peopleBody,
    handle: (_input, { services }) => services.people.list(),
  }),
  route({
    method: 'post',
    path: '/api/people/invite',
    summary: 'Invite somebody; the only answer that shows the code',
    body: inviteBody,
    status: 201,
    response: invitedBody,
    handle: ({ body }, { services }) => services.people.invite(body),
  }),
  route({
    method: 'post',
    path: '/api/invitations/{id}/revoke',
    summary: 'Take an invitation back',
    params: idParams,
    body: nothing,
    response: doneBody,
    handle: async ({ params }, { services }) => {
      await services.people.revokeInvitation(params.id);
      return { done: true } as const;
    },
  }),
  route({
    method: 'post',
    path: '/api/people/{id}/grants',
    summary: 'Replace the roles of a person',
    params: idParams,
    body: grantsBody,
    response: personBody,
    handle: async ({ params, body }, { services }) => ({
      person: await services.people.setGrants(params.id, body.grants),
    }),
  }),
  personRoute('disable', 'disable', 'Keep a person out and end all sessions'),
  personRoute('enable', 'enable', 'Let a person in again'),
  personRoute('reset-factors', 'resetFactors', 'Forget authenticator app and passkeys of a person'),
  personRoute('sign-out', 'signOut', 'End all sessions of a person'),
];
