import type { BreakerState } from '../breaker/types';
import type { BreakerView, InstanceCounts, Liveness } from '../protocol/views';
import { worstState } from './badness';
import { mergeLatency } from './latency';
import { perSecond, shareOf, type Rates } from './rate-window';
import { UNKNOWN_CONFIG, type Word } from './word';

/** One instance's part in a logical breaker. */
export type Part = {
  readonly word: Word;
  readonly liveness: Liveness;
  readonly rates: Rates;
};

export type RollUpInput = {
  readonly identity: Pick<
    BreakerView,
    'id' | 'environment' | 'service' | 'serviceId' | 'name' | 'target' | 'generation'
  >;
  readonly parts: readonly Part[];
  readonly override: BreakerView['override'];
  readonly failureThreshold: number | null;
  readonly spark: Pick<BreakerView, 'spark' | 'sparkEndsAt'>;
  readonly before: Pick<BreakerView, 'state' | 'since'> | undefined;
  readonly now: number;
};

/** Worst of the live instances; of the last known ones when none is live. */
export function rollUp(input: RollUpInput): BreakerView {
  const { parts } = input;
  const live = parts.filter((part) => part.liveness === 'live');
  const heard = live.length > 0 ? live : parts;
  const state = worstState(new Set(heard.map((part) => part.word.state.state)));
  const words = heard.map((part) => part.word);
  return {
    ...input.identity,
    state,
    states: countStates(live),
    instances: countLiveness(parts.map((part) => part.liveness)),
    since: sinceOf(input, state, words),
    ...rampOf(words),
    ...backoffOf(words),
    ...ratesOf(live),
    failureThreshold: input.failureThreshold,
    baselineP95Ms: baselineOf(words),
    override: input.override,
    forcedUntil: forcedUntilOf(state, words),
    wouldBeOpen: computedOf(words),
    configDrift: hasDrift(live),
    asOf: Math.max(0, ...parts.map((part) => part.word.asOf)),
    ...input.spark,
  };
}

const FORCED: ReadonlySet<BreakerState> = new Set(['forced_open', 'forced_closed']);

/** Whoever forced it, the console or the service itself; one without an end outlives all others. */
function forcedUntilOf(state: BreakerState, words: readonly Word[]): number | null {
  if (!FORCED.has(state)) return null;
  const ends = words
    .filter((word) => word.state.state === state)
    .map(({ overrideEndsAt }) => overrideEndsAt ?? Infinity);
  const last = Math.max(...ends);
  return last === Infinity ? null : last;
}

const JUDGING: ReadonlySet<BreakerState> = new Set(['forced_closed', 'metrics_only']);

/** The computed state beside a forced one; one that is held open judges nothing. */
function computedOf(words: readonly Word[]): boolean | null {
  const judging = words.filter((word) => JUDGING.has(word.state.state));
  return judging.length === 0 ? null : judging.some((word) => word.wouldBeOpen);
}

function countStates(live: readonly Part[]): BreakerView['states'] {
  const states: BreakerView['states'] = {};
  for (const { word } of live) states[word.state.state] = (states[word.state.state] ?? 0) + 1;
  return states;
}

export function countLiveness(all: readonly Liveness[]): InstanceCounts {
  const counts = { total: all.length, live: 0, stale: 0, offline: 0 };
  for (const liveness of all) counts[liveness]++;
  return counts;
}

/**
 * The moment of the latest change among the instances is the moment of the roll-up's change, unless
 * an instance going silent or coming back caused it: that happens now.
 */
function sinceOf(input: RollUpInput, state: BreakerState, words: readonly Word[]): number | null {
  const { before } = input;
  if (before?.state === state) return before.since;
  const inState = words.filter((word) => word.state.state === state);
  const entered = inState.flatMap((word) => word.since ?? []);
  if (before === undefined) return entered.length > 0 ? Math.min(...entered) : null;
  const latest = Math.max(0, ...words.flatMap((word) => word.since ?? []));
  return latest > (before.since ?? 0) ? latest : input.now;
}

/** The recovering instance that is least far. */
function rampOf(words: readonly Word[]): Pick<BreakerView, 'ramp' | 'hold'> {
  const ramps = words
    .map((word) => word.state)
    .filter((state) => state.state === 'half_open')
    .sort((a, b) => (a.step ?? 0) - (b.step ?? 0) || a.share - b.share);
  const [least] = ramps;
  if (least === undefined) return { ramp: null, hold: false };
  return {
    ramp: { step: least.step ?? 0, steps: least.steps, share: least.share },
    hold: ramps.some((state) => state.hold === true),
  };
}

function backoffOf(
  words: readonly Word[],
): Pick<BreakerView, 'level' | 'openTimeoutMs' | 'retryAt'> {
  const open = words.filter((word) => word.state.state === 'open');
  const timeouts = open.flatMap((word) => word.state.openTimeoutMs ?? []);
  const retries = open.flatMap((word) => word.retryAt ?? []);
  return {
    level: Math.max(0, ...words.map((word) => word.state.level)),
    openTimeoutMs: timeouts.length > 0 ? Math.max(...timeouts) : null,
    retryAt: retries.length > 0 ? Math.min(...retries) : null,
  };
}

function ratesOf(
  live: readonly Part[],
): Pick<BreakerView, 'callsPerSecond' | 'refusedPerSecond' | 'failureShare' | 'latencyP95Ms'> {
  const sum = (pick: (rates: Rates) => number): number =>
    live.reduce((total, part) => total + pick(part.rates), 0);
  const latency = mergeLatency(
    live.flatMap((part) => part.rates.latency),
    [0.95],
  );
  return {
    callsPerSecond: perSecond(sum((rates) => rates.admitted)),
    refusedPerSecond: perSecond(sum((rates) => rates.refused)),
    failureShare: shareOf(
      sum((rates) => rates.failures),
      sum((rates) => rates.judged),
    ),
    latencyP95Ms: latency.quantiles[0] ?? null,
  };
}

/** Learned quantiles cannot be merged: the best founded one stands for all. */
function baselineOf(words: readonly Word[]): number | null {
  const learned = words.flatMap((word) => word.baseline ?? []);
  const best = learned.reduce<(typeof learned)[number] | undefined>(
    (most, baseline) => (most === undefined || baseline.samples > most.samples ? baseline : most),
    undefined,
  );
  return best?.p95 ?? null;
}

function hasDrift(live: readonly Part[]): boolean {
  const hashes = new Set(live.map((part) => part.word.state.configHash));
  hashes.delete(UNKNOWN_CONFIG);
  return hashes.size > 1;
}
