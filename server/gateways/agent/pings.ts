import type { ClockReading } from '@/lib/protocol/primitives';
import type { ServerFrame } from '@/lib/protocol/server-frames';
import type { Clock } from '../../services/contract';

/** Numbers pings and measures the round trip of their answers. */
export function createPings(clock: Clock, reply: (frame: ServerFrame) => void) {
  let lastId = 0;
  let sentAt: number | null = null;
  return {
    send(): void {
      lastId += 1;
      sentAt = clock.mono();
      const reading: ClockReading = { at: clock.wall(), mono: sentAt };
      reply({ type: 'ping', id: lastId, clock: reading });
    },
    /** Null for an answer to an older ping or to none. */
    roundTripMs(id: number): number | null {
      if (id !== lastId || sentAt === null) return null;
      const took = clock.mono() - sentAt;
      sentAt = null;
      return took;
    },
  };
}
