import type { BreakerView } from '@/lib/protocol/views';

export const stateFilters = ['open', 'recovering', 'forced', 'stale', 'quiet'] as const;
export type StateFilter = (typeof stateFilters)[number];

export type FleetFilter = {
  text: string;
  /** Any of these; none of them is all of them. */
  states: readonly StateFilter[];
  environment: string | null;
  service: string | null;
  target: string | null;
  /** Ids of breakers that were picked by hand; none of them is all of them. */
  only: readonly string[];
};

export const NO_FILTER: FleetFilter = {
  text: '',
  states: [],
  environment: null,
  service: null,
  target: null,
  only: [],
};

/** More would make an address too long to send. */
export const MAX_ONLY = 100;

export function stateGroup(row: BreakerView): StateFilter {
  if (row.state === 'forced_open' || row.state === 'forced_closed') return 'forced';
  if (row.instances.live === 0) return 'stale';
  if (row.state === 'open') return 'open';
  return row.state === 'half_open' ? 'recovering' : 'quiet';
}

/** Pressing a state that is asked for takes it away again. */
export function toggleState(
  states: readonly StateFilter[],
  state: StateFilter,
): readonly StateFilter[] {
  const without = states.filter((one) => one !== state);
  return without.length === states.length ? [...states, state] : without;
}

/** What a row is searched by; figures change ten times a second, names do not. */
const texts = new Map<string, { row: BreakerView; text: string }>();
const MAX_TEXTS = 20_000;

function textOf(row: BreakerView): string {
  const known = texts.get(row.id);
  const same =
    known !== undefined &&
    known.row.name === row.name &&
    known.row.service === row.service &&
    known.row.target === row.target &&
    known.row.environment === row.environment;
  if (same) return known.text;
  if (texts.size >= MAX_TEXTS) texts.clear();
  const text = `${row.name} ${row.service} ${row.target} ${row.environment}`.toLowerCase();
  texts.set(row.id, { row, text });
  return text;
}

/** Every word must be found in the breaker, its service, its target or its environment. */
export function matcher(filter: FleetFilter): (row: BreakerView) => boolean {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const { states, environment, service, target } = filter;
  const only = filter.only.length > 0 ? new Set(filter.only) : null;
  return (row) => {
    if (only !== null && !only.has(row.id)) return false;
    if (states.length > 0 && !states.includes(stateGroup(row))) return false;
    if (environment !== null && row.environment !== environment) return false;
    if (service !== null && row.service !== service) return false;
    if (target !== null && row.target !== target) return false;
    if (words.length === 0) return true;
    const text = textOf(row);
    return words.every((word) => text.includes(word));
  };
}
