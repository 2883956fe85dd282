import type { EventLike } from './types';

export type Transition = {
  readonly id: number;
  readonly at: number;
  readonly instanceId: string;
  readonly instance: string;
  readonly from: string;
  readonly to: string;
  readonly cause: string;
  readonly reason: string;
  readonly level: number | null;
  readonly openTimeoutMs: number | null;
  readonly retryInMs: number | null;
  readonly calls: number | null;
  readonly failures: number | null;
  readonly slow: number | null;
  readonly rate: number | null;
  readonly threshold: number | null;
  readonly step: number | null;
  readonly share: number | null;
  readonly actor: string | null;
};

/** A finite number under `key`, else null; a number that is not there is not zero. */
export function numberIn(data: EventLike['data'], key: string): number | null {
  const value = data[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function textIn(data: EventLike['data'], key: string): string | null {
  const value = data[key];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Null for events of another type and for a transition without both ends. */
export function readTransition(event: EventLike): Transition | null {
  if (event.type !== 'transition') return null;
  const { data } = event;
  const from = textIn(data, 'from');
  const to = textIn(data, 'to');
  if (from === null || to === null) return null;
  return {
    id: event.id,
    at: event.at,
    instanceId: event.instanceId,
    instance: event.instance,
    from,
    to,
    cause: textIn(data, 'cause') ?? '',
    reason: textIn(data, 'reason') ?? '',
    level: numberIn(data, 'level'),
    openTimeoutMs: numberIn(data, 'openTimeoutMs'),
    retryInMs: numberIn(data, 'retryInMs'),
    calls: numberIn(data, 'calls'),
    failures: numberIn(data, 'failures'),
    slow: numberIn(data, 'slow'),
    rate: numberIn(data, 'rate'),
    threshold: numberIn(data, 'threshold'),
    step: numberIn(data, 'step'),
    share: numberIn(data, 'share'),
    actor: textIn(data, 'actor'),
  };
}

/** Oldest first; equal instants keep the order in which they were stored. */
export function inOrder<T extends { readonly at: number; readonly id: number }>(
  items: readonly T[],
): T[] {
  return [...items].sort((a, b) => a.at - b.at || a.id - b.id);
}

export function transitionsOf(events: readonly EventLike[]): Transition[] {
  return inOrder(events).flatMap((event) => readTransition(event) ?? []);
}

/** In the order in which each key came first. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export function byInstance<T extends { readonly instanceId: string }>(
  items: readonly T[],
): Map<string, T[]> {
  return groupBy(items, (item) => item.instanceId);
}
