import type { GapSpan, HistoryEvent } from '@/lib/protocol/views';
import type { LivenessChange } from '../../store/port';

type Range = { readonly from: number; readonly to: number };

/** The spans within a range in which an instance was not heard. Changes come in time order. */
export function silentSpans(changes: readonly LivenessChange[], range: Range): GapSpan[] {
  const byInstance = new Map<string, LivenessChange[]>();
  for (const change of changes) {
    const list = byInstance.get(change.instanceId);
    if (list) list.push(change);
    else byInstance.set(change.instanceId, [change]);
  }
  return [...byInstance].flatMap(([instanceId, list]) => spansOf(instanceId, list, range));
}

function spansOf(instanceId: string, changes: readonly LivenessChange[], range: Range): GapSpan[] {
  const spans: GapSpan[] = [];
  // The first change tells what was so when the range began.
  const [first] = changes;
  let silentFrom = first && first.from !== 'live' ? range.from : null;
  const close = (to: number): void => {
    const from = Math.max(range.from, silentFrom ?? to);
    const end = Math.min(range.to, to);
    if (end > from) spans.push({ from, to: end, instanceId, reason: 'not heard', events: 0 });
    silentFrom = null;
  };
  for (const change of changes) {
    // The silence began with the last frame, not when it was noticed.
    if (change.to !== 'live') silentFrom ??= change.lastSeenAt;
    else if (silentFrom !== null) close(change.at);
  }
  if (silentFrom !== null) close(range.to);
  return spans;
}

function total(counts: unknown): number {
  if (counts === null || typeof counts !== 'object') return 0;
  return Object.values(counts).reduce<number>(
    (sum, count) => sum + (typeof count === 'number' ? count : 0),
    0,
  );
}

/** What an agent says it lost. It knows the moment at which it noticed, not where it began. */
export function lostSpans(gaps: readonly HistoryEvent[]): GapSpan[] {
  return gaps.map(({ at, instanceId, data }) => ({
    from: at,
    to: at,
    instanceId,
    reason: typeof data['reason'] === 'string' ? data['reason'] : 'events were lost',
    events: total(data['counts']),
  }));
}
