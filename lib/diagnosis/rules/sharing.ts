import type { Evidence } from '../../protocol/findings';
import type { Case, Rule } from '../case';
import { act, at, change, count, duration, ms, percent, share, sum, text } from '../say';
import { CALL_GROUPS, type CallGroup } from '../../protocol/samples';
import type { History } from '../types';

const FEWEST_CALLS = 10;
const APART = 0.1;
const TIMES_APART = 5;
const SLOWER = 10;
const SLOWER_MS = 50;
const FAILED = new Set(['timeout', 'server_error', 'overload', 'refused']);

/** Calls by kind over all spans; agents that do not tell them apart leave the probes to go by. */
function groupsOf({ spans, probes }: History): CallGroup[] {
  const groups = new Map<string, CallGroup>();
  const add = (group: CallGroup) => {
    const known = groups.get(group.name);
    groups.set(group.name, {
      name: group.name,
      calls: group.calls + (known?.calls ?? 0),
      failures: group.failures + (known?.failures ?? 0),
      totalMs: group.totalMs + (known?.totalMs ?? 0),
    });
  };
  for (const span of spans) span.groups.forEach(add);
  if (groups.size > 1) return [...groups.values()];
  groups.clear();
  for (const { idempotent, outcome, latencyMs } of probes) {
    const failures = FAILED.has(outcome) ? 1 : 0;
    if (failures === 0 && outcome !== 'success') continue;
    const name = idempotent ? CALL_GROUPS.idempotent : CALL_GROUPS.other;
    add({ name, calls: 1, failures, totalMs: latencyMs });
  }
  return [...groups.values()];
}

const failing = ({ calls, failures }: CallGroup): number => failures / Math.max(1, calls);
const meanMs = ({ calls, totalMs }: CallGroup): number => totalMs / Math.max(1, calls);

type Apart = {
  readonly odd: CallGroup;
  readonly plain: CallGroup;
  readonly by: 'failures' | 'latency';
};

/** The two that differ most, if they differ enough. */
function apart(groups: readonly CallGroup[]): Apart | null {
  const ends = (value: (group: CallGroup) => number) => {
    const sorted = [...groups].sort((a, b) => value(b) - value(a));
    const [odd] = sorted;
    const plain = sorted.at(-1);
    return odd === undefined || plain === undefined ? null : { odd, plain };
  };
  const sick = ends(failing);
  if (sick !== null) {
    const [worse, better] = [failing(sick.odd), failing(sick.plain)];
    if (worse - better >= APART && worse >= better * TIMES_APART)
      return { ...sick, by: 'failures' };
  }
  const slow = ends(meanMs);
  if (slow === null) return null;
  const [longer, shorter] = [meanMs(slow.odd), meanMs(slow.plain)];
  const isApart = longer >= shorter * SLOWER && longer - shorter >= SLOWER_MS;
  return isApart ? { ...slow, by: 'latency' } : null;
}

function sayApart({ odd, plain, by }: Apart): string {
  return by === 'failures'
    ? `"${odd.name}" fails ${percent(failing(odd))} and "${plain.name}" ${percent(failing(plain))}, and both share this breaker: the one closes the door on the other.`
    : `"${odd.name}" takes ${duration(meanMs(odd))} and "${plain.name}" ${duration(meanMs(plain))}, and both share this breaker: one baseline fits neither.`;
}

/** One breaker guards operations of very different failure shares or latencies. */
export const sharedKey: Rule = ({ history, openings }) => {
  const groups = groupsOf(history).filter(({ calls }) => calls >= FEWEST_CALLS);
  const found = apart(groups);
  if (found === null) return null;
  const all = sum(groups, ({ calls }) => calls);
  const instants = history.spans.flatMap(({ from, to }) => [from, to]);
  if (instants.length === 0) instants.push(...history.probes.map((probe) => probe.at));
  return {
    severity: found.by === 'failures' && openings.length > 0 ? 'harm' : 'risk',
    summary: sayApart(found),
    evidence: groups
      .slice(0, 6)
      .flatMap((group) => [
        share(`${group.name}: share of the calls`, group.calls / all),
        share(`${group.name}: failed`, failing(group)),
        ms(`${group.name}: mean latency`, meanMs(group)),
      ]),
    advice: [
      act(`give "${found.odd.name}" a breaker of its own: recloser.breaker('…', { target })`),
      act('name breakers after target and operation, not after the target alone'),
    ],
    firstAt: instants.reduce((first, one) => Math.min(first, one), history.now),
    lastAt: instants.reduce((last, one) => Math.max(last, one), history.from),
  };
};

const STORM_INSTANCES = 5;
const STORM_MS = 1_000;
const STORM_SECONDS = 2;

type Burst = { readonly at: number; readonly instances: number; readonly probes: number };

/** Each second in which many instances probed at once; probes are in time order. */
function burstsOf(history: History): Burst[] {
  const seconds = new Map<number, { ids: Set<string>; probes: number }>();
  for (const { at: when, instanceId, step } of history.probes) {
    // Later steps are traffic that comes back, not a first try.
    if (step > 0) continue;
    const second = Math.floor(when / STORM_MS);
    const found = seconds.get(second) ?? { ids: new Set<string>(), probes: 0 };
    found.ids.add(instanceId);
    found.probes++;
    seconds.set(second, found);
  }
  return [...seconds]
    .filter(([, { ids }]) => ids.size >= STORM_INSTANCES)
    .map(([second, { ids, probes }]) => ({ at: second * STORM_MS, instances: ids.size, probes }))
    .sort((a, b) => a.at - b.at);
}

type Storm = {
  readonly bursts: readonly Burst[];
  readonly worst: Burst | null;
  /** Half-open towards the target now, those of other services with it. */
  readonly probing: number;
  readonly isNow: boolean;
};

function stormOf({ history, live }: Case): Storm {
  const bursts = burstsOf(history);
  const own = live.filter(({ state }) => state === 'half_open').length;
  const probing = own + sum(history.neighbours, ({ halfOpen }) => halfOpen);
  const worst = bursts.reduce<Burst | null>(
    (most, one) => (most === null || one.instances > most.instances ? one : most),
    null,
  );
  return { bursts, worst, probing, isNow: own > 0 && probing >= STORM_INSTANCES * 2 };
}

function stormEvidence({ bursts, worst, probing }: Storm): Evidence[] {
  const now = count('Instances half-open towards this target now', probing);
  if (worst === null) return [now];
  return [
    count('Instances that probed within one second', worst.instances),
    count('Probes in that second', worst.probes),
    at('Worst second', worst.at),
    count('Seconds like it', bursts.length),
    now,
  ];
}

/** Many instances probe one target at once. */
export const probeStorm: Rule = (breaker) => {
  const { history, live, settings } = breaker;
  const storm = stormOf(breaker);
  const { bursts, worst, probing, isNow } = storm;
  if (bursts.length < STORM_SECONDS && !isNow) return null;
  const others = history.neighbours.filter(({ halfOpen }) => halfOpen > 0).slice(0, 5);
  const lastAt = isNow ? history.now : (bursts.at(-1)?.at ?? history.now);
  return {
    severity: 'risk',
    summary:
      worst === null
        ? `${probing} instances are half-open towards one target at the same time: what is small for each is a storm for the target.`
        : `${worst.instances} instances probed one target within a second: what is small for each is a storm for the target.`,
    evidence: [
      ...stormEvidence(storm),
      ...others.map(({ service, breaker: name, halfOpen }) =>
        text('Also probing', `${service} / ${name}, ${halfOpen}`),
      ),
    ],
    advice: [
      act('let the instances take turns: BreakerSharing gives one of them the first step'),
      ...(settings.jitter < 0.3
        ? [change('open.jitter', settings.jitter, 0.5, 'spread the instants of the first probes')]
        : []),
    ],
    instanceIds: live.map(({ instanceId }) => instanceId),
    firstAt: bursts[0]?.at ?? history.now,
    lastAt,
  };
};
