import { withParams } from '@/lib/client/address';
import type { BreakerView } from '@/lib/protocol/views';

export const stateFilters = ['open', 'recovering', 'forced', 'stale', 'quiet'] as const;
export type StateFilter = (typeof stateFilters)[number];

export type FleetFilter = {
  text: string;
  state: StateFilter | null;
  environment: string | null;
  service: string | null;
};

type Params = { get(name: string): string | null };

export function readFilter(params: Params): FleetFilter {
  const state = params.get('state');
  return {
    text: params.get('q') ?? '',
    state: stateFilters.find((known) => known === state) ?? null,
    environment: params.get('env'),
    service: params.get('service'),
  };
}

/** The parts of the address that say the same; null where nothing is filtered. */
export const filterParams = (filter: FleetFilter) => ({
  q: filter.text === '' ? null : filter.text,
  state: filter.state,
  env: filter.environment,
  service: filter.service,
});

/** The address of this filter alone; empty when nothing is filtered. */
export const filterQuery = (filter: FleetFilter): string => withParams('', filterParams(filter));

export function stateGroup(row: BreakerView): StateFilter {
  if (row.state === 'forced_open' || row.state === 'forced_closed') return 'forced';
  if (row.instances.live === 0) return 'stale';
  if (row.state === 'open') return 'open';
  return row.state === 'half_open' ? 'recovering' : 'quiet';
}

/** Every word must be found in the breaker, its service, its target or its environment. */
export function matcher(filter: FleetFilter): (row: BreakerView) => boolean {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return (row) => {
    if (filter.state !== null && stateGroup(row) !== filter.state) return false;
    if (filter.environment !== null && row.environment !== filter.environment) return false;
    if (filter.service !== null && row.service !== filter.service) return false;
    if (words.length === 0) return true;
    const text = `${row.name} ${row.service} ${row.target} ${row.environment}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
