import type { AgentTime, Dial } from './ports';

/** Runs the work and keeps whatever it throws away from the host. */
export type Guard = (run: () => void) => void;

export function makeGuard(report: (error: unknown) => void): Guard {
  return (run) => {
    try {
      run();
    } catch (error) {
      report(error);
    }
  };
}

export function guardTime(time: AgentTime, guard: Guard): AgentTime {
  return {
    mono: () => time.mono(),
    wall: () => time.wall(),
    after: (delayMs, run) => time.after(delayMs, () => guard(run)),
    every: (periodMs, run) => time.every(periodMs, () => guard(run)),
    soon: (run) => time.soon(() => guard(run)),
  };
}

export function guardDial(dial: Dial, guard: Guard): Dial {
  return (events) =>
    dial({
      opened: () => guard(() => events.opened()),
      text: (raw) => guard(() => events.text(raw)),
      binary: () => guard(() => events.binary()),
      activity: () => guard(() => events.activity()),
      ended: (end) => guard(() => events.ended(end)),
    });
}
