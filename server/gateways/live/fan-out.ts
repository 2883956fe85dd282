/**
 * From the one stream of revisions to many browsers. Readers of the same topics share one group, so
 * that a patch is cut and serialised once for all of them.
 */
import { filterPatch } from '@/lib/live';
import type { LivePatch } from '@/lib/protocol/live-frames';
import type { LiveFeed } from '../../services/contract';

export type Reader = { deliver(patch: LivePatch, bytes: Buffer): void };

type Group = {
  readonly topics: ReadonlySet<string>;
  readonly readers: Set<Reader>;
  /** Everything of these topics up to here has been handed out. */
  coveredTo: number;
};

export type FanOut = {
  /** From the revision of now on; what came before is the caller's to send, in the same tick. */
  join(topics: ReadonlySet<string>, reader: Reader): () => void;
  stop(): void;
};

const ENVELOPE = new Set(['type', 'fromRevision', 'toRevision', 'now']);

function isEmpty(patch: LivePatch): boolean {
  return Object.keys(patch).every((key) => ENVELOPE.has(key));
}

export function createFanOut(feed: Pick<LiveFeed, 'revision' | 'subscribe'>): FanOut {
  const groups = new Map<string, Group>();

  const unsubscribe = feed.subscribe((patch) => {
    for (const group of groups.values()) {
      const cut = filterPatch(patch, group.topics);
      // Nothing of it was asked for: the next patch or heartbeat carries the reader past it.
      if (isEmpty(cut)) continue;
      const joined = { ...cut, fromRevision: Math.min(cut.fromRevision, group.coveredTo + 1) };
      const bytes = Buffer.from(JSON.stringify(joined));
      group.coveredTo = patch.toRevision;
      for (const reader of group.readers) reader.deliver(joined, bytes);
    }
  });

  return {
    join(topics, reader) {
      const key = [...topics].sort().join(' ');
      const group = groups.get(key) ?? { topics, readers: new Set(), coveredTo: feed.revision() };
      groups.set(key, group);
      group.readers.add(reader);
      return () => {
        group.readers.delete(reader);
        if (group.readers.size === 0 && groups.get(key) === group) groups.delete(key);
      };
    },
    stop: unsubscribe,
  };
}
