import type { Core } from '../core';

const HOUR_MS = 3_600_000;

/** [S-10] How long a session may lie idle and last at all; whoever asks with it is told the same. */
export const SESSION_IDLE_MS = 8 * HOUR_MS;
export const SESSION_MAX_MS = 24 * HOUR_MS;

/** Sessions, challenges and codes that are of no use any more. */
export function createForgetSessions({ store, clock }: Core): () => Promise<void> {
  return () => {
    const now = clock.wall();
    return store.people.pruneSessions({
      createdBefore: now - SESSION_MAX_MS,
      seenBefore: now - SESSION_IDLE_MS,
      now,
    });
  };
}
