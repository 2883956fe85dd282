import type { Clock } from '@/server/services/contract';
import { FakeClock } from '@/tests/support/fake-clock';

export const WALL_START = Date.UTC(2026, 0, 1);

/** The services' clock over a fake one: wall and monotonic time move together. */
export function fakeServerClock(): Clock & { advance(ms: number): void; readonly pending: number } {
  const clock = new FakeClock();
  return {
    wall: () => WALL_START + clock.now(),
    mono: () => clock.now(),
    after: (ms, run) => clock.after(ms, run),
    advance: (ms) => clock.advance(ms),
    get pending() {
      return clock.pending;
    },
  };
}
