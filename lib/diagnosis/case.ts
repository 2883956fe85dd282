import { readRecoveries, type Recoveries } from './read';
import { commonConfig, readSettings, type Settings } from './settings';
import type { Draft, History, InstanceFact } from './types';

/** One breaker as the rules see it: its history, read once. */
export type Case = Recoveries & {
  readonly history: History;
  readonly settings: Settings;
  readonly live: readonly InstanceFact[];
};

export type Rule = (breaker: Case) => Draft | null;

export function makeCase(history: History): Case {
  return {
    ...readRecoveries(history.events),
    history,
    settings: readSettings(commonConfig(history.configs)?.config ?? {}),
    live: history.instances.filter((instance) => instance.live),
  };
}

/** The part of a rising list of instants with the most of them within `spanMs`; its two ends. */
export function densest<T>(
  items: readonly T[],
  atOf: (item: T) => number,
  spanMs: number,
): readonly T[] {
  let best: readonly [number, number] = [0, 0];
  let first = 0;
  for (const [last, item] of items.entries()) {
    while (first < last && atOf(item) - atOf(items[first] ?? item) > spanMs) first++;
    // The latest of equals: what is news is said first.
    if (last + 1 - first >= best[1] - best[0]) best = [first, last + 1];
  }
  return items.slice(...best);
}
