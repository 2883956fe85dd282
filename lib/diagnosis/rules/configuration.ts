import type { Advice, Evidence } from '../../protocol/findings';
import type { Rule } from '../case';
import { act, at, change, code, count, duration, median, ms, sum, text, times } from '../say';
import { commonConfig } from '../settings';
import type { OverrideFact } from '../types';

const MARGIN = 1.1;

/** The deadline of a probe lies below the hold line: what should hold is counted as a timeout. */
export const probeTimeoutHidesHold: Rule = ({ settings, live, history }) => {
  const { latency, callTimeoutMs, probeTimeoutFraction, probeFloorMs } = settings;
  if (latency === null) return null;
  const learned = live.flatMap(({ baseline }) => baseline ?? []);
  const best = learned.sort((a, b) => b.samples - a.samples)[0];
  if (best === undefined) return null;
  const holdMs = Math.max(latency.floorMs, latency.holdMultiple * best.p99);
  const asked = Math.max(probeTimeoutFraction * callTimeoutMs, probeFloorMs, holdMs * MARGIN);
  const deadlineMs = Math.min(callTimeoutMs, asked);
  if (deadlineMs >= holdMs) return null;
  const multiple = Math.max(1.5, Math.floor((callTimeoutMs / MARGIN / best.p99) * 10) / 10);
  const timeout = Math.ceil((holdMs * MARGIN) / 100) * 100;
  return {
    severity: 'risk',
    summary: `A probe may take ${duration(deadlineMs)} and the hold begins at ${duration(holdMs)}: a slow target is never held, it falls back.`,
    evidence: [
      ms('Deadline of a probe', deadlineMs),
      ms('Latency at which the ramp holds', holdMs),
      ms('P99 of the baseline', best.p99),
      count('Calls behind the baseline', best.samples),
    ],
    advice: [
      change('callTimeoutMs', callTimeoutMs, timeout, 'above the hold line, with some room'),
      ...(multiple * best.p99 < callTimeoutMs
        ? [
            change(
              'recovery.latency.holdMultiple',
              latency.holdMultiple,
              multiple,
              'or hold earlier than the timeout',
            ),
          ]
        : []),
    ],
    instanceIds: live.map(({ instanceId }) => instanceId),
    firstAt: history.now,
    lastAt: history.now,
  };
};

const MAX_PATHS = 200;

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Paths of the values in which two configurations differ. */
function differences(a: unknown, b: unknown, path = '', into: string[] = []): string[] {
  if (into.length >= MAX_PATHS) return into;
  if (isPlain(a) && isPlain(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      differences(a[key], b[key], path === '' ? key : `${path}.${key}`, into);
    }
  } else if (JSON.stringify(a) !== JSON.stringify(b)) into.push(path);
  return into;
}

function valueAt(config: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    return value !== null && typeof value === 'object' ? Reflect.get(value, key) : undefined;
  }, config);
}

/** Live instances of one service disagree. */
export const configDrift: Rule = ({ history, live }) => {
  const ids = new Set(live.map(({ instanceId }) => instanceId));
  const running = history.configs
    .map((one) => ({ ...one, instanceIds: one.instanceIds.filter((id) => ids.has(id)) }))
    .filter(({ instanceIds }) => instanceIds.length > 0);
  const common = commonConfig(running);
  if (common === null || running.length < 2) return null;
  const others = running.filter(({ hash }) => hash !== common.hash);
  const nameOf = new Map(live.map(({ instanceId, instance }) => [instanceId, instance]));
  const names = (list: readonly string[]) =>
    list
      .slice(0, 5)
      .map((id) => nameOf.get(id) ?? id)
      .join(', ');
  const odd = others.flatMap(({ instanceIds }) => instanceIds);
  const seen = new Set<string>();
  const paths = others.flatMap(({ config }) =>
    differences(common.config, config).flatMap((path) => {
      const isNew = !seen.has(path);
      seen.add(path);
      return isNew ? [{ path, value: valueAt(config, path) }] : [];
    }),
  );
  const evidence: Evidence[] = [
    count('Configurations among live instances', running.length),
    text('Differ from the rest', names(odd)),
    ...paths
      .slice(0, 8)
      .map(({ path, value }) =>
        text(path, `${show(value)}; most have ${show(valueAt(common.config, path))}`),
      ),
  ];
  return {
    severity: 'risk',
    summary: `${odd.length} of ${live.length} live instances run another configuration, different in ${paths.length === 1 ? (paths[0]?.path ?? '') : `${paths.length} options`}.`,
    evidence,
    advice: paths
      .slice(0, 3)
      .map(({ path, value }): Advice => ({
        option: path,
        now: show(value),
        suggest: show(valueAt(common.config, path)),
        text: `as most instances have it; on ${names(odd)}`,
      }))
      .concat(act('if a rollout is under way this ends with it; else look for a stale deployment')),
    instanceIds: odd,
    firstAt: history.now,
    lastAt: history.now,
  };
};

const show = (value: unknown): string => (value === undefined ? 'not set' : code(value));

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RENEWALS = 3;
const FEWEST_PAST = 3;
const NEXT_MS = 600_000;

/** The override in force with those of the same kind that led up to it without a real pause. */
function chainOf(active: OverrideFact, all: readonly OverrideFact[]): OverrideFact[] {
  const older = all
    .filter(({ kind, createdAt }) => kind === active.kind && createdAt < active.createdAt)
    .sort((a, b) => b.createdAt - a.createdAt);
  const chain = [active];
  let startsAt = active.createdAt;
  for (const one of older) {
    if (startsAt - (one.endedAt ?? one.endsAt) > NEXT_MS) break;
    chain.push(one);
    startsAt = one.createdAt;
  }
  return chain;
}

const lengthOf = (one: OverrideFact): number => (one.endedAt ?? one.endsAt) - one.createdAt;

/** The chain of overrides in force that began first, newest of it first. */
function oldestChain(all: readonly OverrideFact[]): OverrideFact[] {
  const active = all.filter((one) => one.endedAt === null && one.kind !== 'reset');
  const chains = active.map((one) => chainOf(one, all));
  return chains.sort((a, b) => (a.at(-1)?.createdAt ?? 0) - (b.at(-1)?.createdAt ?? 0))[0] ?? [];
}

/** What such overrides last on this breaker; null while too few are known. */
function usualLength(all: readonly OverrideFact[], chain: readonly OverrideFact[]): number | null {
  const past = all.filter((one) => one.endedAt !== null && !chain.includes(one));
  return past.length < FEWEST_PAST ? null : median(past.map(lengthOf));
}

/** An override that is renewed again and again, or older than such overrides usually are. */
export const forgottenOverride: Rule = ({ history, live }) => {
  const { now, overrides } = history;
  const chain = oldestChain(overrides);
  const [newest] = chain;
  const since = chain.at(-1)?.createdAt;
  if (newest === undefined || since === undefined) return inCode(now, live);
  const age = now - since;
  const renewals = chain.length - 1 + sum(chain, (one) => one.leaseRevision);
  const usual = usualLength(overrides, chain);
  const isOld = usual !== null && age > Math.max(HOUR_MS, usual * 3);
  if (renewals < RENEWALS && !isOld && age < DAY_MS) return null;
  const renewed = renewals > 0 ? `, renewed ${times(renewals)}` : '';
  const unusual = isOld ? `; such overrides end after ${duration(usual)}` : '';
  return {
    severity: 'risk',
    summary: `Forced for ${duration(age)}${renewed}${unusual}: what is meant to last belongs in the configuration.`,
    evidence: [
      at('Since', since),
      count('Renewals', renewals),
      ...(usual === null ? [] : [ms('Usual length on this breaker', usual)]),
      at('Ends', newest.endsAt),
      text('By', newest.actor),
    ],
    advice: [
      act('return it to automatic, or say in the reason what it still waits for'),
      act('a rule that should stay belongs in the code of the service, where others see it'),
    ],
    instanceIds: live.map(({ instanceId }) => instanceId),
    firstAt: since,
    lastAt: now,
  };
};

const FORCED = new Set(['forced_open', 'forced_closed', 'disabled']);

/** Forced by the service itself, with no override of the console. */
function inCode(now: number, live: Parameters<typeof forgottenOverride>[0]['live']) {
  const forced = live.filter(
    ({ state, since }) => FORCED.has(state) && since !== null && now - since >= DAY_MS,
  );
  const first = [...forced].sort((a, b) => (a.since ?? now) - (b.since ?? now))[0];
  if (first === undefined) return null;
  const since = first.since ?? now;
  return {
    severity: 'risk' as const,
    summary: `The service itself has held it ${first.state.replace('_', ' ')} for ${duration(now - since)}.`,
    evidence: [at('Since', since), count('Instances', forced.length), text('State', first.state)],
    advice: [
      act('look for the override in the code of the service, and end it or make it the rule'),
    ],
    instanceIds: forced.map(({ instanceId }) => instanceId),
    firstAt: since,
    lastAt: now,
  };
}
