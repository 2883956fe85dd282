import type { ProbeSigner } from '../probe-header/sign';
import { RecloserConfigError } from '../config-error';
import type { ClassifyResponse } from './judge';

export type FetchTarget = { readonly method: string; readonly url: string };

export type GuardFetchOptions = {
  /**
   * When a good answer is booked: as soon as its headers are there (default), or at the end of its
   * body, which then is under the deadline too.
   */
  readonly settleAt?: 'headers' | 'body';
  /** Whether a request may be repeated. Default: GET, HEAD, OPTIONS, TRACE, PUT and DELETE may. */
  readonly idempotent?: boolean | ((request: FetchTarget) => boolean);
  /** Asked first about every answer; undefined leaves it to the status. */
  readonly classify?: ClassifyResponse;
  /** A refused call throws a `BreakerOpenError` (default), or is answered with a 503 of our own. */
  readonly onRejected?: 'throw' | 'respond';
  /** Longest wait in ms; default the life of the permit. */
  readonly timeoutMs?: number;
  /** Marks probes with `X-Probe-Request` for a callee that has the key. */
  readonly signer?: ProbeSigner;
};

/** For one call. */
export type GuardedCall = {
  readonly idempotent?: boolean;
  /** Whom the call serves; the admission `sticky` keeps a key's answer stable. */
  readonly key?: string;
  /** In ms. */
  readonly timeoutMs?: number;
};

const known: readonly (keyof GuardFetchOptions)[] = [
  'settleAt',
  'idempotent',
  'classify',
  'onRejected',
  'timeoutMs',
  'signer',
];

/** RFC 9110, 9.2.2. */
const idempotentMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

export function checkFetchOptions(options: GuardFetchOptions): void {
  const wrong = Object.keys(options).find((name) => !known.some((own) => own === name));
  if (wrong !== undefined) {
    throw new RecloserConfigError(wrong, `is not an option; there are ${known.join(', ')}`);
  }
  const { settleAt = 'headers', onRejected = 'throw', timeoutMs = 1 } = options;
  checkWord('settleAt', settleAt, ['headers', 'body']);
  checkWord('onRejected', onRejected, ['throw', 'respond']);
  if (!(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    throw new RecloserConfigError('timeoutMs', `is ${String(timeoutMs)}; it must be above 0`);
  }
}

function checkWord(option: string, got: string, words: readonly string[]): void {
  if (words.includes(got)) return;
  throw new RecloserConfigError(option, `is ${JSON.stringify(got)}; it may be ${words.join(', ')}`);
}

export function isIdempotent(rule: GuardFetchOptions['idempotent'], request: FetchTarget): boolean {
  if (typeof rule === 'function') return rule(request);
  return rule ?? idempotentMethods.has(request.method);
}
