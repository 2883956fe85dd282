import type { Advice } from '../../protocol/findings';
import { densest, type Case, type Rule } from '../case';
import type { Attempt, Opening } from '../read';
import { act, at, change, count, duration, median, ms, percent, share } from '../say';
import type { Settings } from '../settings';

const WITHIN_MS = 3_600_000;
const ENOUGH = 3;

type Relapse = { readonly closed: Attempt; readonly opening: Opening; readonly heldMs: number };

/** The first that is not before `at`, in a list in time order. */
function firstSince(openings: readonly Opening[], at: number): Opening | undefined {
  let low = 0;
  for (let high = openings.length; low < high;) {
    const middle = (low + high) >>> 1;
    if ((openings[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return openings[low];
}

/** Each recovery with the trip that undid it. */
function relapsesOf({ attempts, openings, settings }: Case): Relapse[] {
  const soonMs = Math.max(settings.open.stableForMs, 1_000);
  const trips = new Map<string, Opening[]>();
  for (const one of openings) {
    if (one.from !== 'closed') continue;
    const own = trips.get(one.instanceId);
    if (own) own.push(one);
    else trips.set(one.instanceId, [one]);
  }
  return attempts.flatMap((closed) => {
    const { endedAt, outcome, instanceId } = closed;
    if (endedAt === null || outcome !== 'closed') return [];
    const opening = firstSince(trips.get(instanceId) ?? [], endedAt);
    const heldMs = opening === undefined ? Infinity : opening.at - endedAt;
    return opening === undefined || heldMs > soonMs ? [] : [{ closed, opening, heldMs }];
  });
}

function adviceFor({ admission, minimumSuccesses, open }: Settings): Advice[] {
  const twice = minimumSuccesses.map((successes) => Math.max(5, successes * 2));
  const small = admission === 'ramp' || admission === 'sticky';
  const ramp = { kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] };
  return [
    small
      ? change('recovery.minimumSuccesses', minimumSuccesses, twice, 'ask for more proof per step')
      : change('recovery.admission', { kind: admission }, ramp, 'let the load come back in steps'),
    open.kind === 'fixed'
      ? change(
          'open',
          { kind: 'fixed', baseMs: open.baseMs },
          { kind: 'exponential', baseMs: open.baseMs, maxMs: Math.max(60_000, open.baseMs * 4) },
          'wait longer after each relapse',
        )
      : change('open.baseMs', open.baseMs, open.baseMs * 2, 'give the target longer to come back'),
  ];
}

/** Half-open to closed to open, again and again. */
export const flapping: Rule = (breaker) => {
  const run = densest(relapsesOf(breaker), ({ opening }) => opening.at, WITHIN_MS);
  const first = run[0];
  const last = run.at(-1);
  if (first === undefined || last === undefined || run.length < ENOUGH) return null;
  const spanMs = last.opening.at - (first.closed.endedAt ?? first.opening.at);
  const recovered = breaker.attempts.filter(
    ({ outcome, endedAt }) =>
      outcome === 'closed' &&
      endedAt !== null &&
      endedAt >= (first.closed.endedAt ?? 0) &&
      endedAt <= last.opening.at,
  ).length;
  const held = median(run.map(({ heldMs }) => heldMs)) ?? 0;
  return {
    severity: 'harm',
    summary: `Closed and tripped again ${run.length} times within ${duration(spanMs)}: it closes before the target is well.`,
    evidence: [
      count('Recoveries undone by a trip', run.length),
      share('Of the recoveries in that time', run.length / Math.max(1, recovered)),
      ms('Closed before it tripped again, median', held),
      at('Last relapse', last.opening.at),
    ],
    advice: adviceFor(breaker.settings),
    instanceIds: run.map(({ opening }) => opening.instanceId),
    eventIds: run.map(({ opening }) => opening.id),
    firstAt: first.closed.endedAt ?? first.opening.at,
    lastAt: last.opening.at,
  };
};

/** The same step fails every time, whatever came before it went well. */
export const nextStepFails: Rule = ({ attempts, settings }) => {
  const failed = attempts.filter(({ outcome }) => outcome === 'open');
  const steps = new Map<number, Attempt[]>();
  for (const attempt of failed) {
    steps.set(attempt.step, [...(steps.get(attempt.step) ?? []), attempt]);
  }
  const worst = [...steps].sort((a, b) => b[1].length - a[1].length)[0];
  if (worst === undefined) return null;
  const [step, same] = worst;
  const first = same[0];
  const last = same.at(-1);
  const before = settings.steps[step - 1];
  const dies = settings.steps[step];
  if (step === 0 || first === undefined || last === undefined) return null;
  if (before === undefined || dies === undefined) return null;
  if (same.length < ENOUGH || same.length < failed.length * 0.75) return null;
  const between = Math.round(((before + dies) / 2) * 100) / 100;
  const steps2 = [...settings.steps.slice(0, step), between, ...settings.steps.slice(step)];
  return {
    severity: 'harm',
    summary: `${percent(before)} of the traffic goes well and ${percent(dies)} fails, ${same.length} of ${failed.length} attempts: the target lacks capacity, not health.`,
    evidence: [
      count(`Attempts that failed at ${percent(dies)}`, same.length),
      count('Failed attempts in all', failed.length),
      share('Share that it carried each time', before),
      at('Last one', last.endedAt ?? last.stepStartedAt),
    ],
    advice: [
      act(
        `add capacity to the target, or send it no more than ${percent(before)} of the calls for now; more attempts will not change that`,
      ),
      change(
        'recovery.admission.steps',
        settings.steps,
        steps2,
        `a step between shows where between ${percent(before)} and ${percent(dies)} it ends`,
      ),
      ...(settings.softFallback
        ? []
        : [change('recovery.softFallback', false, true, 'goes one step down instead of open')]),
    ],
    instanceIds: same.map(({ instanceId }) => instanceId),
    eventIds: same.flatMap(({ eventIds }) => eventIds.slice(-1)),
    firstAt: first.startedAt,
    lastAt: last.endedAt ?? last.stepStartedAt,
  };
};
