/**
 * [S-12] Pages hold no data: whatever they show comes through the API or the live socket, which ask
 * for a session themselves. The gate in front of them sends people to where they can do something,
 * in whichever form a page is asked for.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiDeps } from './api-deps';
import { setHeaders, CLOSED_CSP } from './headers';

/** Scripts, styles and pictures of the program; the same for everybody. */
const ASSETS = /^\/(_next\/static\/|icon\.svg|favicon\.ico)/;
const DEVELOPMENT = /^\/(_next\/|__nextjs)/;
/** Pages for those who are not signed in, as documents or as the framework's own payloads. */
const OPEN_PAGES = /^\/(sign-in|setup|join|screen)(\.rsc|\.txt|\/?$)/;
const SETUP_PAGE = /^\/setup(\.rsc|\.txt|\/?$)/;
const MAX_NEXT = 512;

type Deps = Pick<ApiDeps, 'running'> & { readonly isDevelopment: boolean };

/** The path to send the browser to; null when the page may be served. */
export function createPageGate({ running, isDevelopment }: Deps) {
  return async ({ url = '/', headers }: IncomingMessage): Promise<string | null> => {
    const [path = '/'] = url.split('?');
    if (ASSETS.test(path) || (isDevelopment && DEVELOPMENT.test(path))) return null;
    const identity = running()?.identity;
    // While it starts nobody is known; the page shows that, and nothing else.
    if (identity === undefined) return null;
    const signedIn = await identity.signedIn(headers.cookie);
    if (signedIn !== null) return null;
    if (await identity.needsSetup()) return SETUP_PAGE.test(path) ? null : '/setup';
    if (OPEN_PAGES.test(path)) return null;
    const next = url.length <= MAX_NEXT && path !== '/' ? `?next=${encodeURIComponent(url)}` : '';
    return `/sign-in${next}`;
  };
}

export function sendTo(response: ServerResponse, location: string): void {
  setHeaders(response, {
    location,
    'cache-control': 'no-store',
    'content-security-policy': CLOSED_CSP,
  });
  response.statusCode = 303;
  response.end();
}
