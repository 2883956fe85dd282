import { countable } from '@/lib/protocol/simulated';
import type { BreakerView } from '@/lib/protocol/views';

export type States = ReadonlyMap<string, BreakerView['state']>;

export function statesOf(list: readonly BreakerView[]): States {
  return new Map(countable(list).map((row) => [row.id, row.state]));
}

function phrase(count: number, word: string): string {
  return `${count} ${count === 1 ? 'breaker' : 'breakers'} ${word}`;
}

/** "2 breakers opened, 1 breaker recovered"; empty when nothing changed. */
export function describeChanges(before: States, after: States): string {
  const counts = { opened: 0, 'half-open': 0, recovered: 0, forced: 0 };
  for (const [id, state] of after) {
    const was = before.get(id);
    if (was === undefined || was === state) continue;
    if (state === 'open') counts.opened += 1;
    else if (state === 'half_open') counts['half-open'] += 1;
    else if (state === 'closed') counts.recovered += 1;
    else if (state === 'forced_open' || state === 'forced_closed') counts.forced += 1;
  }
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => phrase(count, word))
    .join(', ');
}
