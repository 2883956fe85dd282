import type { AcquireOptions } from './acquire';
import { classifyError } from './classify';
import type { Core } from './core';
import { CallTimeoutError } from './errors';
import { report } from './events';
import { weightOf } from './outcome';
import { knownFailure } from './permit';
import type { Permit } from './permit';
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

/** What a call without options has, known by its identity. */
export const noOptions: RunOptions<never> = {};

export type Work<T> = (context: CallContext) => T | PromiseLike<T>;

/** What a call with a limit or a signal of its own must put away at its end. */
type Ending = {
  readonly timer: { cancel(): void } | null;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: (() => void) | null;
};

/**
 * One call under way. Whatever ends it first decides; the rest finds it done. The fields are only
 * declared, because those that a class defines are set twice, which a call can feel.
 */
export class Call<T> implements CallContext, Watched {
  declare readonly permit: Permit;
  declare before: Watched | null;
  declare after: Watched | null;
  declare private readonly core: Core;
  declare private readonly options: RunOptions<T>;
  declare private readonly resolve: (value: T | PromiseLike<T>) => void;
  declare private readonly reject: (error: unknown) => void;
  declare private ending: Ending | null;
  declare private controller: AbortController | null;
  declare private done: boolean;

  constructor(
    core: Core,
    permit: Permit,
    options: RunOptions<T>,
    resolve: (value: T | PromiseLike<T>) => void,
    reject: (error: unknown) => void,
  ) {
    this.permit = permit;
    this.before = null;
    this.after = null;
    this.core = core;
    this.options = options;
    this.resolve = resolve;
    this.reject = reject;
    this.ending = null;
    this.controller = null;
    this.done = false;
  }

  get probe(): boolean {
    return this.permit.probe;
  }

  get endsAt(): number {
    return this.permit.expiresAt;
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    return this.controller.signal;
  }

  start(work: Work<T>): void {
    const { permit, options } = this;
    const lifeMs = permit.expiresAt - permit.admittedAt;
    if (options !== noOptions || permit.probe) this.limit(options, lifeMs);
    else if (lifeMs < Infinity) this.core.watch.add(this, lifeMs);
    try {
      const result = work(this);
      if (isPromiseLike(result)) {
        result.then(
          (value) => this.succeed(value),
          (error: unknown) => this.fail(error),
        );
      } else this.succeed(result);
    } catch (error) {
      this.fail(error);
    }
  }

  onEnd(): void {
    this.timeOut(this.permit.expiresAt - this.permit.admittedAt);
  }

  /** Calls that end with their permit share one timer; the others, and probes, have their own. */
  private limit({ signal, timeoutMs }: RunOptions<T>, lifeMs: number): void {
    const onAbort = signal === undefined ? null : () => this.giveUp(signal.reason);
    if (onAbort !== null) signal?.addEventListener('abort', onAbort, { once: true });
    let timer: Ending['timer'] = null;
    if (timeoutMs !== undefined || this.permit.probe) {
      const limitMs = Math.min(timeoutMs ?? Infinity, lifeMs);
      timer = this.core.environment.timer.after(limitMs, () => this.timeOut(limitMs));
    } else if (lifeMs < Infinity) this.core.watch.add(this, lifeMs);
    this.ending = { timer, signal, onAbort };
  }

  private succeed(value: T): void {
    if (!this.finish()) return;
    this.permit.success();
    this.resolve(value);
  }

  private fail(error: unknown): void {
    if (!this.finish()) return;
    const failure = judgeError(this.core, error);
    if (failure === 'ignored') this.permit.ignore();
    else this.permit.failure(failure);
    this.answer(error, failure);
  }

  private giveUp(reason: unknown): void {
    if (!this.finish()) return;
    this.permit.cancel();
    this.abort(reason);
    this.reject(asError(reason));
  }

  private timeOut(timeoutMs: number): void {
    if (!this.finish()) return;
    const error = new CallTimeoutError(this.core.name, timeoutMs);
    this.permit.failure('timeout');
    this.abort(error);
    this.answer(error, 'timeout');
  }

  /** The fallback stands in for failures of the target, not for the caller's own. */
  private answer(error: unknown, failure: Failure): void {
    const { fallback } = this.options;
    const kind = typeof failure === 'string' ? failure : failure.kind;
    const own = kind === 'rejected_local' || weightOf(kind) === 'bad';
    if (fallback === undefined || !own) this.reject(error);
    else this.resolve(answer(fallback, error));
  }

  private abort(reason: unknown): void {
    this.controller ??= new AbortController();
    this.controller.abort(asError(reason));
  }

  private finish(): boolean {
    if (this.done) return false;
    this.done = true;
    this.core.watch.remove(this);
    if (this.ending !== null) putAway(this.ending);
    return true;
  }
}

function putAway({ timer, signal, onAbort }: Ending): void {
  timer?.cancel();
  if (onAbort !== null) signal?.removeEventListener('abort', onAbort);
}

export function answer<T>(
  fallback: (error: unknown) => T | PromiseLike<T>,
  error: unknown,
): Promise<T> {
  return new Promise((resolve) => {
    resolve(fallback(error));
  });
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

export function asError(reason: unknown): unknown {
  return reason ?? new Error('aborted');
}
