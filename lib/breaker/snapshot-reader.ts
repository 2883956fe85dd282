import type { SavedBaseline } from './baseline';
import type { SavedLatency } from './learned-latency';
import { SNAPSHOT_VERSION } from './snapshot-format';
import type { BreakerSnapshot, SavedOverride } from './snapshot-format';
import { automaticStates, overrideKinds } from './types';

type Fields = { readonly [key: string]: unknown };

/** A checked deep copy, or what is wrong with it. */
export function readSnapshot(saved: unknown): BreakerSnapshot | string {
  if (!isFields(saved)) return 'the snapshot is no object';
  if (saved['version'] !== SNAPSHOT_VERSION) return 'the snapshot has an unknown version';
  const automatic = automaticStates.find((state) => state === saved['automatic']);
  const baseline = readBaseline(saved['baseline']);
  const overrides = readOverrides(saved['overrides']);
  if (automatic === undefined) return 'the snapshot has an unknown state';
  if (baseline === null) return 'the baseline of the snapshot is invalid';
  if (overrides === null) return 'an override of the snapshot is invalid';
  const numbers = ['takenAtWallMs', 'level', 'epoch', 'retryInMs', 'openTimeoutMs'] as const;
  for (const name of numbers) {
    if (!isAmount(saved[name])) return `${name} of the snapshot is invalid`;
  }
  const whole = Number.isInteger(saved['level']) && Number.isInteger(saved['epoch']);
  const recoveredForMs = optional(saved['recoveredForMs']);
  const outageMs = optional(saved['outageMs']);
  if (!whole || recoveredForMs === undefined || outageMs === undefined) {
    return 'a number of the snapshot is invalid';
  }
  return {
    version: SNAPSHOT_VERSION,
    automatic,
    takenAtWallMs: amount(saved, 'takenAtWallMs'),
    level: amount(saved, 'level'),
    epoch: amount(saved, 'epoch'),
    retryInMs: amount(saved, 'retryInMs'),
    openTimeoutMs: amount(saved, 'openTimeoutMs'),
    recoveredForMs,
    outageMs,
    baseline,
    overrides,
  };
}

function readBaseline(saved: unknown): SavedBaseline | null {
  if (!isFields(saved)) return null;
  const latency = readHistogram(saved['latency']);
  const classes = readClasses(saved['classes']);
  const numbers = ['callsPerMs', 'inFlight', 'calls', 'failures'] as const;
  if (latency === null || classes === undefined) return null;
  if (!numbers.every((name) => isAmount(saved[name]))) return null;
  return {
    latency,
    classes,
    callsPerMs: amount(saved, 'callsPerMs'),
    inFlight: amount(saved, 'inFlight'),
    calls: amount(saved, 'calls'),
    failures: amount(saved, 'failures'),
  };
}

/** null: the snapshot is older than the classes. undefined: they are invalid. */
function readClasses(saved: unknown): SavedBaseline['classes'] | undefined {
  if (saved === undefined || saved === null) return null;
  if (!isFields(saved)) return undefined;
  const idempotent = readLatency(saved['idempotent']);
  const other = readLatency(saved['other']);
  return idempotent === null || other === null ? undefined : { idempotent, other };
}

function readLatency(saved: unknown): SavedLatency | null {
  if (!isFields(saved)) return null;
  const latency = readHistogram(saved['latency']);
  const { anchor } = saved;
  if (latency === null) return null;
  if (anchor === null) return { latency, anchor };
  const numbers = ['p50', 'p90', 'p95', 'p99', 'ageMs'] as const;
  if (!isFields(anchor) || !numbers.every((name) => isAmount(anchor[name]))) return null;
  return {
    latency,
    anchor: {
      p50: amount(anchor, 'p50'),
      p90: amount(anchor, 'p90'),
      p95: amount(anchor, 'p95'),
      p99: amount(anchor, 'p99'),
      ageMs: amount(anchor, 'ageMs'),
    },
  };
}

function readHistogram(saved: unknown): SavedBaseline['latency'] | null {
  if (!isFields(saved)) return null;
  const { buckets } = saved;
  if (!Array.isArray(buckets)) return null;
  const pairs = buckets.filter(
    (pair): pair is [number, number] =>
      Array.isArray(pair) && pair.length === 2 && pair.every(isAmount),
  );
  if (pairs.length !== buckets.length) return null;
  return {
    buckets: pairs.map(([index, count]) => [index, count]),
    count: amount(saved, 'count'),
    sumMs: amount(saved, 'sumMs'),
    maxMs: amount(saved, 'maxMs'),
  };
}

function readOverrides(saved: unknown): SavedOverride[] | null {
  if (!Array.isArray(saved)) return null;
  const read = saved.map(readOverride);
  const valid = read.filter((override) => override !== null);
  return valid.length === read.length ? valid : null;
}

function readOverride(saved: unknown): SavedOverride | null {
  if (!isFields(saved)) return null;
  const kind = overrideKinds.find((known) => known === saved['kind']);
  const resume = automaticStates.find((state) => state === saved['resume']);
  const remainingMs = optional(saved['remainingMs']);
  const { id, reason, actor } = saved;
  if (kind === undefined || resume === undefined || remainingMs === undefined) return null;
  if (typeof id !== 'string' || typeof reason !== 'string' || typeof actor !== 'string')
    return null;
  return { kind, id, reason, actor, resume, remainingMs };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function amount(fields: Fields, name: string): number {
  const value = fields[name];
  return isAmount(value) ? value : 0;
}

/** undefined: neither a number nor null. */
function optional(value: unknown): number | null | undefined {
  if (value === null) return null;
  return isAmount(value) ? value : undefined;
}
