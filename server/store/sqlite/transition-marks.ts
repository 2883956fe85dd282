import type { Database } from 'better-sqlite3';
import type { IngestStatements } from './ingest-statements';

type Mark = { firstAt: number; lastAt: number; lastEvent: number };

/**
 * What says in which state a breaker of a run is: its transitions, and its registration, with which it
 * begins anew. Gathered so that each breaker is noted once a batch.
 */
export function tellsState(type: string): boolean {
  return type === 'transition' || type === 'registered';
}

/** The last of them in one batch. */
export class TransitionMarks {
  readonly #marks = new Map<number, Mark>();

  add(breaker: number, at: number, event: number): void {
    const mark = this.#marks.get(breaker);
    if (mark === undefined) {
      this.#marks.set(breaker, { firstAt: at, lastAt: at, lastEvent: event });
      return;
    }
    mark.firstAt = Math.min(mark.firstAt, at);
    if (at < mark.lastAt) return;
    mark.lastAt = at;
    mark.lastEvent = event;
  }

  save(statement: IngestStatements['lastTransition'], run: number): void {
    for (const [breaker, { firstAt, lastAt, lastEvent }] of this.#marks) {
      statement.run(breaker, run, firstAt, lastAt, lastEvent);
    }
  }
}

export type MarkedRun = {
  readonly run: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly lastEvent: number;
};

/** Runs of the breaker whose instance was not archived by then. */
export const MARKED_RUNS = `
  SELECT m.run, m.first_at AS firstAt, m.last_at AS lastAt, m.last_event AS lastEvent
  FROM last_transitions m
  JOIN runs r ON r.id = m.run JOIN instances i ON i.id = r.instance
  WHERE m.breaker = ? AND m.first_at < ? AND (i.archived_at IS NULL OR i.archived_at >= ?)`;

export const TRANSITIONS_BEFORE = `
  SELECT id, run FROM events WHERE breaker = ? AND at < ? AND type IN ('transition', 'registered')
  ORDER BY at DESC, id DESC`;

/**
 * Ids of the last transition or registration of each run before an instant. Most runs had no other since, and the
 * mark is the answer; for the rest one walk goes back until each has been met.
 */
export function lastTransitionIds(client: Database, breaker: number, before: number): number[] {
  const marked = client
    .prepare<[number, number, number], MarkedRun>(MARKED_RUNS)
    .all(breaker, before, before);
  const ids = marked.filter((mark) => mark.lastAt < before).map((mark) => mark.lastEvent);
  const sought = new Set(marked.filter((mark) => mark.lastAt >= before).map((mark) => mark.run));
  if (sought.size === 0) return ids;
  const walk = client.prepare<[number, number], { id: number; run: number }>(TRANSITIONS_BEFORE);
  for (const { id, run } of walk.iterate(breaker, before)) {
    if (sought.delete(run)) ids.push(id);
    if (sought.size === 0) break;
  }
  return ids;
}
