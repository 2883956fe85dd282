/**
 * Bytes that all agents together may have waiting for the store. Over the limit the sockets that
 * send are not read until half of it is free again; nothing is dropped and nothing acknowledged early.
 */
export type Budget = {
  readonly usedBytes: number;
  take(bytes: number): void;
  give(bytes: number): void;
  /** Calls back once there is room; at once when there is. True when the caller has to wait. */
  waitForRoom(resume: () => void): boolean;
};

export function createBudget(limitBytes: number): Budget {
  let used = 0;
  let waiting: (() => void)[] = [];
  return {
    get usedBytes() {
      return used;
    },
    take(bytes) {
      used += bytes;
    },
    give(bytes) {
      used -= bytes;
      if (waiting.length === 0 || used > limitBytes / 2) return;
      const ready = waiting;
      waiting = [];
      for (const resume of ready) resume();
    },
    waitForRoom(resume) {
      if (used <= limitBytes) return false;
      waiting.push(resume);
      return true;
    },
  };
}
