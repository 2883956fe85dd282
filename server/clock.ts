import { performance } from 'node:perf_hooks';
import type { Clock } from './services/contract';

export const systemClock: Clock = {
  wall: () => Date.now(),
  mono: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};
