import { takeBatch, type Batch, type Received } from './batches';

export type Inbox = {
  readonly waiting: number;
  push(received: Received): void;
  /** Forgets what waits; what is being handled goes on. */
  clear(): void;
  /** Resolves when nothing waits and nothing is being handled. */
  idle(): Promise<void>;
};

/** Handles frames strictly in order, one batch at a time. `handle` must not throw. */
export function createInbox(on: {
  handle(batch: Batch, receivedAt: number): Promise<void>;
  /** Bytes that no longer wait. */
  freed(bytes: number): void;
}): Inbox {
  const queue: Received[] = [];
  let draining: Promise<void> | null = null;

  async function drain(): Promise<void> {
    for (let next = takeBatch(queue); next !== null; next = takeBatch(queue)) {
      // oxlint-disable-next-line no-await-in-loop -- order is the point
      await on.handle(next.batch, next.receivedAt);
      on.freed(next.bytes);
    }
    draining = null;
  }

  async function idle(): Promise<void> {
    if (draining === null) return;
    await draining;
    // What came meanwhile counts too.
    await idle();
  }

  return {
    get waiting() {
      return queue.length;
    },
    push(received) {
      queue.push(received);
      // A microtask later, so that frames of one read end up in one batch.
      draining ??= Promise.resolve().then(drain);
    },
    clear() {
      const bytes = queue.reduce((sum, { bytes: size }) => sum + size, 0);
      queue.length = 0;
      on.freed(bytes);
    },
    idle,
  };
}
