import type { Core } from '../core';

/**
 * Stores the last words that events have changed since. A crash in between costs nothing that
 * counts: after a start they are shown as stale until the instance says where it is.
 */
export function createSaveWords(core: Core): () => Promise<void> {
  const { unsaved } = core.fleet;
  return async () => {
    if (unsaved.size === 0) return;
    const cells = [...unsaved];
    unsaved.clear();
    try {
      await core.store.saveStates(
        cells.map(({ breakerId, instanceId, word }) => ({
          breakerId,
          instanceId,
          state: word.state,
          since: word.since,
          at: word.asOf,
        })),
      );
    } catch (error) {
      for (const cell of cells) unsaved.add(cell);
      throw error;
    }
  };
}
