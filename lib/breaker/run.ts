import { acquire } from './acquire';
import { runProblem } from './arguments';
import { answer, asError, Call, noOptions } from './call';
import type { RunOptions, Work } from './call';
import type { Core } from './core';
import { breakerOpenError } from './errors';
import type { Permit, Rejection, Settler } from './permit';
import { effectiveState } from './record';

/** Makes one call under the breaker. The caller has advanced the clock. */
export function run<T>(
  core: Core,
  settler: Settler,
  work: Work<T>,
  options: RunOptions<T> = noOptions,
): Promise<T> {
  // The commonest call by far has nothing that could be wrong.
  if (options !== noOptions || typeof work !== 'function') {
    const problem = whyNot(work, options);
    if (problem !== null) return Promise.reject(problem.error);
  }
  const permit = acquire(core, settler, options);
  return permit.granted ? callWith(core, permit, work, options) : refuse(core, permit, options);
}

/** An argument that is wrong, or a caller that has given up already. */
function whyNot<T>(work: unknown, options: RunOptions<T>): { error: unknown } | null {
  const problem = runProblem(work, options);
  if (problem !== null) return { error: problem };
  const { signal } = options;
  return signal?.aborted === true ? { error: asError(signal.reason) } : null;
}

function callWith<T>(
  core: Core,
  permit: Permit,
  work: Work<T>,
  options: RunOptions<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    new Call(core, permit, options, resolve, reject).start(work);
  });
}

function refuse<T>(core: Core, rejection: Rejection, { fallback }: RunOptions<T>): Promise<T> {
  const state = effectiveState(core.record);
  const error = breakerOpenError(core.name, state, rejection, core.config.errorStacks);
  return fallback === undefined ? rejectSoon(error) : answer(fallback, error);
}

const settled = Promise.resolve();

/** One turn later: a promise born rejected is booked as unhandled first, which costs more than the rest. */
function rejectSoon(error: unknown): Promise<never> {
  return new Promise((_, reject) => {
    // oxlint-disable-next-line promise/no-promise-in-callback -- that is how the turn passes
    void settled.then(() => reject(error));
  });
}
