/**
 * The first and only reader of an HTTP request: doors, headers, then the API's router or the pages.
 * Nothing that a request claims in a header beyond Host, Origin and Fetch Metadata is believed.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { isAllowedHost, isAllowedOrigin, isForeignFetch, isOriginForm } from '../auth/doors';
import { soleHost } from '../auth/sole-host';
import { createApi } from './api';
import type { ApiDeps } from './api-deps';
import { failure, unexpected } from './error-answer';
import { CLOSED_CSP, pageCsp, setHeaders } from './headers';
import { isReading } from './mutation-door';
import { answerFailure } from './node-answer';
import { createPageGate, sendTo } from './page-gate';
import { REQUEST_ID } from './request-id';
import { dropUntrustedHeaders } from './untrusted-headers';

export type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export type FrontDeps = ApiDeps & {
  readonly newId: () => string;
  /** 128 random bits, base64. */
  readonly newNonce: () => string;
  /** Null when pages are off. */
  readonly pages: Pages | null;
  readonly isDevelopment: boolean;
  /** On every answer. */
  readonly baseHeaders: Readonly<Record<string, string>>;
};

const API_PATH = /^\/(api(\/.*)?|healthz|livez)$/;

const codeByStatus = {
  400: 'invalid_input',
  403: 'not_allowed',
  404: 'not_found',
  405: 'invalid_input',
} as const;

function refuse(
  response: ServerResponse,
  status: keyof typeof codeByStatus,
  message: string,
): void {
  const requestId = String(response.getHeader(REQUEST_ID));
  answerFailure(response, failure(status, codeByStatus[status], message, requestId));
}

/** Next answers a path that it cannot decode with a bare 500. */
function isReadablePath(url: string | undefined): boolean {
  try {
    decodeURIComponent(url?.split('?')[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** Pages are read. There are no Server Functions, so nothing is ever posted to one. */
function pageProblem(
  request: IncomingMessage,
  { rules, isDevelopment }: Pick<FrontDeps, 'rules' | 'isDevelopment'>,
): { status: 400 | 403 | 405; message: string } | null {
  if (!isReadablePath(request.url)) {
    return { status: 400, message: 'The path has a broken percent escape.' };
  }
  if (isReading(request.method ?? '')) return null;
  const isDevTool = isDevelopment && /^\/_(_next|next)/.test(request.url ?? '');
  if (!isDevTool) return { status: 405, message: 'Pages take GET and HEAD.' };
  const { origin } = request.headers;
  const isForeign = isForeignFetch(request.headers['sec-fetch-site']);
  return !isForeign && isAllowedOrigin(rules, origin)
    ? null
    : { status: 403, message: 'Requests from this origin are refused.' };
}

export function createFront(deps: FrontDeps): RequestListener {
  const { rules, log, newId, newNonce, pages, isDevelopment, addresses, baseHeaders } = deps;
  const gatekeeper = createPageGate(deps);
  const api = getRequestListener(createApi(deps).fetch, { overrideGlobalObjects: false });

  function serveApi(request: IncomingMessage, response: ServerResponse): Promise<void> {
    setHeaders(response, { 'cache-control': 'no-store', 'content-security-policy': CLOSED_CSP });
    return api(request, response);
  }

  async function servePage(
    request: IncomingMessage,
    response: ServerResponse,
    host: string,
  ): Promise<void> {
    if (pages === null) return refuse(response, 404, 'This server has no pages.');
    const problem = pageProblem(request, deps);
    if (problem !== null) return refuse(response, problem.status, problem.message);
    const elsewhere = await gatekeeper(request);
    if (elsewhere !== null) return sendTo(response, elsewhere);
    dropUntrustedHeaders(request);
    const nonce = newNonce();
    const csp = pageCsp(nonce, host, isDevelopment);
    response.setHeader('content-security-policy', csp);
    // Next takes the nonce for its own scripts from the policy in the request.
    request.headers['content-security-policy'] = csp;
    request.headers['x-nonce'] = nonce;
    return pages(request, response);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = soleHost(request.rawHeaders);
    if (!isOriginForm(request.url)) return refuse(response, 400, 'The target must be a path.');
    if (host === undefined || !isAllowedHost(rules, host)) {
      return refuse(response, 403, 'This Host is not allowed.');
    }
    if (!addresses.mayConnect(request)) {
      return refuse(response, 403, 'Plain HTTP is for the proxy only.');
    }
    const [path = ''] = request.url.split('?');
    return API_PATH.test(path)
      ? serveApi(request, response)
      : servePage(request, response, host.toLowerCase());
  }

  return (request, response) => {
    const requestId = newId();
    setHeaders(response, { ...baseHeaders, [REQUEST_ID]: requestId });
    serve(request, response).catch((thrown: unknown) => {
      log.error({ requestId, err: thrown }, 'request failed');
      answerFailure(response, unexpected(requestId));
    });
  };
}
