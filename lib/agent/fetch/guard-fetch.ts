import {
  isBreakerOpenError,
  type BreakerOpenError,
  type CallContext,
  type CircuitBreaker,
  type Permit,
} from '../../breaker';
import { stripProbeHeader } from '../probe-header/strip';
import { PROBE_HEADER } from '../probe-header/value';
import { watchBody, type BodyEnd } from './body';
import { followSignals } from './follow';
import { isCallersMistake, judgeBodyError, judgeResponse, markOwn } from './judge';
import {
  checkFetchOptions,
  isIdempotent,
  type FetchTarget,
  type GuardedCall,
  type GuardFetchOptions,
} from './options';

type FetchInput = string | URL | Request;
type Fetch = (input: FetchInput, init?: RequestInit) => Promise<Response>;

/** As `fetch`; the third argument is about this one call. */
export type GuardedFetch = (
  input: FetchInput,
  init?: RequestInit,
  call?: GuardedCall,
) => Promise<Response>;

/** What a guarded fetch needs of a breaker. */
export type FetchBreaker = { readonly name: string; readonly run: CircuitBreaker['run'] };

type Exchange = {
  readonly breaker: FetchBreaker;
  readonly fetchImpl: Fetch;
  readonly options: GuardFetchOptions;
  readonly input: FetchInput;
  readonly init: RequestInit;
  readonly target: FetchTarget;
  readonly caller: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  /** For an answer whose call goes on. */
  readonly answer: (response: Response) => void;
};

/**
 * A fetch under a breaker: admission by method, deadline and the caller's signal in one, and the
 * answer booked by its status.
 *
 * Rejects with a `BreakerOpenError` when the breaker refuses, with a `CallTimeoutError` at the
 * deadline, with the caller's reason when it gives up, else as `fetch` does.
 * @throws RecloserConfigError for options that cannot work.
 */
export function guardFetch(
  breaker: FetchBreaker,
  fetchImpl: Fetch = globalThis.fetch,
  options: GuardFetchOptions = {},
): GuardedFetch {
  checkFetchOptions(options);
  // Finds out now whether the name of this breaker can be signed.
  options.signer?.sign({ method: 'GET', url: 'http://localhost', breaker: breaker.name });
  // As in fetch, what cannot be read is a rejection, and null is as good as nothing.
  return async (input, given, how) => {
    const init = given ?? {};
    const call = how ?? {};
    const target = targetOf(input, init);
    const caller = signalOf(input, init);
    const timeoutMs = call.timeoutMs ?? options.timeoutMs;
    let admitted = false;
    return new Promise((resolve, reject) => {
      const exchange = { breaker, fetchImpl, options, input, init, target, caller, timeoutMs };
      breaker
        .run(
          (context) => {
            admitted = true;
            return perform({ ...exchange, answer: resolve }, context);
          },
          {
            idempotent: call.idempotent ?? isIdempotent(options.idempotent, target),
            ...(call.key === undefined ? {} : { key: call.key }),
            ...(caller === undefined ? {} : { signal: caller }),
            ...(timeoutMs === undefined ? {} : { timeoutMs }),
          },
        )
        .then(
          (response) => response !== null && resolve(response),
          (error: unknown) => {
            const respond = options.onRejected === 'respond' && !admitted;
            if (respond && isBreakerOpenError(error)) resolve(ownAnswer(error));
            else reject(error);
          },
        );
    });
  };
}

function targetOf(input: FetchInput, init: RequestInit): FetchTarget {
  const request = input instanceof Request ? input : null;
  // Callers without types may give anything; fetch itself says what it takes.
  const method: unknown = init.method ?? request?.method ?? 'GET';
  const url: unknown = request?.url ?? input;
  return { method: String(method).toUpperCase(), url: String(url) };
}

/** As in fetch: null takes a request's own signal off. */
function signalOf(input: FetchInput, init: RequestInit): AbortSignal | undefined {
  if (init.signal !== undefined) return init.signal ?? undefined;
  return input instanceof Request ? input.signal : undefined;
}

/** The answer, or null when the caller has it already and the call went on with its body. */
async function perform(exchange: Exchange, context: CallContext): Promise<Response | null> {
  const startedAt = performance.now();
  const { caller, options, answer } = exchange;
  const { permit } = context;
  const followed = caller === undefined ? null : followSignals([context.signal, caller]);
  const response = await send(exchange, context, followed?.signal ?? context.signal).catch(
    (error: unknown) => {
      followed?.stop();
      throw error;
    },
  );
  const { body } = response;
  if (body === null) followed?.stop();
  const failure = judgeResponse(response, options.classify);
  if (failure !== null) permit.failure(failure);
  else if (options.settleAt === 'body' && body instanceof ReadableStream) {
    const lifeMs = Math.min(permit.expiresAt - permit.admittedAt, exchange.timeoutMs ?? Infinity);
    await new Promise<void>((ended) => {
      const onEnd = (end: BodyEnd) => {
        settleBody(permit, end);
        if (end.kind !== 'unread') followed?.stop();
        ended();
      };
      answer(watchBody(response, body, startedAt, lifeMs, onEnd));
    });
    return null;
  }
  return response;
}

function settleBody(permit: Permit, end: BodyEnd): void {
  if (end.kind === 'complete') permit.success();
  else if (end.kind === 'failed') permit.failure(judgeBodyError(end.error));
  // The breaker's clock has run on while nobody read.
  else permit.success(end.latencyMs);
}

async function send(
  exchange: Exchange,
  context: CallContext,
  signal: AbortSignal,
): Promise<Response> {
  const { fetchImpl, input, init } = exchange;
  try {
    const headers = headersFor(exchange, context.probe);
    return await fetchImpl(input, { ...init, ...(headers === null ? {} : { headers }), signal });
  } catch (error) {
    if (isCallersMistake(error)) context.permit.ignore();
    throw error;
  }
}

/** The mark is for one hop: one that came in with the headers goes no further. */
function headersFor(exchange: Exchange, probe: boolean): Headers | null {
  const { breaker, input, init, options, target } = exchange;
  const given = init.headers ?? (input instanceof Request ? input.headers : undefined);
  const signer = probe ? options.signer : undefined;
  if (given === undefined && signer === undefined) return null;
  const headers = new Headers(given);
  const stripped = stripProbeHeader(headers);
  if (signer === undefined) return stripped ? headers : null;
  headers.set(PROBE_HEADER, signer.sign({ ...target, breaker: breaker.name }));
  return headers;
}

function ownAnswer({ retryAfterMs, reason, breaker }: BreakerOpenError): Response {
  const wait =
    retryAfterMs === null
      ? {}
      : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) };
  return markOwn(
    new Response(`Circuit breaker "${breaker}" rejected the call: ${reason}`, {
      status: 503,
      headers: { 'content-type': 'text/plain; charset=utf-8', ...wait },
    }),
  );
}
