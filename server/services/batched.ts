import type { Lane } from './lane';

/**
 * Calls that wait for the same lane are served together: a thousand instances that ask at once cost
 * one transaction, not a thousand. `work` answers in the order it was given.
 */
export function createBatched<T, R>(
  lane: Lane,
  work: (items: readonly T[]) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  type Waiting = { item: T; resolve: (answer: R) => void; reject: (thrown: unknown) => void };
  let waiting: Waiting[] = [];

  async function serve(): Promise<void> {
    // What has arrived on other sockets by now is read in this turn of the loop: it goes along.
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    const batch = waiting;
    waiting = [];
    try {
      const answers = await work(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, at) => resolve(answers[at] as R));
    } catch (thrown) {
      for (const { reject } of batch) reject(thrown);
    }
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length === 1) void lane(serve);
    });
}
