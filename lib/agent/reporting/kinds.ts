import { CALL_GROUPS, type CallGroup } from '../../protocol/samples';
import type { SettledCall } from '../ports';
import { wireCount, wireMs } from '../text';

type Kind = keyof typeof CALL_GROUPS;
type Counts = { calls: number; failures: number; totalMs: number };

const KINDS: readonly Kind[] = ['idempotent', 'other'];
const FAILED: ReadonlySet<SettledCall['outcome']> = new Set([
  'timeout',
  'server_error',
  'overload',
  'refused',
]);
const ANSWERED: ReadonlySet<SettledCall['outcome']> = new Set(['success', 'client_error']);
const nothing = (): Counts => ({ calls: 0, failures: 0, totalMs: 0 });

/**
 * Counts the calls of one breaker by kind, so that the console sees what shares it. Three additions a
 * call; says nothing while all calls are of one kind.
 */
export class CallKinds {
  #counts: Record<Kind, Counts> = { idempotent: nothing(), other: nothing() };
  readonly #seen = new Set<Kind>();

  add({ outcome, receipt, idempotent, latencyMs }: SettledCall): void {
    const failed = FAILED.has(outcome);
    if (!failed && !ANSWERED.has(outcome)) return;
    // A late result belongs to another time; a bypassed one went by no breaker.
    if (receipt === 'late' || receipt === 'bypassed') return;
    const kind = idempotent ? 'idempotent' : 'other';
    const counts = this.#counts[kind];
    counts.calls += 1;
    if (failed) counts.failures += 1;
    // A refusal is fast for no reason.
    if (outcome === 'success' || outcome === 'timeout') counts.totalMs += latencyMs;
    this.#seen.add(kind);
  }

  /** What came since the last time; empty while there is one kind only. */
  take(): CallGroup[] {
    const counts = this.#counts;
    this.#counts = { idempotent: nothing(), other: nothing() };
    if (this.#seen.size < KINDS.length) return [];
    return KINDS.filter((kind) => counts[kind].calls > 0).map((kind) => ({
      name: CALL_GROUPS[kind],
      calls: wireCount(counts[kind].calls),
      failures: wireCount(counts[kind].failures),
      totalMs: wireMs(counts[kind].totalMs),
    }));
  }
}

/** Sums by name. */
export function mergeGroups(a: readonly CallGroup[], b: readonly CallGroup[]): CallGroup[] {
  const merged = new Map(a.map((group) => [group.name, group]));
  for (const group of b) {
    const known = merged.get(group.name);
    merged.set(group.name, {
      name: group.name,
      calls: group.calls + (known?.calls ?? 0),
      failures: group.failures + (known?.failures ?? 0),
      totalMs: group.totalMs + (known?.totalMs ?? 0),
    });
  }
  return [...merged.values()];
}
