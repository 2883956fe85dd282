import type { SocketPort } from './socket';

export type HoldReason = 'rate' | 'queue' | 'budget' | 'stopping';

/** Stops reading a socket while there is any reason to, so that the sender feels it. */
export type Flow = {
  readonly held: boolean;
  hold(reason: HoldReason): void;
  release(reason: HoldReason): void;
};

export function createFlow(socket: Pick<SocketPort, 'pause' | 'resume'>): Flow {
  const reasons = new Set<HoldReason>();
  return {
    get held() {
      return reasons.size > 0;
    },
    hold(reason) {
      if (reasons.size === 0) socket.pause();
      reasons.add(reason);
    },
    release(reason) {
      if (reasons.delete(reason) && reasons.size === 0) socket.resume();
    },
  };
}
