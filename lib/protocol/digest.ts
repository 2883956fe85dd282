import type { ReportedState } from './breaker-state';

/** JSON with sorted keys and without undefined members: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${members.join(',')}}`;
}

/** What stays true of a state while nothing happens: no countdowns, no calls in flight. */
function lasting(state: ReportedState): object {
  const { retryInMs: _retry, inFlight: _inFlight, override, hold, ...rest } = state;
  return {
    ...rest,
    hold: hold === true,
    ...(override === undefined ? {} : { override: { id: override.id, kind: override.kind } }),
  };
}

/**
 * The text that both ends hash (SHA-256, hex) for the digest of a `state` frame. The order of the
 * breakers and everything volatile have no influence.
 */
export function canonicalStates(states: readonly ReportedState[]): string {
  const ordered = [...states].sort((a, b) => (a.breaker < b.breaker ? -1 : 1));
  return canonicalJson(ordered.map(lasting));
}
