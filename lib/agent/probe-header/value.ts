/**
 * The value of `X-Probe-Request`:
 *
 *     v1.<key id>.<epoch ms>.<nonce>.<breaker>.<mac>
 *
 * Nonce (12 bytes), breaker (UTF-8) and MAC (32 bytes) are base64url without padding. The MAC is
 * HMAC-SHA256 over a domain word and every field, each preceded by its length, so that no two
 * requests give the same bytes.
 */

export const PROBE_HEADER = 'x-probe-request';
export const NONCE_BYTES = 12;
/** Longer values are refused unread. A breaker's name of 128 characters fits. */
export const MAX_VALUE_LENGTH = 1_024;

const VERSION = 'v1';
const DOMAIN = 'recloser/probe-request/v1';
const grammar =
  /^v1\.([A-Za-z0-9_-]{1,32})\.(0|[1-9][0-9]{0,14})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{1,700})\.([A-Za-z0-9_-]{43})$/;

/** What the MAC binds the header to. `path` is the request target with its query, as it is sent. */
export type BoundRequest = {
  readonly method: string;
  readonly host: string;
  readonly path: string;
};

export type HeaderFields = {
  readonly keyId: string;
  /** Epoch ms of the signing. */
  readonly timestampMs: number;
  readonly nonce: string;
  /** Base64url of the breaker's name. */
  readonly breaker: string;
};

/** The bytes under the MAC. */
export function signedBytes(request: BoundRequest, fields: HeaderFields): Uint8Array {
  const { method, host, path } = request;
  const { keyId, timestampMs, nonce, breaker } = fields;
  const parts = [DOMAIN, method, host, path, keyId, String(timestampMs), nonce, breaker];
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

export function formatValue(fields: HeaderFields, mac: string): string {
  const { keyId, timestampMs, nonce, breaker } = fields;
  return [VERSION, keyId, timestampMs, nonce, breaker, mac].join('.');
}

export type ParsedValue = { readonly fields: HeaderFields; readonly mac: string };

/** Null for anything that `formatValue` does not write. */
export function parseValue(value: string): ParsedValue | null {
  if (value.length > MAX_VALUE_LENGTH) return null;
  const [, keyId, time, nonce, breaker, mac] = grammar.exec(value) ?? [];
  if (!keyId || !time || !nonce || !breaker || !mac) return null;
  return { fields: { keyId, timestampMs: Number(time), nonce, breaker }, mac };
}

export function encodeName(name: string): string {
  return Buffer.from(name, 'utf8').toString('base64url');
}

/** Null where the text is not exactly what `encodeName` gives for some name. */
export function decodeName(text: string): string | null {
  const name = Buffer.from(text, 'base64url').toString('utf8');
  return encodeName(name) === text ? name : null;
}
