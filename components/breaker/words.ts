import { formatDuration, formatLatency, formatShare } from '@/components/ui/format';
import { isState, stateWord } from '@/components/state';
import { numberIn, readTransition, textIn, type Transition } from '@/lib/series/events';
import type { LatencyReading } from '@/lib/series/quantiles';
import type { EventLike } from '@/lib/series/types';

const OUTCOMES: Record<string, string> = {
  success: 'answered',
  client_error: 'client error',
  timeout: 'timeout',
  server_error: 'server error',
  overload: 'overload',
  refused: 'refused',
  rejected_local: 'rejected here',
  cancelled: 'cancelled',
  ignored: 'ignored',
};

export const outcomeWord = (outcome: string): string =>
  OUTCOMES[outcome] ?? outcome.replaceAll('_', ' ');

export const stateName = (state: string): string =>
  isState(state) ? stateWord(state) : state.replaceAll('_', ' ');

/** 0.95 is "P95", 0.5 is "P50". */
export function quantileWord(quantile: number): string {
  return `P${Number((quantile * 100).toFixed(1))}`;
}

/** "P95 of 34 probes: 410 ms, baseline 120 ms", or why there is no such number yet. */
export function latencyWords(reading: LatencyReading, baselineMs: number | null): string {
  if (reading.quantile === null || reading.valueMs === null) {
    return `Undecided: ${plural(reading.samples, 'probe')} answered, 5 are needed`;
  }
  const base =
    baselineMs === null
      ? `no ${quantileWord(reading.quantile)} baseline`
      : `baseline ${formatLatency(baselineMs)}`;
  return `${quantileWord(reading.quantile)} of ${plural(reading.samples, 'probe')}: ${formatLatency(reading.valueMs)}, ${base}`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

function countWords({ rate, calls, failures, threshold }: Transition): string | null {
  const limit = threshold === null ? '' : `, threshold ${formatShare(threshold)}`;
  if (rate !== null && calls !== null) {
    return `${formatShare(rate)} of ${plural(calls, 'call')} failed${limit}`;
  }
  if (failures === null) return null;
  return calls === null
    ? plural(failures, 'failure')
    : `${failures} of ${plural(calls, 'call')} failed`;
}

/** Policies whose numbers mean something else than a share of failures. */
const BY_REASON: Record<string, (change: Transition) => string> = {
  slow: ({ rate, slow, calls, threshold }) => {
    const share = rate === null ? plural(slow ?? 0, 'slow call') : `${formatShare(rate)} slow`;
    const limit = threshold === null ? '' : `, threshold ${formatShare(threshold)}`;
    return calls === null ? `${share}${limit}` : `${share} of ${plural(calls, 'call')}${limit}`;
  },
  // Counted in a row, so a share of the window would mislead.
  refused: ({ failures, calls }) =>
    failures === null || calls === null
      ? 'connections refused in a row'
      : `connections refused in a row, ${failures} of ${plural(calls, 'call')} failed`,
  consecutive: ({ failures }) =>
    failures === null
      ? 'failures in a row'
      : `${plural(failures, 'failure')}, the last ones in a row`,
};

/** "64 % of 50 calls failed, threshold 50 %": the numbers behind a trip, as far as they are known. */
export function triggerWords(change: Transition): string {
  const special = BY_REASON[change.reason]?.(change);
  return special ?? countWords(change) ?? reasonWords(change.reason);
}

/** A reason of the breaker is a word of its own ("retry_due") or a sentence. */
function reasonWords(reason: string): string {
  const text = reason.replaceAll('_', ' ').trim();
  return text === '' ? 'no reason reported' : text;
}

function waitWords(change: Transition): string {
  if (change.openTimeoutMs === null) return '';
  const level = change.level === null ? '' : `, level ${change.level}`;
  return `waits ${formatDuration(change.openTimeoutMs)}${level}`;
}

export type Told = {
  readonly head: string;
  readonly facts: readonly string[];
};

const TRIPPED = (change: Transition): Told => ({
  head: `${(change.level ?? 0) > 0 ? 'Tripped again soon after a recovery' : 'Tripped'}: ${triggerWords(change)}`,
  facts: [waitWords(change)],
});

const STEP_OF = (change: Transition) => (change.step === null ? '' : ` at step ${change.step + 1}`);

/** What happened, by cause, in the words of a person. */
const CAUSES: Record<string, (change: Transition) => Told> = {
  trip: TRIPPED,
  retry_due: () => ({ head: 'The wait was over; probing began', facts: [] }),
  advance: (change) => ({
    head: change.to === 'closed' ? 'Recovered: every step passed' : 'Went one step up',
    facts: [],
  }),
  fallback: (change) => ({
    head: `Fell back${STEP_OF(change)}: ${triggerWords(change)}`,
    facts: [waitWords(change)],
  }),
  half_open_limit: (change) => ({
    head: 'Half-open for too long without a verdict',
    facts: [waitWords(change)],
  }),
  hold_limit: (change) => ({
    head: 'Held for too long: latency did not come down',
    facts: [waitWords(change)],
  }),
  soft_fallback: () => ({ head: 'Went one step down', facts: [] }),
  override: (change) => ({
    head: `${stateName(change.to)}${change.actor ? ` by ${change.actor}` : ''}: ${reasonWords(change.reason)}`,
    facts: [],
  }),
  override_ended: () => ({ head: 'The override ended; automatic again', facts: [] }),
  reset: (change) => ({
    head: `Reset${change.actor ? ` by ${change.actor}` : ''}: ${reasonWords(change.reason)}`,
    facts: [],
  }),
  restore: () => ({ head: 'Restored after a restart', facts: [] }),
};

export function tellTransition(change: Transition): Told {
  const told = CAUSES[change.cause]?.(change) ?? { head: reasonWords(change.reason), facts: [] };
  return { ...told, facts: told.facts.filter((fact) => fact !== '') };
}

const HOLDS: Record<string, string> = {
  latency: 'latency too high',
  self: 'this instance was busy itself, so its measurements do not count',
  pending: 'too many probes without an answer yet',
};

/** Why a ramp waits; only one of the causes is the target's latency. */
export const holdCause = (cause: string): string => HOLDS[cause] ?? reasonWords(cause);

const holdFacts = (data: EventLike['data']) =>
  numberIn(data, 'valueMs') === null ? [] : [holdWords(data)];

function holdWords(data: EventLike['data']): string {
  const quantile = numberIn(data, 'quantile');
  const value = numberIn(data, 'valueMs');
  const samples = numberIn(data, 'samples');
  const name = quantile === null ? 'latency' : quantileWord(quantile);
  const of = samples === null ? '' : ` of ${plural(samples, 'probe')}`;
  const base = numberIn(data, 'baselineMs');
  return `${name}${of}: ${formatLatency(value)}${base === null ? '' : `, baseline ${formatLatency(base)}`}`;
}

/** Events that are not transitions, for the same list. */
const OTHERS: Record<string, (data: EventLike['data']) => Told> = {
  step: (data) => ({
    head: `Step ${(numberIn(data, 'step') ?? 0) + 1}: ${formatShare(numberIn(data, 'share'))} of calls allowed`,
    facts: [
      `before: ${plural(numberIn(data, 'successes') ?? 0, 'success', 'successes')}, ${plural(numberIn(data, 'failures') ?? 0, 'failure')} in ${formatDuration(numberIn(data, 'tookMs') ?? 0)}`,
    ],
  }),
  hold: (data) => ({
    head: `Ramp held: ${holdCause(textIn(data, 'cause') ?? 'latency')}`,
    facts: holdFacts(data),
  }),
  release: (data) => ({ head: 'Hold released', facts: holdFacts(data) }),
  starved: () => ({ head: 'Too few calls to judge this step', facts: [] }),
  would_trip: () => ({ head: 'Would have tripped, were it not overridden', facts: [] }),
  would_recover: () => ({ head: 'Would have recovered, were it not overridden', facts: [] }),
  override_ended: (data) => ({
    head: 'Override ended',
    facts: [reasonWords(textIn(data, 'reason') ?? '')],
  }),
  registered: () => ({ head: 'The instance registered this breaker', facts: [] }),
  gap: (data) => ({ head: 'Events were lost', facts: [reasonWords(textIn(data, 'reason') ?? '')] }),
};

export function tellEvent(event: EventLike): Told {
  const change = readTransition(event);
  if (change !== null) return tellTransition(change);
  return OTHERS[event.type]?.(event.data) ?? { head: reasonWords(event.type), facts: [] };
}
