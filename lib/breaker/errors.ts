import type { Rejection } from './permit';
import type { BreakerState, RejectionReason } from './types';

const MARK = 'isBreakerOpenError';

/** `run` was not allowed to call. Carries no stack trace unless asked: that is most of its cost. */
export class BreakerOpenError extends Error {
  readonly code = 'BREAKER_OPEN';
  /** Survives copies of this package, where `instanceof` does not. */
  readonly isBreakerOpenError = true;
  readonly breaker: string;
  readonly state: BreakerState;
  readonly reason: RejectionReason;
  readonly retryAfterMs: number | null;

  constructor(breaker: string, state: BreakerState, rejection: Rejection) {
    super(`Circuit breaker "${breaker}" rejected the call: ${rejection.reason}`);
    this.name = 'BreakerOpenError';
    this.breaker = breaker;
    this.state = state;
    this.reason = rejection.reason;
    this.retryAfterMs = rejection.retryAfterMs;
  }
}

type StackHost = { stackTraceLimit?: number };

/** Makes the error without collecting a stack, where the engine lets us say so. */
export function breakerOpenError(
  breaker: string,
  state: BreakerState,
  rejection: Rejection,
  withStack: boolean,
): BreakerOpenError {
  const host: StackHost = Error;
  const limit = host.stackTraceLimit;
  if (withStack || limit === undefined) return new BreakerOpenError(breaker, state, rejection);
  host.stackTraceLimit = 0;
  try {
    return new BreakerOpenError(breaker, state, rejection);
  } finally {
    host.stackTraceLimit = limit;
  }
}

export function isBreakerOpenError(error: unknown): error is BreakerOpenError {
  return typeof error === 'object' && error !== null && Reflect.get(error, MARK) === true;
}

/** `run` gave up waiting. */
export class CallTimeoutError extends Error {
  readonly code = 'CALL_TIMEOUT';
  readonly breaker: string;
  readonly timeoutMs: number;

  constructor(breaker: string, timeoutMs: number) {
    super(`Circuit breaker "${breaker}" stopped waiting after ${timeoutMs} ms`);
    this.name = 'TimeoutError';
    this.breaker = breaker;
    this.timeoutMs = timeoutMs;
  }
}
