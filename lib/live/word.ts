import type { ReportedState } from '../protocol/breaker-state';
import type { Sample } from '../protocol/samples';

/** The last word of one instance about one breaker. Replaced, never changed. */
export type Word = {
  readonly state: ReportedState;
  /** When the effective state was entered; null when it has not changed since it was first seen. */
  readonly since: number | null;
  /** When the instance last said anything about it. */
  readonly asOf: number;
  readonly retryAt: number | null;
  readonly overrideEndsAt: number | null;
  /** While it is held closed or only watches: it has said that it would have opened by now. */
  readonly wouldBeOpen: boolean;
  readonly baseline: Sample['baseline'] | null;
  /** The run that said it: `breakerEpoch` counts within one run only. */
  readonly epoch: string;
};

/** Not known until a `registered` or a state frame says it; never counts as drift. */
export const UNKNOWN_CONFIG = '';

/** A breaker that was never heard of in this run starts closed. */
export function firstWord(input: {
  readonly breaker: string;
  readonly target: string;
  readonly configHash: string;
  readonly epoch: string;
  readonly at: number;
}): Word {
  return {
    state: {
      breaker: input.breaker,
      target: input.target,
      state: 'closed',
      automatic: 'closed',
      step: null,
      steps: 0,
      share: 1,
      level: 0,
      inFlight: 0,
      configHash: input.configHash,
      breakerEpoch: 0,
    },
    since: null,
    asOf: input.at,
    retryAt: null,
    overrideEndsAt: null,
    wouldBeOpen: false,
    baseline: null,
    epoch: input.epoch,
  };
}
