import type { AgentTime } from './ports';

/** The real clocks, with timers that let the process exit. */
export const systemTime: AgentTime = {
  mono: () => performance.now(),
  wall: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
  every(periodMs, run) {
    const timer = setInterval(run, periodMs);
    timer.unref();
    return () => clearInterval(timer);
  },
  soon(run) {
    setImmediate(run).unref();
  },
};
