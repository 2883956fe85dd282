import type { SavedBaseline } from './baseline';
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
  if (!isFields(saved) || !isFields(saved['latency'])) return null;
  const { latency } = saved;
  const { buckets } = latency;
  if (!Array.isArray(buckets)) return null;
  const pairs = buckets.filter(
    (pair): pair is [number, number] =>
      Array.isArray(pair) && pair.length === 2 && pair.every(isAmount),
  );
  const numbers = ['callsPerMs', 'inFlight', 'calls', 'failures'] as const;
  if (pairs.length !== buckets.length || !numbers.every((name) => isAmount(saved[name]))) {
    return null;
  }
  return {
    latency: {
      buckets: pairs.map(([index, count]) => [index, count]),
      count: amount(latency, 'count'),
      sumMs: amount(latency, 'sumMs'),
      maxMs: amount(latency, 'maxMs'),
    },
    callsPerMs: amount(saved, 'callsPerMs'),
    inFlight: amount(saved, 'inFlight'),
    calls: amount(saved, 'calls'),
    failures: amount(saved, 'failures'),
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
