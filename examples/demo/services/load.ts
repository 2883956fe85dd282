import { ok, type Service } from '../service';

/** Visitors per second. Each causes about five calls inside the fleet. */
const VISITS_PER_SECOND = 16;
const OPENING_SECONDS = 6;
const CATCH_UP = 4;
const FLOW = ['/', '/', '/order', '/', '/', '/methods', '/', '/order', '/', '/'];

/** Visits due so long after the start: few at first, because the whole fleet has just started. */
export function visitsDue(ms: number): number {
  const seconds = ms / 1_000;
  const opening = Math.min(seconds, OPENING_SECONDS);
  const full = seconds - opening;
  return VISITS_PER_SECOND * (opening ** 2 / (2 * OPENING_SECONDS) + full);
}

/** Steady visitors, whatever the answers are: people do not slow down for a sick shop. */
export const load: Service = {
  name: 'load',
  owner: 'Team Storefront',
  instances: 1,
  breakers: {},
  start(tools) {
    const counts = { sent: 0, answered: 0, failed: 0 };
    const visit = () => {
      const path = FLOW[counts.sent % FLOW.length] ?? '/';
      counts.sent += 1;
      tools.call('edge', path).then(
        () => (counts.answered += 1),
        () => (counts.failed += 1),
      );
    };
    const startedAt = performance.now();
    setInterval(() => {
      const due = visitsDue(performance.now() - startedAt);
      // A busy machine drops ticks; visitors come all the same, but not all at once.
      for (let room = CATCH_UP; counts.sent < due && room > 0; room -= 1) visit();
    }, 1_000 / VISITS_PER_SECOND).unref();
    return { handle: async () => ok(counts), describe: () => counts };
  },
};
