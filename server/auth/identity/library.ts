/**
 * The sign-in library, set up for this console. It is loaded when somebody first signs in: it takes
 * a quarter of a second and 33 MB, and a server that only takes in reports needs none of it.
 */
import { randomBytes } from 'node:crypto';
import { passkey } from '@better-auth/passkey';
import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { APIError } from 'better-auth/api';
import { genericOAuth, twoFactor } from 'better-auth/plugins';
import type { Clock, Logger } from '../../services/contract';
import type { Passwords } from '../../services/people/contract';
import type { PeopleStore } from '../../store/port/people';
import { keyIdOf } from '../secret';
import { cookiePrefix } from './cookies';
import { createLibraryAdapter } from './library-adapter';
import { currentScope } from './library-scope';
import { LIBRARY_PATH, OIDC } from './paths';
import { ABSOLUTE_MS } from './sessions';

export type OidcConfig = {
  /** `https://…`, without the well-known path. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** On the button. */
  readonly label: string;
  /** What somebody gets who has not been invited; null refuses them. */
  readonly defaultRole: 'viewer' | 'responder' | 'operator' | null;
};

export type LibraryDeps = {
  readonly people: PeopleStore;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secret: string;
  readonly secure: boolean;
  /** Where browsers reach the console: `https://console.example`. */
  readonly publicUrl: string;
};

export type NewcomerRule = {
  /** Whether somebody is expected under this identity. */
  readonly admits: (user: { email: string; emailVerified: boolean }) => Promise<boolean>;
  readonly settle: (user: { id: string; email: string; name: string }) => Promise<void>;
};

const CHALLENGE_COOKIE = 'passkey';

const refused = (message: string) => new APIError('UNAUTHORIZED', { message });

/** Not for somebody who was disabled, and for nobody but whom the call is about. */
async function assertMaySignIn(people: PeopleStore, personId: string): Promise<void> {
  const { mustBe } = currentScope();
  if (mustBe !== undefined && mustBe !== personId) throw refused('another person');
  const person = await people.findPerson({ id: personId });
  if (person === null || person.disabledAt !== null) throw refused('not allowed to sign in');
}

function passkeyPlugin({ publicUrl }: LibraryDeps) {
  return passkey({
    rpID: new URL(publicUrl).hostname,
    rpName: 'Recloser',
    advanced: { webAuthnChallengeCookie: CHALLENGE_COOKIE },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    authentication: {
      // A passkey stands for both factors only when the device has checked who holds it.
      afterVerification: async ({ verification }) => {
        if (!verification.authenticationInfo.userVerified) throw refused('user not verified');
      },
    },
  });
}

function oidcPlugin({ issuer, clientId, clientSecret }: OidcConfig) {
  const base = issuer.replace(/\/$/, '');
  return genericOAuth({
    config: [
      {
        providerId: OIDC,
        clientId,
        clientSecret,
        discoveryUrl: `${base}/.well-known/openid-configuration`,
        scopes: ['openid', 'email', 'profile'],
        pkce: true,
        requireIdTokenVerification: true,
        // The same subject of another issuer is another person.
        accountSubject: ({ profile }) => `${base}#${String(profile['sub'])}`,
      },
    ],
  });
}

function optionsOf(deps: LibraryDeps, newcomers: NewcomerRule | null) {
  const { people, passwords, clock, log, secret, secure, publicUrl } = deps;
  return {
    appName: 'Recloser',
    baseURL: publicUrl,
    basePath: LIBRARY_PATH,
    secrets: [{ version: keyIdOf(secret), value: secret }],
    trustedOrigins: [publicUrl],
    telemetry: { enabled: false },
    // The console has limits of its own, on accounts and addresses.
    rateLimit: { enabled: false },
    logger: { log: (level, message) => log.debug({ level, text: message }, 'sign-in library') },
    database: createLibraryAdapter(people, clock),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      maxPasswordLength: 1_024,
      password: {
        hash: (password) => passwords.hash(password),
        verify: ({ hash, password }) => passwords.verify(hash, password),
      },
    },
    session: {
      expiresIn: ABSOLUTE_MS / 1_000,
      disableSessionRefresh: true,
      // Freshness is asked for by the console itself.
      freshAge: 0,
    },
    account: {
      // The same e-mail address at two providers may be two people.
      accountLinking: { enabled: false },
      updateAccountOnSignIn: false,
    },
    advanced: {
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(secure),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure, path: '/' },
      ipAddress: { disableIpTracking: true },
      database: { generateId: ({ model }) => `${model}_${randomBytes(16).toString('hex')}` },
    },
    databaseHooks: {
      session: { create: { before: ({ userId }) => assertMaySignIn(people, userId) } },
      user: {
        create: {
          before: async (user) => {
            if ((await newcomers?.admits(user)) !== true) throw refused('nobody is expected');
          },
          after: async (user) => newcomers?.settle(user),
        },
      },
    },
  } satisfies BetterAuthOptions;
}

export function createLibrary(deps: LibraryDeps) {
  return betterAuth({
    ...optionsOf(deps, null),
    plugins: [
      // Wrong codes are slowed down by the console; a lock would be a way to lock others out.
      twoFactor({
        issuer: 'Recloser',
        allowPasswordless: true,
        accountLockout: { enabled: false },
      }),
      passkeyPlugin(deps),
    ],
  });
}
export type Library = ReturnType<typeof createLibrary>;

/** By itself, because it asks the provider over the network when it is made. */
export function createOidcLibrary(deps: LibraryDeps, oidc: OidcConfig, newcomers: NewcomerRule) {
  return betterAuth({ ...optionsOf(deps, newcomers), plugins: [oidcPlugin(oidc)] });
}
export type OidcLibrary = ReturnType<typeof createOidcLibrary>;
