import { AsyncLocalStorage } from 'node:async_hooks';

/** The probe inside which the code runs. */
export type ProbeMark = {
  readonly probe: true;
  /** Name of the breaker that let the probe in. */
  readonly breaker: string;
  /** Ramp step, from 0. */
  readonly step: number;
};

export type ProbeScope = { readonly mark: ProbeMark; live: boolean };

const storage = new AsyncLocalStorage<ProbeScope | undefined>();
/** Probes under way. While there are none, no call of any breaker touches the storage. */
let live = 0;

/**
 * The probe that this code is part of, or undefined. A convenience for logs and priorities: the
 * mark follows promises and callbacks, but not pooled connections or batching loaders, and it ends
 * with the breaker's call. Where it must not get lost, hand on `probe` of the call's context.
 */
export function currentProbe(): ProbeMark | undefined {
  if (live === 0) return undefined;
  const scope = storage.getStore();
  return scope?.live === true ? scope.mark : undefined;
}

export function openScope(breaker: string, step: number): ProbeScope {
  live++;
  return { mark: { probe: true, breaker, step }, live: true };
}

export function closeScope(scope: ProbeScope): void {
  scope.live = false;
  live--;
  // In older Node versions a storage in use slows down every promise of the process.
  if (live === 0) storage.disable();
}

export function inScope<R>(scope: ProbeScope, work: () => R): R {
  return storage.run(scope, work);
}

/** An ordinary call inside a probe of another breaker is no probe. */
export function outsideProbe<A, R>(work: (argument: A) => R, argument: A): R {
  if (live === 0 || storage.getStore() === undefined) return work(argument);
  return storage.run(undefined, work, argument);
}
