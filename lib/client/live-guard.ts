import type { LiveFrame } from '../protocol/live-frames';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown) => typeof value === 'number' && Number.isInteger(value);
const isInstant = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isRows = (value: unknown) =>
  Array.isArray(value) && value.every((row) => isObject(row) && typeof row['id'] === 'string');
const isRowsIfGiven = (value: unknown) => value === undefined || isRows(value);

const CHECKS: Record<LiveFrame['type'], (frame: Fields) => boolean> = {
  snapshot: (f) =>
    typeof f['serverEpoch'] === 'string' &&
    isCount(f['revision']) &&
    isInstant(f['now']) &&
    Array.isArray(f['environmentNames']) &&
    isRows(f['breakers']) &&
    isRows(f['services']) &&
    isRows(f['overrides']) &&
    isRowsIfGiven(f['instances']),
  patch: (f) =>
    isCount(f['fromRevision']) &&
    isCount(f['toRevision']) &&
    isInstant(f['now']) &&
    isRowsIfGiven(f['breakers']) &&
    isRowsIfGiven(f['services']) &&
    isRowsIfGiven(f['overrides']) &&
    isRowsIfGiven(f['instances']) &&
    (f['detail'] === undefined || isObject(f['detail'])),
  reset: (f) => typeof f['reason'] === 'string',
  subscribed: (f) => Array.isArray(f['topics']),
  heartbeat: (f) => isCount(f['revision']) && isInstant(f['now']),
  presence: (f) =>
    typeof f['breakerId'] === 'string' &&
    Array.isArray(f['people']) &&
    f['people'].every((one) => isObject(one) && typeof one['name'] === 'string'),
  error: (f) => typeof f['code'] === 'string',
};

/**
 * The one place where a live frame becomes typed in the browser. It checks what folding relies on;
 * the full schemas stay with the server, which sends these frames, and their tests.
 */
export function parseLiveFrame(text: string): LiveFrame | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value) || typeof value['type'] !== 'string') return null;
  if (!Object.hasOwn(CHECKS, value['type'])) return null;
  return CHECKS[value['type'] as LiveFrame['type']](value) ? (value as LiveFrame) : null;
}
