import { CSRF_HEADER } from '../protocol/csrf';
import { ApiError, errorFrom } from './api-error';
import { forgetMe, getMe, leaveIfSignedOut } from './session';

type Params = Record<string, string | number | undefined>;

export function withQuery(path: string, params: Params): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    if (value !== undefined) query.set(key, String(value));
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** The one fetch. */
async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, credentials: 'same-origin', cache: 'no-store' });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError('unreachable', 'The Recloser server does not answer.', { cause });
  }
}

/** `T` is what the server's own schema for this path guarantees. */
async function request<T>(path: string, init: RequestInit): Promise<T> {
  const response = await send(path, init);
  const body = await readBody(response);
  if (response.ok && body !== null) return body as T;
  throw await refusal(response.status, body);
}

/** A session that has ended takes the page to the sign-in. */
async function refusal(status: number, body: unknown): Promise<ApiError> {
  const error = errorFrom(status, body);
  if (error.code === 'not_signed_in') await leaveIfSignedOut();
  return error;
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return request<T>(path, { method: 'GET', ...(signal ? { signal } : {}) });
}

function sendJson<T>(path: string, body: unknown, headers: Record<string, string>): Promise<T> {
  return request<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** A file, whole. A refusal is the same error as anywhere else. */
export async function download(path: string): Promise<Blob> {
  const response = await send(path, { method: 'GET' });
  if (!response.ok) throw await refusal(response.status, await readBody(response));
  try {
    return await response.blob();
  } catch (cause) {
    throw new ApiError('unreachable', 'The file broke off; nothing was saved.', { cause });
  }
}

/** To the ways in, which have no session yet. */
export function postOpen<T>(path: string, body: unknown = {}): Promise<T> {
  return sendJson<T>(path, body, {});
}

async function sendWithToken<T>(path: string, body: unknown): Promise<T> {
  const me = await getMe();
  return sendJson<T>(path, body, me === null ? {} : { [CSRF_HEADER]: me.csrf });
}

export async function post<T>(path: string, body: unknown = {}): Promise<T> {
  try {
    return await sendWithToken<T>(path, body);
  } catch (error) {
    // Somebody has signed in anew in another tab: the token is of the session before.
    if (!(error instanceof ApiError) || error.details['csrf'] !== true) throw error;
    forgetMe();
    return sendWithToken<T>(path, body);
  }
}
