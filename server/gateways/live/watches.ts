import type { LiveFeed } from '../../services/contract';

const DETAIL = 'breaker:';

/** Tells the feed which breakers this browser looks at, and takes it back. */
export function createWatches(feed: Pick<LiveFeed, 'watch'>) {
  const watched = new Map<string, () => void>();
  return {
    follow(topics: ReadonlySet<string>): void {
      for (const [topic, stop] of watched) {
        if (topics.has(topic)) continue;
        stop();
        watched.delete(topic);
      }
      for (const topic of topics) {
        if (!topic.startsWith(DETAIL) || watched.has(topic)) continue;
        watched.set(topic, feed.watch(topic.slice(DETAIL.length)));
      }
    },
    stop(): void {
      for (const stop of watched.values()) stop();
      watched.clear();
    },
  };
}
