/**
 * From the one stream of revisions to many browsers. Readers of the same topics share one group, so
 * that a patch is cut and serialised once for all of them. In a storm patches that follow closely
 * are joined: ten frames a second.
 */
import { filterPatch } from '@/lib/live';
import type { LivePatch } from '@/lib/protocol/live-frames';
import type { Clock, LiveFeed } from '../../services/contract';
import { createPace } from './pace';

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
  /** Hands out what is held back; before a reader changes its topics. */
  flush(): void;
  /** What has been handed out; the feed may be ahead by what is held back. */
  revision(): number;
  stop(): void;
};

const ENVELOPE = new Set(['type', 'fromRevision', 'toRevision', 'now']);

function isEmpty(patch: LivePatch): boolean {
  return Object.keys(patch).every((key) => ENVELOPE.has(key));
}

type Feed = Pick<LiveFeed, 'revision' | 'subscribe'>;

export function createFanOut(feed: Feed, clock: Pick<Clock, 'mono' | 'after'>): FanOut {
  const groups = new Map<string, Group>();
  const pace = createPace(clock, hand);

  function hand(patch: LivePatch): void {
    for (const group of groups.values()) {
      const cut = filterPatch(patch, group.topics);
      // Nothing of it was asked for: the next patch or heartbeat carries the reader past it.
      if (isEmpty(cut)) continue;
      const joined = { ...cut, fromRevision: Math.min(cut.fromRevision, group.coveredTo + 1) };
      const bytes = Buffer.from(JSON.stringify(joined));
      group.coveredTo = patch.toRevision;
      for (const reader of group.readers) reader.deliver(joined, bytes);
    }
  }

  const unsubscribe = feed.subscribe((patch) => pace.take(patch));

  return {
    join(topics, reader) {
      pace.flush();
      const key = [...topics].sort().join(' ');
      const group = groups.get(key) ?? { topics, readers: new Set(), coveredTo: feed.revision() };
      groups.set(key, group);
      group.readers.add(reader);
      return () => {
        group.readers.delete(reader);
        if (group.readers.size === 0 && groups.get(key) === group) groups.delete(key);
      };
    },
    flush: pace.flush,
    revision() {
      const held = pace.heldFrom();
      return held === null ? feed.revision() : held - 1;
    },
    stop() {
      unsubscribe();
      pace.flush();
    },
  };
}
