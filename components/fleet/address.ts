/**
 * All that decides what the fleet page shows, as a part of its address: a link shows the same list
 * to somebody else. Parameters of others (the time zone, say) stay as they are.
 */
import { MAX_ONLY, NO_FILTER, stateFilters, type FleetFilter } from './filter';

export const layouts = ['table', 'tiles'] as const;
export type Layout = (typeof layouts)[number];

export const groupings = ['service', 'target', 'environment'] as const;
export type Grouping = (typeof groupings)[number];

export type FleetAddress = {
  readonly filter: FleetFilter;
  readonly layout: Layout;
  readonly group: Grouping | null;
  /** Groups start folded or unfolded; those in `flipped` are the other way round. */
  readonly folded: boolean;
  readonly flipped: readonly string[];
  /** The breaker under the cursor. */
  readonly at: string | null;
};

export const EMPTY_ADDRESS: FleetAddress = {
  filter: NO_FILTER,
  layout: 'table',
  group: null,
  folded: false,
  flipped: [],
  at: null,
};

type Params = {
  get(name: string): string | null;
  getAll(name: string): string[];
};

const oneOf = <T extends string>(known: readonly T[], value: string | null): T | null =>
  known.find((one) => one === value) ?? null;

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

export function readAddress(params: Params): FleetAddress {
  const asked = (params.get('state') ?? '').split(',');
  const group = oneOf(groupings, params.get('group'));
  return {
    filter: {
      text: params.get('q') ?? '',
      states: stateFilters.filter((state) => asked.includes(state)),
      environment: params.get('env'),
      service: params.get('service'),
      target: params.get('target'),
      only: distinct(params.getAll('only')).slice(0, MAX_ONLY),
    },
    layout: oneOf(layouts, params.get('view')) ?? 'table',
    group,
    folded: group !== null && params.get('groups') === 'folded',
    flipped: group === null ? [] : distinct(params.getAll('flip')),
    at: params.get('at'),
  };
}

const OWN = [
  'q',
  'state',
  'env',
  'service',
  'target',
  'only',
  'view',
  'group',
  'groups',
  'flip',
  'at',
];

/** The query that says the same, with everything else that was in `onto`; empty or from `?` on. */
export function addressQuery(address: FleetAddress, onto = ''): string {
  const params = new URLSearchParams(onto);
  for (const name of OWN) params.delete(name);
  const { filter, group } = address;
  const put = (name: string, value: string | null) => {
    if (value !== null && value !== '') params.set(name, value);
  };
  put('q', filter.text);
  put('state', stateFilters.filter((state) => filter.states.includes(state)).join(','));
  put('env', filter.environment);
  put('service', filter.service);
  put('target', filter.target);
  for (const id of distinct(filter.only).slice(0, MAX_ONLY)) params.append('only', id);
  if (address.layout !== 'table') put('view', address.layout);
  put('group', group);
  if (group !== null) {
    if (address.folded) put('groups', 'folded');
    for (const key of distinct(address.flipped)) params.append('flip', key);
  }
  put('at', address.at);
  const query = params.toString();
  return query === '' ? '' : `?${query}`;
}

/** What is listed and how, without the cursor: two addresses with the same key list the same rows. */
export const listKey = (address: FleetAddress): string =>
  addressQuery({ ...address, at: null, flipped: [], folded: false, layout: 'table' });

export const isFolded = (address: FleetAddress, key: string): boolean =>
  address.folded !== address.flipped.includes(key);

export function flip(flipped: readonly string[], key: string): readonly string[] {
  const without = flipped.filter((one) => one !== key);
  return without.length === flipped.length ? [...flipped, key] : without;
}
