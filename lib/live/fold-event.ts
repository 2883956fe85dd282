import type { NumberedEvent, TransitionEvent } from '../protocol/events';
import type { ReportedState } from '../protocol/breaker-state';
import { firstWord, type Word } from './word';

type Told = { readonly event: NumberedEvent; readonly at: number; readonly epoch: string };

/**
 * What an event changes in the last word. Events of one run come in order, but a state frame may
 * overtake them: what is older than the state that is known changes nothing.
 */
export function foldEvent(before: Word | undefined, told: Told): Word {
  const { event, at, epoch } = told;
  const known = before !== undefined && before.epoch === epoch ? before : undefined;
  if (event.type === 'registered') {
    const fresh = firstWord({ ...event, at, epoch });
    if (known === undefined) return fresh;
    const state = { ...known.state, target: event.target, configHash: event.configHash };
    return { ...known, state, asOf: Math.max(known.asOf, at) };
  }
  const word =
    known ??
    firstWord({
      breaker: event.breaker,
      target: before?.state.target ?? event.breaker,
      configHash: before?.state.configHash ?? '',
      at,
      epoch,
    });
  if ('breakerEpoch' in event && event.breakerEpoch < word.state.breakerEpoch) return word;
  return { ...change(word, event, at), asOf: Math.max(word.asOf, at) };
}

function change(
  word: Word,
  event: Exclude<NumberedEvent, { type: 'registered' }>,
  at: number,
): Word {
  switch (event.type) {
    case 'transition':
      return transit(word, event, at);
    case 'step':
      if (word.state.automatic !== 'half_open' || event.step < (word.state.step ?? 0)) return word;
      return withState(word, { step: event.step, share: event.share, hold: false });
    case 'hold':
    case 'release':
      return withState(word, { hold: event.type === 'hold' });
    case 'override_ended':
      return word.state.override?.id === event.override.id ? withoutOverride(word) : word;
    case 'would_trip':
    case 'would_recover':
      return { ...word, wouldBeOpen: event.type === 'would_trip' };
    default:
      return word;
  }
}

function withState(word: Word, change: Partial<ReportedState>): Word {
  return { ...word, state: { ...word.state, ...change } };
}

function withoutOverride(word: Word): Word {
  const { override: _ended, ...state } = word.state;
  return { ...word, state, overrideEndsAt: null };
}

function transit(word: Word, event: TransitionEvent, at: number): Word {
  // The state frame that overtook this event told the rest already; it could not tell the instant.
  if (event.breakerEpoch === word.state.breakerEpoch && event.to === word.state.state) {
    return { ...word, since: at };
  }
  const { retryInMs: _retry, openTimeoutMs: _open, override, ...kept } = word.state;
  const state: ReportedState = {
    ...kept,
    state: event.to,
    automatic: event.automatic,
    step: event.to === 'half_open' ? (event.step ?? 0) : null,
    share: event.share ?? defaultShare(event.to),
    level: event.level ?? kept.level,
    hold: false,
    breakerEpoch: event.breakerEpoch,
    ...waitOf(event),
    ...forcedBy(event, override),
  };
  const sameOverride = state.override !== undefined && state.override.id === override?.id;
  return {
    ...word,
    state,
    since: event.to === word.state.state ? word.since : at,
    retryAt: state.retryInMs === undefined ? null : at + state.retryInMs,
    overrideEndsAt: sameOverride ? word.overrideEndsAt : null,
    wouldBeOpen: event.to === word.state.state && word.wouldBeOpen,
  };
}

function waitOf(event: TransitionEvent): Pick<ReportedState, 'openTimeoutMs' | 'retryInMs'> {
  if (event.automatic !== 'open') return {};
  return {
    ...(event.openTimeoutMs === undefined ? {} : { openTimeoutMs: event.openTimeoutMs }),
    ...(event.retryInMs === undefined ? {} : { retryInMs: event.retryInMs }),
  };
}

function forcedBy(
  event: TransitionEvent,
  before: ReportedState['override'],
): Pick<ReportedState, 'override'> {
  const kind = forcedKind(event.to);
  if (kind === null) return {};
  if (event.overrideId === undefined) return before === undefined ? {} : { override: before };
  return { override: { id: event.overrideId, kind } };
}

function forcedKind(
  state: ReportedState['state'],
): NonNullable<ReportedState['override']>['kind'] | null {
  if (state === 'forced_open') return 'force_open';
  if (state === 'forced_closed') return 'force_closed';
  return state === 'metrics_only' || state === 'disabled' ? state : null;
}

function defaultShare(state: ReportedState['state']): number {
  return state === 'open' || state === 'forced_open' || state === 'half_open' ? 0 : 1;
}
