import { PROBE_HEADER, type BoundRequest } from './value';

type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What an incoming message of `node:http` or `node:http2` has. Express adds `originalUrl`. */
export type NodeRequest = {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly headers: NodeHeaders;
  readonly rawHeaders?: readonly string[] | undefined;
};

/** What a `Request` of fetch has. */
export type FetchRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
};

export type ProbeRequest = NodeRequest | FetchRequest;

export type ReadRequest = {
  readonly bound: BoundRequest;
  /** Every value of the probe header. */
  readonly values: readonly string[];
};

/** Never trusts the shape: all of it comes from outside. */
export function readRequest(request: ProbeRequest): ReadRequest {
  return isFetch(request) ? readFetch(request) : readNode(request);
}

function isFetch(request: ProbeRequest): request is FetchRequest {
  return typeof Reflect.get(request.headers, 'get') === 'function';
}

function readFetch({ method, url, headers }: FetchRequest): ReadRequest {
  const { host, pathname, search } = new URL(url);
  const value = headers.get(PROBE_HEADER);
  return {
    bound: bind(method, headers.get('host') ?? host, pathname + search),
    values: value === null ? [] : [value],
  };
}

function readNode(request: NodeRequest): ReadRequest {
  const { headers, rawHeaders } = request;
  const host = headers['host'] ?? headers[':authority'];
  return {
    bound: bind(request.method, host, request.originalUrl ?? request.url),
    values: rawHeaders === undefined ? listOf(headers[PROBE_HEADER]) : rawValues(rawHeaders),
  };
}

/** In `headers` Node joins what came twice; here it is still apart. */
function rawValues(raw: readonly string[]): string[] {
  return raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === PROBE_HEADER);
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}

function bind(method: unknown, host: unknown, path: unknown): BoundRequest {
  return {
    method: textOf(method).toUpperCase(),
    host: textOf(host).toLowerCase(),
    path: textOf(path),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
