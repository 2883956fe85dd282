import type { Clock } from '../services/contract';

export const HEARTBEAT_MS = 20_000;
const MAX_MISSES = 2;

export type Heartbeat = {
  /** Any word of the peer counts, not only an answer. */
  heard(): void;
  stop(): void;
};

export function startHeartbeat(
  clock: Clock,
  on: {
    ping(): void;
    dead(): void;
    /** While we do not read, silence is our own doing. */
    deaf(): boolean;
  },
): Heartbeat {
  let misses = 0;
  let timer = clock.after(HEARTBEAT_MS, tick);

  function tick(): void {
    if (misses >= MAX_MISSES) {
      on.dead();
      return;
    }
    if (!on.deaf()) misses += 1;
    on.ping();
    timer = clock.after(HEARTBEAT_MS, tick);
  }

  return {
    heard() {
      misses = 0;
    },
    stop: () => timer.cancel(),
  };
}
