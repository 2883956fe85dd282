import { retryAfterMs } from './retry-after';
import type { Failure } from './types';

type Fields = {
  readonly name: unknown;
  readonly code: unknown;
  readonly status: unknown;
  readonly headers: unknown;
  readonly cause: unknown;
};

const refusedCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EPIPE',
  'EPROTO',
  'UND_ERR_SOCKET',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const timeoutCodes = new Set([
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'ECONNABORTED',
  'CALL_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const localCodes = new Set([
  'BREAKER_OPEN',
  'ENDPOINTS_UNAVAILABLE',
  'EOPENBREAKER',
  'ESEMLOCKED',
  'ERR_POOL_FULL',
]);
const localNames = new Set(['BrokenCircuitError', 'IsolatedCircuitError', 'BulkheadRejectedError']);
const cancelCodes = new Set(['ERR_CANCELED', 'ABORT_ERR', 'UND_ERR_ABORTED']);

/**
 * What a thrown value says about the target. Never throws, whatever was thrown. `wallClock` (epoch
 * ms) is read for a `Retry-After` that is a date; without it such a date is no hint.
 */
export function classifyError(error: unknown, wallClock?: () => number): Failure {
  // A cause may point at its own error; three levels are more than any client nests.
  let current = error;
  for (let depth = 0; depth < 3; depth++) {
    if (typeof current !== 'object' || current === null) break;
    const fields = readFields(current);
    const found =
      byStatus(fields, wallClock) ?? byCode(fields.code) ?? byName(fields.name) ?? byMark(current);
    if (found !== undefined) return found;
    current = fields.cause;
  }
  return 'server_error';
}

function readFields(error: object): Fields {
  const response = read(error, 'response');
  const answer = typeof response === 'object' && response !== null ? response : error;
  return {
    name: read(error, 'name'),
    code: read(error, 'code'),
    status: read(answer, 'status') ?? read(error, 'status') ?? read(error, 'statusCode'),
    headers: read(answer, 'headers'),
    cause: read(error, 'cause'),
  };
}

function read(from: object, key: string): unknown {
  try {
    return Reflect.get(from, key);
  } catch {
    return undefined;
  }
}

function byStatus(
  { status, headers }: Fields,
  wallClock: (() => number) | undefined,
): Failure | undefined {
  if (typeof status !== 'number' || status < 400 || status > 599) return undefined;
  if (status === 408 || status === 504) return 'timeout';
  const waitMs =
    status === 429 || status === 503
      ? retryAfterMs(header(headers, 'retry-after'), wallClock?.() ?? Number.NaN)
      : undefined;
  if (waitMs !== undefined) return { kind: 'overload', retryAfterMs: waitMs };
  if (status === 429) return 'overload';
  if (status === 425 || status >= 500) return 'server_error';
  return 'client_error';
}

function byCode(code: unknown): Failure | undefined {
  if (typeof code !== 'string') return undefined;
  if (timeoutCodes.has(code)) return 'timeout';
  if (cancelCodes.has(code)) return 'cancelled';
  if (localCodes.has(code)) return 'rejected_local';
  if (refusedCodes.has(code) || code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_')) {
    return 'refused';
  }
  return undefined;
}

function byName(name: unknown): Failure | undefined {
  if (typeof name !== 'string') return undefined;
  if (name === 'AbortError') return 'cancelled';
  if (name === 'TimeoutError') return 'timeout';
  return localNames.has(name) ? 'rejected_local' : undefined;
}

/** The errors of cockatiel are all named `Error`; in each is a mark. */
function byMark(error: object): Failure | undefined {
  const marked = (mark: string) => read(error, mark) === true;
  if (marked('isBrokenCircuitError') || marked('isBulkheadRejectedError')) return 'rejected_local';
  return marked('isTaskCancelledError') ? 'timeout' : undefined;
}

function header(headers: unknown, name: string): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined;
  try {
    const get: unknown = Reflect.get(headers, 'get');
    if (typeof get === 'function') return Reflect.apply(get, headers, [name]);
    return Reflect.get(headers, name) ?? Reflect.get(headers, 'Retry-After');
  } catch {
    return undefined;
  }
}
