import { classifyError } from '../classify';
import type { Environment } from '../environment';
import { CallTimeoutError } from '../errors';
import { report } from '../events';
import { weightOf } from '../outcome';
import { knownFailure } from '../permit';
import type { BreakerOptions, Failure } from '../types';
import type { EndpointPermit, EndpointRejection, PickOptions } from './types';

export type EndpointCall = {
  /** Aborted at the timeout and when the caller's own signal is. */
  readonly signal: AbortSignal;
  readonly probe: boolean;
  /** To settle by hand, for answers that are failures without being thrown. */
  readonly permit: EndpointPermit;
};

export type EndpointRunOptions<T> = PickOptions & {
  /** Gives the call up: settled as cancelled. */
  readonly signal?: AbortSignal;
  /** Answers in place of a refused or failed call; not of one that the caller gave up. */
  readonly fallback?: (error: unknown) => T | PromiseLike<T>;
  /** At most the life of the permit, which is the default. */
  readonly timeoutMs?: number;
};

export type EndpointWork<T> = (endpoint: string, call: EndpointCall) => T | PromiseLike<T>;

/** `run` found no endpoint that may be called. */
export class EndpointsUnavailableError extends Error {
  readonly code = 'ENDPOINTS_UNAVAILABLE';
  readonly set: string;
  readonly reason: EndpointRejection['reason'];
  readonly panic: boolean;
  readonly retryAfterMs: number | null;

  constructor(set: string, rejection: EndpointRejection) {
    super(`Endpoint set "${set}" has no endpoint for the call: ${rejection.reason}`);
    this.name = 'EndpointsUnavailableError';
    this.set = set;
    this.reason = rejection.reason;
    this.panic = rejection.panic;
    this.retryAfterMs = rejection.retryAfterMs;
  }
}

type Host = {
  readonly name: string;
  readonly environment: Environment;
  readonly judge: Pick<BreakerOptions, 'ignore' | 'classify'>;
};

type Ending<T> = { readonly value: T } | { readonly error: unknown; readonly failure: Failure };

/** Makes one call under a permit, which it settles on every way out. */
export async function callEndpoint<T>(
  host: Host,
  permit: EndpointPermit,
  work: EndpointWork<T>,
  options: EndpointRunOptions<T>,
): Promise<T> {
  const ending = await firstEnding(host, permit, work, options);
  if ('value' in ending) return ending.value;
  const { error, failure } = ending;
  const kind = typeof failure === 'string' ? failure : failure.kind;
  const own = kind === 'rejected_local' || weightOf(kind) === 'bad';
  if (options.fallback === undefined || !own) throw error;
  return options.fallback(error);
}

/** Answer, error, timeout or the caller's abort: the first one settles the permit, others change nothing. */
function firstEnding<T>(
  host: Host,
  permit: EndpointPermit,
  work: EndpointWork<T>,
  options: EndpointRunOptions<T>,
): Promise<Ending<T>> {
  const { signal, timeoutMs = Infinity } = options;
  const limitMs = Math.min(timeoutMs, permit.expiresAt - permit.admittedAt);
  const controller = new AbortController();
  return new Promise((resolve) => {
    const end = (ending: Ending<T>): void => {
      timer?.cancel();
      signal?.removeEventListener('abort', onAbort);
      settle(permit, ending);
      resolve(ending);
    };
    const stop = (error: unknown, failure: Failure): void => {
      end({ error, failure });
      controller.abort(error);
    };
    const onAbort = (): void => stop(signal?.reason, 'cancelled');
    const timer =
      limitMs === Infinity
        ? null
        : host.environment.timer.after(limitMs, () =>
            stop(new CallTimeoutError(host.name, limitMs), 'timeout'),
          );
    signal?.addEventListener('abort', onAbort, { once: true });
    const call = { signal: controller.signal, probe: permit.probe, permit };
    // One turn later would let the clock pass between the permit and the call.
    try {
      Promise.resolve(work(permit.endpoint, call)).then(
        (value) => end({ value }),
        (error: unknown) => end({ error, failure: judgeError(host, error) }),
      );
    } catch (error) {
      end({ error, failure: judgeError(host, error) });
    }
  });
}

function settle<T>(permit: EndpointPermit, ending: Ending<T>): void {
  if ('value' in ending) permit.success();
  else permit.failure(ending.failure);
}

/** The user's filter first, then the user's classes, then the known ones. */
function judgeError({ judge, environment }: Host, error: unknown): Failure {
  try {
    if (judge.ignore?.(error) === true) return 'ignored';
    const own = judge.classify?.(error);
    if (own !== undefined) return knownFailure(own);
  } catch (problem) {
    report(environment.onProblem, problem);
  }
  return classifyError(error, environment.wallClock);
}
