import { randomBytes } from 'node:crypto';
import { RecloserConfigError } from '../config-error';
import { loadKey, macOf, type LoadedKey } from './keys';
import type { ProbeKey } from './probe-key';
import { encodeName, formatValue, MAX_VALUE_LENGTH, NONCE_BYTES, signedBytes } from './value';

export type ProbeSignerOptions = {
  /** The secret shared with the callee. */
  readonly key: ProbeKey;
  /** Epoch ms; default `Date.now`. */
  readonly clock?: () => number;
  /** So many random bytes; default those of `node:crypto`. */
  readonly random?: (bytes: number) => Uint8Array;
};

export type SignInput = {
  readonly method: string;
  /** Absolute address of the request. */
  readonly url: string | URL;
  /** Name of the breaker that let the probe in. */
  readonly breaker: string;
};

/** Marks the probes of one caller to one callee. One signer per callee. */
export class ProbeSigner {
  readonly #clock: () => number;
  readonly #random: (bytes: number) => Uint8Array;
  #key: LoadedKey;

  /** Throws a `RecloserConfigError` for a key that is too short or malformed. */
  constructor(options: ProbeSignerOptions) {
    this.#key = loadKey('key', options.key);
    this.#clock = options.clock ?? Date.now;
    this.#random = options.random ?? randomBytes;
  }

  /** Signs with this key from now on. Give it to the callee first. */
  useKey(key: ProbeKey): void {
    this.#key = loadKey('key', key);
  }

  /** The value of the header `X-Probe-Request` for this one request. */
  sign(input: SignInput): string {
    const url = new URL(input.url);
    const fields = {
      keyId: this.#key.id,
      timestampMs: Math.floor(this.#clock()),
      nonce: Buffer.from(this.#random(NONCE_BYTES)).toString('base64url'),
      breaker: encodeName(input.breaker),
    };
    const request = {
      method: input.method.toUpperCase(),
      host: url.host,
      path: url.pathname + url.search,
    };
    const value = formatValue(fields, macOf(this.#key.secret, signedBytes(request, fields)));
    if (input.breaker === '' || value.length > MAX_VALUE_LENGTH) {
      throw new RecloserConfigError('breaker name', 'must have 1 to 128 characters to be signed');
    }
    return value;
  }
}
