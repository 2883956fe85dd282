import type { LiveCursor, LiveFrame } from '@/lib/protocol/live-frames';
import type { LiveFeed } from '../../services/contract';

/** What brings a browser from its cursor to now. All of it is of one revision: call it in one tick. */
export function catchUp(
  feed: LiveFeed,
  topics: ReadonlySet<string>,
  cursor: LiveCursor | undefined,
  now: number,
): LiveFrame[] {
  if (cursor === undefined) return [feed.snapshot(topics)];
  if (cursor.serverEpoch !== feed.serverEpoch) {
    return [{ type: 'reset', reason: 'the server restarted' }, feed.snapshot(topics)];
  }
  const missed = feed.since(cursor.revision, topics);
  if (missed === 'lost') {
    return [{ type: 'reset', reason: 'too much was missed' }, feed.snapshot(topics)];
  }
  return [missed ?? { type: 'heartbeat', revision: feed.revision(), now }];
}

/** Rows of these come with a snapshot only; a browser that asks for them late needs one. */
const WITH_ROWS = ['fleet', 'instances'];

export function needsSnapshot(before: ReadonlySet<string>, after: ReadonlySet<string>): boolean {
  return WITH_ROWS.some((topic) => after.has(topic) && !before.has(topic));
}

export function sameTopics(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((topic) => b.has(topic));
}
