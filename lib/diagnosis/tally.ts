import type { CallGroup, Sample } from '../protocol/samples';
import { sum } from './say';
import type { Span } from './types';

const SPAN_MS = 300_000;
/** Two hours. */
const SPANS = 24;
const MAX_GROUPS = 16;

type Counts = {
  calls: number;
  failures: number;
  closedCalls: number;
  closedFailures: number;
  rejectedLocal: number;
  notPermitted: number;
  peakCalls: number;
};
type Bucket = Counts & { readonly index: number; readonly groups: Map<string, CallGroup> };

type Recent = { readonly items: { readonly at: number; readonly calls: number }[]; calls: number };

const emptyBucket = (index: number): Bucket => ({
  index,
  calls: 0,
  failures: 0,
  closedCalls: 0,
  closedFailures: 0,
  rejectedLocal: 0,
  notPermitted: 0,
  peakCalls: 0,
  groups: new Map(),
});

/**
 * What the samples of one logical breaker amount to, five minutes at a time. Costs some additions a
 * sample and a few hundred bytes a span; holds the last two hours.
 */
export class Tally {
  #buckets: Bucket[] = [];
  /** Calls of each closed instance within one window of its breaker. */
  readonly #recent = new Map<string, Recent>();

  add(instanceId: string, at: number, sample: Sample, windowMs: number): void {
    const bucket = this.#bucketOf(at - sample.periodMs / 2);
    if (bucket === null) return;
    const { calls } = sample;
    const failures = calls.timeout + calls.server_error + calls.overload + calls.refused;
    const counted = failures + calls.success + calls.client_error;
    bucket.calls += counted;
    bucket.failures += failures;
    bucket.rejectedLocal += calls.rejected_local;
    bucket.notPermitted += calls.not_permitted;
    for (const group of sample.groups ?? []) addGroup(bucket.groups, group);
    if (sample.state !== 'closed') {
      this.#recent.delete(instanceId);
      return;
    }
    bucket.closedCalls += counted;
    bucket.closedFailures += failures;
    bucket.peakCalls = Math.max(
      bucket.peakCalls,
      this.#inWindow(instanceId, at, counted, Math.max(windowMs, sample.periodMs)),
    );
  }

  /** An instance that is gone has no window any more. */
  forget(instanceId: string): void {
    this.#recent.delete(instanceId);
  }

  /** Oldest first; spans without a call are left out. */
  spans(now: number): Span[] {
    const oldest = Math.floor(now / SPAN_MS) - SPANS;
    this.#buckets = this.#buckets.filter(({ index }) => index > oldest);
    return this.#buckets.map(({ index, groups, ...counts }) => ({
      from: index * SPAN_MS,
      to: Math.max(index * SPAN_MS, Math.min(now, (index + 1) * SPAN_MS)),
      ...counts,
      groups: [...groups.values()],
    }));
  }

  #bucketOf(at: number): Bucket | null {
    const index = Math.floor(at / SPAN_MS);
    const newest = this.#buckets.at(-1);
    if (newest?.index === index) return newest;
    const known = this.#buckets.find((bucket) => bucket.index === index);
    if (known !== undefined) return known;
    if (newest !== undefined && index <= newest.index - SPANS) return null;
    const bucket = emptyBucket(index);
    this.#buckets.push(bucket);
    this.#buckets.sort((a, b) => a.index - b.index);
    if (this.#buckets.length > SPANS) this.#buckets.shift();
    return bucket;
  }

  #inWindow(instanceId: string, at: number, calls: number, windowMs: number): number {
    const recent = this.#recent.get(instanceId) ?? { items: [], calls: 0 };
    this.#recent.set(instanceId, recent);
    recent.items.push({ at, calls });
    recent.calls += calls;
    // Late samples make the list uneven, never wrong by more than themselves.
    const gone = recent.items.findIndex((item) => item.at > at - windowMs);
    if (gone > 0) recent.calls -= sum(recent.items.splice(0, gone), (item) => item.calls);
    return recent.calls;
  }
}

function addGroup(groups: Map<string, CallGroup>, group: CallGroup): void {
  const known = groups.get(group.name);
  if (known === undefined && groups.size >= MAX_GROUPS) return;
  groups.set(group.name, {
    name: group.name,
    calls: group.calls + (known?.calls ?? 0),
    failures: group.failures + (known?.failures ?? 0),
    totalMs: group.totalMs + (known?.totalMs ?? 0),
  });
}
