import type { Advice, Evidence } from '../../protocol/findings';
import type { Case, Rule } from '../case';
import type { Attempt } from '../read';
import {
  act,
  at,
  change,
  count,
  counted,
  duration,
  median,
  ms,
  percent,
  share,
  text,
} from '../say';
import type { InstanceFact, ProbeFact } from '../types';

/** A verdict needs at least the step's own time; beyond three of them something is missing. */
const STEPS_WITHOUT_VERDICT = 3;
const AT_LEAST_MS = 30_000;
const WAITED_MS = 30_000;
const NO_VERDICT = new Set(['cancelled', 'ignored', 'rejected_local']);

type Stuck = {
  readonly instance: InstanceFact;
  readonly since: number;
  readonly probes: readonly ProbeFact[];
  readonly attempt: Attempt | undefined;
};

function runningOf({ attempts }: Case, instanceId: string): Attempt | undefined {
  return attempts.findLast((one) => one.instanceId === instanceId && one.outcome === 'running');
}

/** Live instances that have been in one step for long, with the probes of that step. */
function waiting(breaker: Case): Stuck[] {
  const { live, settings, history } = breaker;
  return live.flatMap((instance): Stuck[] => {
    if (instance.state !== 'half_open' || instance.hold) return [];
    const attempt = runningOf(breaker, instance.instanceId);
    const since = attempt?.stepStartedAt ?? instance.since;
    if (since === null || since === undefined) return [];
    const stepMs = settings.stepMs[instance.step ?? 0] ?? 5_000;
    const limit = Math.max(AT_LEAST_MS, stepMs * STEPS_WITHOUT_VERDICT);
    if (history.now - since < limit) return [];
    const probes = history.probes.filter(
      (probe) => probe.instanceId === instance.instanceId && probe.at >= since,
    );
    return [{ instance, since, probes, attempt }];
  });
}

const verdictsOf = (probes: readonly ProbeFact[]) =>
  probes.filter(({ outcome }) => !NO_VERDICT.has(outcome)).length;

function whyStuck(stuck: Stuck, { settings }: Case): { because: string; advice: Advice[] } {
  const { instance, probes } = stuck;
  const step = instance.step ?? 0;
  const verdicts = verdictsOf(probes);
  const needed = settings.minimumSuccesses[step] ?? 0;
  if (probes.length > 0 && verdicts * 2 < probes.length) {
    return {
      because: `${probes.length - verdicts} of ${counted(probes.length, 'probe')} ended without a verdict (cancelled, ignored or refused by the caller itself)`,
      advice: [
        act('let probes run to their end: look for callers that give up early or filter the error'),
        change(
          'recovery.maxInconclusive',
          settings.maxInconclusive,
          Math.max(1, Math.round(settings.maxInconclusive / 4)),
          'say sooner that the step is starved',
        ),
      ],
    };
  }
  if (instance.inFlight > 0 && verdicts === 0) {
    return {
      because: `${counted(instance.inFlight, 'call')} under way and none settled`,
      advice: [
        act('settle every permit: use run(), or call success, failure or cancel in a finally'),
        change('callTimeoutMs', settings.callTimeoutMs, 5_000, 'a permit that is lost ends sooner'),
      ],
    };
  }
  const reachable = Math.max(1, Math.floor(verdicts / 2));
  return {
    because: `${counted(verdicts, 'probe')} in that time, and the step asks for ${needed}`,
    advice: [
      change(
        'recovery.minimumSuccesses',
        settings.minimumSuccesses,
        settings.minimumSuccesses.map((one, index) => (index === step ? reachable : one)),
        'what this much traffic can reach',
      ),
      change(
        'recovery.minProbeIntervalMs',
        settings.minProbeIntervalMs,
        Math.max(100, Math.round(settings.minProbeIntervalMs / 4)),
        'let a probe through more often when traffic is thin',
      ),
    ],
  };
}

/** No verdict for longer than it should take. Without any call at all it is `nobodyCalling`. */
export const stuckHalfOpen: Rule = (breaker) => {
  const { history, attempts } = breaker;
  const stuck = waiting(breaker).filter(
    ({ probes, instance }) => probes.length > 0 || instance.inFlight > 0,
  );
  const longest = stuck.sort((a, b) => a.since - b.since)[0];
  if (longest === undefined) return outOfTime(attempts, breaker);
  const { because, advice } = whyStuck(longest, breaker);
  const spent = history.now - longest.since;
  return {
    severity: 'harm',
    summary: `In half-open step ${(longest.instance.step ?? 0) + 1} for ${duration(spent)} without a verdict: ${because}.`,
    evidence: [
      ms('Time in this step', spent),
      count('Probes in it', longest.probes.length),
      count('Of these with a verdict', verdictsOf(longest.probes)),
      count('Calls under way', longest.instance.inFlight),
      count('Instances that wait like this', stuck.length),
    ],
    advice,
    instanceIds: stuck.map(({ instance }) => instance.instanceId),
    eventIds: longest.attempt?.eventIds.slice(-1) ?? [],
    firstAt: longest.since,
    lastAt: history.now,
  };
};

/** It is over, but the half-open time ran out instead of coming to a verdict. */
function outOfTime(attempts: readonly Attempt[], { settings }: Case): ReturnType<Rule> {
  const ended = attempts.filter(({ cause }) => cause === 'half_open_limit');
  const last = ended.at(-1);
  const first = ended[0];
  if (last === undefined || first === undefined) return null;
  const wait = Math.max(1, Math.round(settings.maxHalfOpenMs / 10));
  return {
    severity: 'harm',
    summary: `Half-open for ${duration((last.endedAt ?? last.startedAt) - last.startedAt)} without a verdict until its limit ended it, ${counted(ended.length, 'time')}.`,
    evidence: [
      count('Attempts that ran out of time', ended.length),
      ms('Limit of the half-open time', settings.maxHalfOpenMs),
      text('Step it was in', String(last.step + 1)),
      at('Last one', last.endedAt ?? last.startedAt),
    ],
    advice: [
      change(
        'recovery.minimumSuccesses',
        settings.minimumSuccesses,
        settings.minimumSuccesses.map((one) => Math.max(1, Math.floor(one / 2))),
        'what the traffic of this breaker can reach',
      ),
      change(
        'recovery.maxStepWaitMs',
        settings.maxStepWaitMs,
        wait,
        'report a starved step sooner',
      ),
    ],
    instanceIds: ended.map(({ instanceId }) => instanceId),
    eventIds: ended.flatMap(({ eventIds }) => eventIds.slice(-1)),
    firstAt: first.startedAt,
    lastAt: last.endedAt ?? last.startedAt,
  };
}

/** When an instance could have probed, had anybody called; null while one has or the wait runs. */
function eligibleSince(instance: InstanceFact, breaker: Case): number | null {
  if (instance.state === 'open') return instance.retryAt;
  if (instance.state !== 'half_open' || (instance.step ?? 0) > 0 || instance.inFlight > 0)
    return null;
  const since = runningOf(breaker, instance.instanceId)?.startedAt ?? instance.since;
  if (since === null || since === undefined) return null;
  const probed = breaker.history.probes.some(
    (probe) => probe.instanceId === instance.instanceId && probe.at >= since,
  );
  return probed ? null : since;
}

/** The wait is over and no call has come that could be a probe. */
export const nobodyCalling: Rule = (breaker) => {
  const { live, history } = breaker;
  const idle = live.flatMap((instance) => {
    const since = eligibleSince(instance, breaker);
    return since !== null && history.now - since >= WAITED_MS ? [{ instance, since }] : [];
  });
  const first = idle.sort((a, b) => a.since - b.since)[0];
  if (first === undefined) return null;
  const waited = history.now - first.since;
  return {
    severity: 'note',
    summary: `Ready to probe for ${duration(waited)} and nobody calls: a breaker comes back only when a call tries.`,
    evidence: [
      at('Eligible since', first.since),
      count('Instances that wait', idle.length),
      count('Live instances', live.length),
    ],
    advice: [
      act(
        'call it yourself if the state should be true before traffic comes: breaker.run(…, { healthCheck: true })',
      ),
      act('check that callers still go through this breaker and do not stop at their own fallback'),
    ],
    instanceIds: idle.map(({ instance }) => instance.instanceId),
    firstAt: first.since,
    lastAt: history.now,
  };
};

const FEWEST_PROBES = 5;
const RISE = 2.5;
const RISE_MS = 20;

type StepLatency = { readonly step: number; readonly median: number; readonly probes: number };

function latencyByStep(probes: readonly ProbeFact[]): StepLatency[] {
  const byStep = new Map<number, number[]>();
  for (const { step, outcome, latencyMs } of probes) {
    // Refusals are fast for no reason; only answers and timeouts say how long the target takes.
    if (outcome !== 'success' && outcome !== 'timeout') continue;
    const values = byStep.get(step);
    if (values) values.push(latencyMs);
    else byStep.set(step, [latencyMs]);
  }
  return [...byStep]
    .filter(([, values]) => values.length >= FEWEST_PROBES)
    .map(([step, values]) => ({ step, median: median(values) ?? 0, probes: values.length }))
    .sort((a, b) => a.step - b.step);
}

/** Latency rises with the share, and it costs recoveries. */
export const halfOpenTooWide: Rule = ({ history, attempts, settings }) => {
  const steps = latencyByStep(history.probes);
  const low = steps[0];
  const high = steps.reduce<StepLatency | undefined>(
    (worst, one) => (worst === undefined || one.median > worst.median ? one : worst),
    undefined,
  );
  if (low === undefined || high === undefined || high.step <= low.step) return null;
  if (high.median < low.median * RISE || high.median - low.median < RISE_MS) return null;
  const cost = attempts.filter(
    ({ outcome, step, heldSteps }) =>
      (outcome === 'open' && step >= high.step) || heldSteps.some((held) => held >= high.step),
  );
  const first = cost[0];
  const last = cost.at(-1);
  if (first === undefined || last === undefined || cost.length < 2) return null;
  const before = settings.steps[high.step - 1] ?? 0;
  const wide = settings.steps[high.step] ?? 1;
  const between = Math.round(((before + wide) / 2) * 100) / 100;
  const evidence: Evidence[] = [
    ...steps.map(({ step, median: value }) =>
      ms(`Probes in step ${step + 1}, ${percent(settings.steps[step] ?? 1)}: median`, value),
    ),
    count('Attempts that held or fell back there', cost.length),
    share('Share at which it rises', wide),
  ];
  return {
    severity: 'harm',
    summary: `Probes take ${duration(high.median)} at ${percent(wide)} and ${duration(low.median)} at ${percent(settings.steps[low.step] ?? 1)}: half-open lets in more than the target can take.`,
    evidence,
    advice: [
      change(
        'recovery.admission.steps',
        settings.steps,
        [...settings.steps.slice(0, high.step), between, ...settings.steps.slice(high.step)],
        'smaller steps where it hurts',
      ),
      change(
        'recovery.maxInFlight',
        settings.maxInFlight,
        settings.steps.map((_, step) => 2 ** (step + 1)),
        'bound what is under way in each step',
      ),
    ],
    instanceIds: cost.map(({ instanceId }) => instanceId),
    eventIds: cost.flatMap(({ eventIds }) => eventIds.slice(-1)),
    firstAt: first.startedAt,
    lastAt: last.endedAt ?? last.stepStartedAt,
  };
};
