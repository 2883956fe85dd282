import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;

/**
 * How late this process's event loop ran at worst since the last reading, in ms. Measured outside
 * of JavaScript, so that watching costs next to nothing, and without keeping the process alive.
 */
export function loopDelayMeter(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return () => {
    const worstMs = histogram.max / 1e6 - RESOLUTION_MS;
    histogram.reset();
    return Math.max(0, worstMs);
  };
}
