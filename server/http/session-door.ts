/**
 * [S-12] [S-19] Between the router and the routes: whose session it is, and whether what changes
 * something was meant by that session's own page. What the person may do is decided behind it.
 */
import { CSRF_HEADER } from '@/lib/protocol/csrf';
import { bearerToken } from '../auth/bearer';
import { isCsrfToken, type Identity } from '../auth/identity/identity';
import type { Exchange } from '../auth/identity/exchange';
import type { Caller, Principal } from '../services/caller';
import type { Services } from '../services/contract';
import { RecloserError } from '../services/errors';
import type { ApiContext, ApiDeps } from './api-deps';
import { isReading } from './mutation-door';
import { REQUEST_ID } from './request-id';
import type { Access } from './route';

const MAX_AGENT_CHARS = 200;

export const notReady = () => new RecloserError('not_ready', 'The server is starting or stopping.');

export function anonymousExchange(context: ApiContext, deps: ApiDeps): Exchange {
  const caller: Caller = {
    principal: { kind: 'anonymous' },
    ip: deps.addresses.of(context.env.incoming),
    userAgent: context.req.header('user-agent')?.slice(0, MAX_AGENT_CHARS) ?? null,
    requestId: String(context.env.outgoing.getHeader(REQUEST_ID) ?? ''),
  };
  return {
    caller,
    cookie: context.req.header('cookie') ?? '',
    // The door has checked it against the allow-list.
    origin: context.req.header('origin') ?? '',
    setCookies: [],
  };
}

const exchangeOf = (asked: Exchange, principal: Principal): Exchange => ({
  ...asked,
  caller: { ...asked.caller, principal },
});

export type Entered = {
  readonly running: { readonly services: Services; readonly identity: Identity };
  readonly exchange: Exchange;
  readonly csrf: string;
};

/** No browser adds this header by itself, so nothing else proves that it was meant. */
async function enterByToken(
  asked: Exchange,
  running: Entered['running'],
  header: string,
): Promise<Entered> {
  const token = bearerToken(header);
  const principal = token === null ? null : await running.services.apiTokens.authenticate(token);
  if (principal === null) {
    throw new RecloserError('not_signed_in', 'The API token is unknown, expired or revoked.');
  }
  return { running, exchange: exchangeOf(asked, principal), csrf: '' };
}

/** Throws unless the request may reach a route of that access. */
export async function enter(context: ApiContext, deps: ApiDeps, access: Access): Promise<Entered> {
  const running = deps.running();
  if (running === null) throw notReady();
  const asked = anonymousExchange(context, deps);
  const bearer = context.req.header('authorization');
  if (bearer !== undefined) return enterByToken(asked, running, bearer);
  const signedIn = await running.identity.signedIn(context.req.header('cookie'));
  if (signedIn === null) {
    if (access === 'open') return { running, exchange: asked, csrf: '' };
    throw new RecloserError('not_signed_in', 'Sign in first.');
  }
  if (access === 'session' && !isReading(context.req.method)) {
    if (!isCsrfToken(signedIn, context.req.header(CSRF_HEADER))) {
      throw new RecloserError('not_allowed', `Send the ${CSRF_HEADER} header of this session.`, {
        details: { csrf: true },
      });
    }
  }
  return { running, exchange: exchangeOf(asked, signedIn.user), csrf: signedIn.csrf };
}
