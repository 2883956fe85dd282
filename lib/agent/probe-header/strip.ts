import { PROBE_HEADER } from './value';

type FetchHeaders = { has(name: string): boolean; delete(name: string): void };

type NodeMessage = {
  readonly headers: object;
  readonly headersDistinct?: object | undefined;
  readonly rawHeaders?: string[] | undefined;
};

/**
 * Takes `X-Probe-Request` off, in every form in which it can be read later. For the edge, where
 * nobody outside has a key, and for a service that passes headers on: the mark is for one hop.
 * Accepts the `Headers` of fetch, an incoming message of Node, or a plain object of headers.
 * Returns whether there was one.
 * @throws TypeError for `Headers` that cannot be changed; copy them first.
 */
export function stripProbeHeader(target: FetchHeaders | NodeMessage | object): boolean {
  if (isFetchHeaders(target)) {
    const found = target.has(PROBE_HEADER);
    if (found) target.delete(PROBE_HEADER);
    return found;
  }
  if (!isNodeMessage(target)) return stripObject(target);
  // The getters of the message are made from the raw list, so that it goes last.
  const found = [target.headers, target.headersDistinct].map(stripObject);
  return [stripRaw(target.rawHeaders), ...found].includes(true);
}

function isFetchHeaders(target: object): target is FetchHeaders {
  return 'delete' in target && typeof target.delete === 'function' && 'has' in target;
}

function isNodeMessage(target: object): target is NodeMessage {
  return 'headers' in target && typeof target.headers === 'object' && target.headers !== null;
}

function stripObject(headers: object | undefined): boolean {
  const names = Object.keys(headers ?? {}).filter((name) => name.toLowerCase() === PROBE_HEADER);
  for (const name of names) Reflect.deleteProperty(headers ?? {}, name);
  return names.length > 0;
}

function stripRaw(raw: string[] | undefined): boolean {
  if (!Array.isArray(raw)) return false;
  const before = raw.length;
  for (let i = before - 2; i >= 0; i -= 2) {
    if (raw[i]?.toLowerCase() === PROBE_HEADER) raw.splice(i, 2);
  }
  return raw.length < before;
}
