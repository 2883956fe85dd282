import { z } from 'zod';
import {
  addPasskeyBody,
  changePasswordBody,
  doneBody,
  liveTicketBody,
  meBody,
  passkeyOptionsBody,
  profileBody,
  startedTotpBody,
  startTotpBody,
  stepUpAnswer,
  stepUpBody,
  totpBody,
} from '@/lib/protocol/people';
import { idParams, route } from '../route';

const nothing = z.strictObject({});
const done = { done: true } as const;

/** About the person who is signed in, and nobody else. */
export const profileRoutes = [
  route({
    method: 'get',
    path: '/api/me',
    summary: 'Who is signed in, with the CSRF token of the session',
    response: meBody,
    handle: (_input, { identity, exchange, csrf }) => identity.me(exchange, csrf),
  }),
  route({
    method: 'post',
    path: '/api/sign-out',
    summary: 'End this session',
    body: nothing,
    response: doneBody,
    headers: { 'clear-site-data': '"cache", "cookies", "storage"' },
    handle: async (_input, { identity, exchange }) => {
      await identity.signOut(exchange);
      return done;
    },
  }),
  route({
    method: 'post',
    path: '/api/live-ticket',
    summary: 'A ticket for one live socket of this session',
    writesNothing: true,
    body: nothing,
    response: liveTicketBody,
    handle: (_input, { identity, exchange }) => identity.liveTicket(exchange),
  }),
  route({
    method: 'post',
    path: '/api/step-up/passkey-options',
    summary: 'A challenge for one of the own passkeys',
    body: nothing,
    response: passkeyOptionsBody,
    handle: (_input, { identity, exchange }) => identity.stepUpOptions(exchange),
  }),
  route({
    method: 'post',
    path: '/api/step-up',
    summary: 'Prove a factor once more, for one command',
    body: stepUpBody,
    response: stepUpAnswer,
    handle: ({ body }, { identity, exchange }) => identity.stepUp(exchange, body),
  }),
  route({
    method: 'get',
    path: '/api/profile',
    summary: 'The own factors, passkeys and sessions',
    response: profileBody,
    handle: (_input, { services }) => services.profile.show(),
  }),
  route({
    method: 'post',
    path: '/api/profile/password',
    summary: 'Change the own password; other sessions end',
    body: changePasswordBody,
    response: doneBody,
    handle: async ({ body }, { identity, exchange }) => {
      await identity.changePassword(exchange, body);
      return done;
    },
  }),
  route({
    method: 'post',
    path: '/api/profile/totp/start',
    summary: 'A secret for an authenticator app; counts once a code of it was sent',
    body: startTotpBody,
    response: startedTotpBody,
    handle: async ({ body }, { identity, exchange }) => ({
      uri: await identity.startTotp(exchange, body.password),
    }),
  }),
  route({
    method: 'post',
    path: '/api/profile/totp/confirm',
    summary: 'The first code of the authenticator app',
    body: totpBody,
    response: doneBody,
    handle: async ({ body }, { identity, exchange }) => {
      await identity.confirmTotp(exchange, body.code);
      return done;
    },
  }),
  route({
    method: 'post',
    path: '/api/profile/totp/remove',
    summary: 'Forget the authenticator app',
    body: nothing,
    response: doneBody,
    handle: async (_input, { services }) => {
      await services.profile.removeTotp();
      return done;
    },
  }),
  route({
    method: 'post',
    path: '/api/profile/passkeys/start',
    summary: 'A challenge for a new passkey',
    body: nothing,
    response: passkeyOptionsBody,
    handle: (_input, { identity, exchange }) => identity.startPasskey(exchange),
  }),
  route({
    method: 'post',
    path: '/api/profile/passkeys/confirm',
    summary: 'Keep the new passkey',
    body: addPasskeyBody,
    response: doneBody,
    handle: async ({ body }, { identity, exchange }) => {
      await identity.confirmPasskey(exchange, body);
      return done;
    },
  }),
  route({
    method: 'post',
    path: '/api/profile/passkeys/{id}/remove',
    summary: 'Forget a passkey',
    params: idParams,
    body: nothing,
    response: doneBody,
    handle: async ({ params }, { services }) => {
      await services.profile.removePasskey(params.id);
      return done;
    },
  }),
  route({
    method: 'post',
    path: '/api/profile/sessions/{id}/end',
    summary: 'End one of the own sessions',
    params: idParams,
    body: nothing,
    response: doneBody,
    handle: async ({ params }, { services }) => {
      await services.profile.endSession(params.id);
      return done;
    },
  }),
  route({
    method: 'post',
    path: '/api/profile/sessions/end-others',
    summary: 'End all own sessions but this one',
    body: nothing,
    response: doneBody,
    handle: async (_input, { services }) => {
      await services.profile.endOtherSessions();
      return done;
    },
  }),
];
