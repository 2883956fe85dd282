import type { Bus, Publication } from './port';

type Listener = (publication: Publication) => void;

/**
 * Listeners of one process, called before `publish` returns. What a listener publishes is delivered
 * after the publication it is hearing, so that everybody hears all of them in the same order.
 */
export function createInProcessBus(report: (thrown: unknown) => void): Bus {
  const subscriptions = new Map<symbol, Listener>();
  const waiting: Publication[] = [];
  let delivering = false;
  let closed = false;

  function deliver(publication: Publication): void {
    // A copy of the keys: who joins meanwhile hears the next one, who leaves hears no more.
    const hearers = [...subscriptions.keys()];
    for (const key of hearers) {
      try {
        subscriptions.get(key)?.(publication);
      } catch (thrown) {
        report(thrown);
      }
    }
  }

  return {
    publish: (publication) => {
      if (closed) return;
      waiting.push(publication);
      if (delivering) return;
      delivering = true;
      try {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) deliver(next);
      } finally {
        delivering = false;
      }
    },
    subscribe: (listener) => {
      const key = Symbol('subscription');
      if (!closed) subscriptions.set(key, listener);
      return () => void subscriptions.delete(key);
    },
    close: async () => {
      closed = true;
      waiting.length = 0;
      subscriptions.clear();
    },
  };
}
