/** The sign-in doors as the HTTP routes and the live socket use them. */
import type {
  LiveTicketBody,
  MeBody,
  PasskeyOptionsBody,
  RedeemBody,
  SetupBody,
  SignInAnswer,
  SignInOptionsBody,
  StepUpAnswer,
  StepUpBody,
} from '@/lib/protocol/people';
import type { Factor } from '../../services/caller';
import { createAttempts } from './attempts';
import { begin, userIn, type IdentityContext, type IdentityDeps } from './context';
import { endedCookie, sameText } from './cookies';
import { auditRow, type Exchange } from './exchange';
import * as factors from './factors';
import type { Library, OidcLibrary } from './library';
import { finishOidc, newcomerRule, startOidc } from './oidc';
import { createSessions, type SignedIn, type User } from './sessions';
import * as entrance from './sign-in';
import { createTickets } from './tickets';

export interface Identity {
  /** Null for a request without a session that is still good. */
  signedIn(cookie: string | undefined): Promise<SignedIn | null>;
  /** The same session now; null when it has ended. */
  refresh(sessionId: string): Promise<User | null>;
  redeemTicket(ticket: string, sessionId: string): boolean;
  needsSetup(): Promise<boolean>;

  options(): Promise<SignInOptionsBody>;
  setUp(exchange: Exchange, body: SetupBody): Promise<SignInAnswer>;
  redeem(exchange: Exchange, body: RedeemBody): Promise<SignInAnswer>;
  signIn(exchange: Exchange, body: { email: string; password: string }): Promise<SignInAnswer>;
  signInTotp(exchange: Exchange, body: { code: string }): Promise<SignInAnswer>;
  passkeyOptions(exchange: Exchange): Promise<PasskeyOptionsBody>;
  signInPasskey(exchange: Exchange, response: { id: string }): Promise<SignInAnswer>;
  startOidc(exchange: Exchange, next: string | undefined): Promise<string>;
  /** The path to redirect to. */
  finishOidc(exchange: Exchange, search: string): Promise<string>;

  me(exchange: Exchange, csrf: string): Promise<MeBody>;
  signOut(exchange: Exchange): Promise<void>;
  liveTicket(exchange: Exchange): LiveTicketBody;
  changePassword(exchange: Exchange, body: { current: string; next: string }): Promise<void>;
  startTotp(exchange: Exchange, password: string | undefined): Promise<string>;
  confirmTotp(exchange: Exchange, code: string): Promise<void>;
  startPasskey(exchange: Exchange): Promise<PasskeyOptionsBody>;
  confirmPasskey(
    exchange: Exchange,
    body: { response: unknown; name?: string | undefined },
  ): Promise<void>;
  stepUpOptions(exchange: Exchange): Promise<PasskeyOptionsBody>;
  stepUp(exchange: Exchange, body: StepUpBody): Promise<StepUpAnswer>;
}

/** [S-19] The token of this very session. */
export function isCsrfToken(signedIn: SignedIn, given: string | undefined): boolean {
  return given !== undefined && sameText(signedIn.csrf, given);
}

/** Asked for at the first use; asked for again after a failure. */
function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

function contextOf(deps: IdentityDeps): IdentityContext {
  const { people, passwords, clock, log, secret, secure, publicUrl, oidc } = deps;
  const libraryDeps = { people, passwords, clock, log, secret, secure, publicUrl };
  return {
    ...deps,
    libraryDeps,
    sessions: createSessions(deps),
    attempts: createAttempts(clock),
    library: lazily(async (): Promise<Library> => {
      const { createLibrary } = await import('./library');
      return createLibrary(libraryDeps);
    }),
    oidcLibrary: lazily(async (): Promise<OidcLibrary> => {
      if (oidc === null) throw new Error('no identity provider is configured');
      const { createOidcLibrary } = await import('./library');
      return createOidcLibrary(libraryDeps, oidc, newcomerRule(deps, oidc));
    }),
  };
}

const optionsBody = (options: Readonly<Record<string, unknown>>): PasskeyOptionsBody => ({
  // Plain JSON: it came out of a JSON answer.
  options: options as PasskeyOptionsBody['options'],
});

async function signOut(context: IdentityContext, exchange: Exchange): Promise<void> {
  const { people, clock, bus, sessions, secure } = context;
  const { id: personId, sessionId } = userIn(exchange);
  const row = auditRow(clock.wall(), exchange.caller, 'session.ended', personId, {
    details: { sessionId, why: 'signed out' },
  });
  await people.endSessions({ personId, sessionId }, row);
  exchange.setCookies.push(endedCookie(sessions.cookieName, secure));
  bus.publish({ type: 'access_changed', personId });
}

/** A code guessed is a person gained: as limited as a password. */
async function limited<T>(
  context: IdentityContext,
  exchange: Exchange,
  action: string,
  run: () => Promise<T>,
): Promise<T> {
  const row = auditRow(context.clock.wall(), exchange.caller, action, 'console');
  const attempt = await begin(context, action, exchange.caller, row);
  try {
    const result = await run();
    attempt.succeeded();
    return result;
  } catch (error) {
    attempt.failed();
    throw error;
  }
}

async function me(
  { services }: IdentityContext,
  exchange: Exchange,
  csrf: string,
): Promise<MeBody> {
  const { id, name, email, grants } = userIn(exchange);
  const stepUpFactors = await services.stepUps.factorsOf(exchange.caller);
  return {
    person: { id, name, email, grants: [...grants] },
    csrf,
    stepUpFactors: [...stepUpFactors] satisfies Factor[],
  };
}

export function createIdentity(deps: IdentityDeps): Identity {
  const context = contextOf(deps);
  const { sessions, services, clock, oidc } = context;
  const { entry } = services;
  const tickets = createTickets(clock);
  return {
    signedIn: (cookie) => sessions.fromCookie(cookie),
    refresh: (sessionId) => sessions.refresh(sessionId),
    redeemTicket: (ticket, sessionId) => tickets.redeem(ticket, sessionId),
    needsSetup: () => entry.needsSetup(),

    options: async () => ({
      needsSetup: await entry.needsSetup(),
      oidc: oidc === null ? null : { label: oidc.label },
    }),
    setUp: async (exchange, body) => {
      await limited(context, exchange, 'console.set_up', () => entry.setUp(exchange.caller, body));
      return entrance.signIn(context, exchange, body);
    },
    redeem: async (exchange, body) => {
      const person = await limited(context, exchange, 'code.redeemed', () =>
        entry.redeem(exchange.caller, body),
      );
      const { email } = person;
      return entrance.signIn(context, exchange, { email, password: body.password });
    },
    signIn: (exchange, body) => entrance.signIn(context, exchange, body),
    signInTotp: (exchange, body) => entrance.signInTotp(context, exchange, body),
    passkeyOptions: async (exchange) =>
      optionsBody(await entrance.passkeyOptions(context, exchange)),
    signInPasskey: (exchange, response) => entrance.signInPasskey(context, exchange, response),
    startOidc: (exchange, next) => startOidc(context, exchange, next),
    finishOidc: (exchange, search) => finishOidc(context, exchange, search),

    me: (exchange, csrf) => me(context, exchange, csrf),
    signOut: (exchange) => signOut(context, exchange),
    liveTicket: (exchange) => tickets.issue(userIn(exchange).sessionId),
    changePassword: async (exchange, body) => {
      const { id } = userIn(exchange);
      const row = auditRow(clock.wall(), exchange.caller, 'person.password_changed', id);
      const attempt = await begin(context, `step-up ${id}`, exchange.caller, row);
      try {
        await services.forCaller(exchange.caller).profile.changePassword(body);
        attempt.succeeded();
      } catch (error) {
        attempt.failed();
        throw error;
      }
    },
    startTotp: (exchange, password) => factors.startTotp(context, exchange, password),
    confirmTotp: (exchange, code) => factors.confirmTotp(context, exchange, code),
    startPasskey: async (exchange) => optionsBody(await factors.startPasskey(context, exchange)),
    confirmPasskey: (exchange, body) => factors.confirmPasskey(context, exchange, body),
    stepUpOptions: async (exchange) => optionsBody(await factors.stepUpOptions(context, exchange)),
    stepUp: (exchange, body) => factors.stepUp(context, exchange, body),
  };
}
