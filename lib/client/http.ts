import { ApiError, errorFrom } from './api-error';

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
  if (!response.ok || body === null) throw errorFrom(response.status, body);
  return body as T;
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return request<T>(path, { method: 'GET', ...(signal ? { signal } : {}) });
}

export function post<T>(path: string, body: unknown = {}): Promise<T> {
  return request<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** A file, whole. A refusal is the same error as anywhere else. */
export async function download(path: string): Promise<Blob> {
  const response = await send(path, { method: 'GET' });
  if (!response.ok) throw errorFrom(response.status, await readBody(response));
  try {
    return await response.blob();
  } catch (cause) {
    throw new ApiError('unreachable', 'The file broke off; nothing was saved.', { cause });
  }
}
