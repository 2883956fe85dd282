import type { ReportedState } from '../protocol/breaker-state';
import type { Sample } from '../protocol/samples';
import type { Word } from './word';

/** A state frame is the whole truth of that instance at that moment. */
export function foldState(
  before: Word | undefined,
  told: { readonly state: ReportedState; readonly at: number; readonly epoch: string },
): Word {
  const { state, at, epoch } = told;
  const same = before !== undefined && before.state.state === state.state;
  const remainingMs = state.override?.remainingMs;
  return {
    state,
    since: same ? before.since : before === undefined && state.state === 'closed' ? null : at,
    asOf: Math.max(before?.asOf ?? 0, at),
    retryAt:
      state.automatic === 'open' && state.retryInMs !== undefined ? at + state.retryInMs : null,
    overrideEndsAt: remainingMs === undefined ? null : at + remainingMs,
    wouldBeOpen: same && before.wouldBeOpen,
    baseline: before?.baseline ?? null,
    epoch,
  };
}

/** A sample tells numbers; it never decides the state, for it may be late and may be dropped. */
export function foldSample(
  before: Word,
  told: { readonly sample: Sample; readonly at: number },
): Word {
  const { sample, at } = told;
  if (at < before.asOf && before.state.state !== sample.state) return before;
  const moving = sample.state === 'half_open' && before.state.state === 'half_open';
  const sameStep = moving && before.state.step === sample.step;
  const state = {
    ...before.state,
    inFlight: sample.inFlight,
    ...(sameStep ? { share: sample.share } : {}),
  };
  const baseline = sample.baseline ?? before.baseline;
  return { ...before, state, baseline, asOf: Math.max(before.asOf, at) };
}
