import { z } from 'zod';
import {
  oidcStartAnswer,
  oidcStartBody,
  passkeyBody,
  passkeyOptionsBody,
  redeemBody,
  setupBody,
  signInAnswer,
  signInBody,
  signInOptionsBody,
  totpBody,
} from '@/lib/protocol/people';
import { route } from '../route';

const nothing = z.strictObject({});

/** The ways in. Each is limited by account and address, and written down. */
export const signInRoutes = [
  route({
    method: 'get',
    path: '/api/sign-in',
    summary: 'Which ways of signing in there are',
    access: 'open',
    response: signInOptionsBody,
    handle: (_input, { identity }) => identity.options(),
  }),
  route({
    method: 'post',
    path: '/api/sign-in',
    summary: 'Sign in with a password',
    access: 'open',
    body: signInBody,
    response: signInAnswer,
    handle: ({ body }, { identity, exchange }) => identity.signIn(exchange, body),
  }),
  route({
    method: 'post',
    path: '/api/sign-in/totp',
    summary: 'The second factor of a sign-in that has begun',
    access: 'open',
    body: totpBody,
    response: signInAnswer,
    handle: ({ body }, { identity, exchange }) => identity.signInTotp(exchange, body),
  }),
  route({
    method: 'post',
    path: '/api/sign-in/passkey-options',
    summary: 'A challenge for a passkey',
    access: 'open',
    body: nothing,
    response: passkeyOptionsBody,
    handle: (_input, { identity, exchange }) => identity.passkeyOptions(exchange),
  }),
  route({
    method: 'post',
    path: '/api/sign-in/passkey',
    summary: 'Sign in with a passkey',
    access: 'open',
    body: passkeyBody,
    response: signInAnswer,
    handle: ({ body }, { identity, exchange }) => identity.signInPasskey(exchange, body.response),
  }),
  route({
    method: 'post',
    path: '/api/sign-in/oidc',
    summary: 'Where to go for signing in at the identity provider',
    access: 'open',
    body: oidcStartBody,
    response: oidcStartAnswer,
    handle: async ({ body }, { identity, exchange }) => ({
      url: await identity.startOidc(exchange, body.next),
    }),
  }),
  route({
    method: 'post',
    path: '/api/setup',
    summary: 'Make the first admin, with the token from the log',
    access: 'open',
    body: setupBody,
    response: signInAnswer,
    handle: ({ body }, { identity, exchange }) => identity.setUp(exchange, body),
  }),
  route({
    method: 'post',
    path: '/api/redeem',
    summary: 'Join with an invitation, or set a new password with a recovery code',
    access: 'open',
    body: redeemBody,
    response: signInAnswer,
    handle: ({ body }, { identity, exchange }) => identity.redeem(exchange, body),
  }),
];
