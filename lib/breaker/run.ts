import { acquire } from './acquire';
import type { AcquireOptions } from './acquire';
import { runProblem } from './arguments';
import { classifyError } from './classify';
import type { Core } from './core';
import { breakerOpenError, CallTimeoutError } from './errors';
import { report } from './events';
import { weightOf } from './outcome';
import { knownFailure } from './permit';
import type { Permit, Settler } from './permit';
import { effectiveState } from './record';
import type { Failure } from './types';
import type { Watched } from './watch';

export type CallContext = {
  /** Aborted at the timeout and when the caller's own signal is. Made when it is first read. */
  readonly signal: AbortSignal;
  /** To settle by hand, for answers that are failures without being thrown. */
  readonly permit: Permit;
  /** This call is a probe of a half-open breaker. */
  readonly probe: boolean;
};

export type RunOptions<T> = AcquireOptions & {
  /** Gives the call up: settled as cancelled. */
  readonly signal?: AbortSignal;
  /** Answers in place of a refused or failed call; not of one that the caller gave up. */
  readonly fallback?: (error: unknown) => T | PromiseLike<T>;
  /** At most the life of the permit, which is the default. */
  readonly timeoutMs?: number;
};

type Work<T> = (context: CallContext) => T | PromiseLike<T>;

const noOptions = {};

/** Makes one call under the breaker. The caller has advanced the clock. */
export function run<T>(
  core: Core,
  settler: Settler,
  work: Work<T>,
  options: RunOptions<T> = noOptions,
): Promise<T> {
  const problem = runProblem(work, options);
  if (problem !== null) return Promise.reject(problem);
  const { signal, fallback } = options;
  if (signal?.aborted === true) return Promise.reject(asError(signal.reason));
  const permit = acquire(core, settler, options);
  if (!permit.granted) {
    const state = effectiveState(core.record);
    const error = breakerOpenError(core.name, state, permit, core.config.errorStacks);
    return fallback === undefined ? rejectSoon(error) : answer(fallback, error);
  }
  return new Promise((resolve, reject) => {
    new Call(core, permit, options, resolve, reject).start(work);
  });
}

const settled = Promise.resolve();

/** One turn later: a promise born rejected is booked as unhandled first, which costs more than the rest. */
function rejectSoon(error: unknown): Promise<never> {
  return new Promise((_, reject) => {
    // oxlint-disable-next-line promise/no-promise-in-callback -- that is how the turn passes
    void settled.then(() => reject(error));
  });
}

function answer<T>(fallback: (error: unknown) => T | PromiseLike<T>, error: unknown): Promise<T> {
  return new Promise((resolve) => {
    resolve(fallback(error));
  });
}

/** One call under way. Whatever ends it first decides; the rest finds it done. */
class Call<T> implements CallContext, Watched {
  readonly permit: Permit;
  readonly #core: Core;
  readonly #options: RunOptions<T>;
  readonly #resolve: (value: T | PromiseLike<T>) => void;
  readonly #reject: (error: unknown) => void;
  #controller: AbortController | null = null;
  #abortReason: unknown = undefined;
  #timer: { cancel(): void } | null = null;
  #onAbort: (() => void) | null = null;
  #done = false;
  before: Watched | null = null;
  after: Watched | null = null;
  readonly endsAt: number;

  constructor(
    core: Core,
    permit: Permit,
    options: RunOptions<T>,
    resolve: (value: T | PromiseLike<T>) => void,
    reject: (error: unknown) => void,
  ) {
    this.#core = core;
    this.permit = permit;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.endsAt = permit.expiresAt;
  }

  get probe(): boolean {
    return this.permit.probe;
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  start(work: Work<T>): void {
    const { signal, timeoutMs } = this.#options;
    if (signal !== undefined) {
      this.#onAbort = () => this.#giveUp(signal.reason);
      signal.addEventListener('abort', this.#onAbort, { once: true });
    }
    this.#limit(timeoutMs);
    try {
      const result = work(this);
      if (isPromiseLike(result)) result.then(this.#onValue, this.#onError);
      else this.#onValue(result);
    } catch (error) {
      this.#onError(error);
    }
  }

  readonly #onValue = (value: T): void => {
    if (!this.#finish()) return;
    this.permit.success();
    this.#core.watch.remove(this);
    this.#resolve(value);
  };

  readonly #onError = (error: unknown): void => {
    if (!this.#finish()) return;
    const failure = judgeError(this.#core, error);
    if (failure === 'ignored') this.permit.ignore();
    else this.permit.failure(failure);
    this.#fail(error, failure);
  };

  /** Calls that end with their permit share one timer; the others have their own. */
  #limit(timeoutMs: number | undefined): void {
    const { expiresAt, admittedAt, probe } = this.permit;
    const lifeMs = expiresAt - admittedAt;
    if (lifeMs === Infinity && timeoutMs === undefined) return;
    if (timeoutMs === undefined && !probe) this.#core.watch.add(this, lifeMs);
    else {
      const limitMs = Math.min(timeoutMs ?? Infinity, lifeMs);
      this.#timer = this.#core.environment.timer.after(limitMs, () => this.#onTimeout(limitMs));
    }
  }

  onEnd(): void {
    this.#onTimeout(this.endsAt - this.permit.admittedAt);
  }

  #giveUp(reason: unknown): void {
    if (!this.#finish()) return;
    this.permit.cancel();
    this.#core.watch.remove(this);
    this.#abort(reason);
    this.#reject(asError(reason));
  }

  #onTimeout(timeoutMs: number): void {
    if (!this.#finish()) return;
    const error = new CallTimeoutError(this.#core.name, timeoutMs);
    this.permit.failure('timeout');
    this.#abort(error);
    this.#fail(error, 'timeout');
  }

  #fail(error: unknown, failure: Failure): void {
    this.#core.watch.remove(this);
    const { fallback } = this.#options;
    const kind = typeof failure === 'string' ? failure : failure.kind;
    const own = kind === 'rejected_local' || weightOf(kind) === 'bad';
    if (fallback === undefined || !own) this.#reject(error);
    else this.#resolve(answer(fallback, error));
  }

  #abort(reason: unknown): void {
    this.#abortReason = reason ?? new Error('aborted');
    this.#controller?.abort(this.#abortReason);
  }

  #finish(): boolean {
    if (this.#done) return false;
    this.#done = true;
    this.#timer?.cancel();
    if (this.#onAbort !== null) {
      this.#options.signal?.removeEventListener('abort', this.#onAbort);
    }
    return true;
  }
}

/** The user's filter first, then the user's classes, then the known ones. */
function judgeError(core: Core, error: unknown): Failure {
  const { ignore, classify } = core.options;
  try {
    if (ignore?.(error) === true) return 'ignored';
    const own = classify?.(error);
    if (own !== undefined) return knownFailure(own);
  } catch (problem) {
    report(core.environment.onProblem, problem);
  }
  return classifyError(error, core.environment.wallClock);
}

function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}

function asError(reason: unknown): unknown {
  return reason ?? new Error('aborted');
}
