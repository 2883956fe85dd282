import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 20;
const PERIOD_MS = 1_000;

/** What is needed of Node's histogram: nanoseconds. */
export type DelayHistogram = { readonly max: number; reset(): void };

/**
 * How late the event loop ran at worst in this period and the one before, in ms. Any number of
 * breakers may read it.
 */
export function loopDelayMeter(
  histogram: DelayHistogram,
  every: (periodMs: number, run: () => void) => void,
): () => number {
  let before = 0;
  const current = () => Math.max(0, histogram.max / 1e6 - RESOLUTION_MS);
  every(PERIOD_MS, () => {
    before = current();
    histogram.reset();
  });
  return () => Math.max(before, current());
}

let ofProcess: (() => number) | null = null;

/**
 * The one meter of this process. Node measures outside of JavaScript, so that watching costs next
 * to nothing; nothing here keeps the process alive.
 */
export function processLoopDelay(): number {
  if (ofProcess === null) {
    const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    histogram.enable();
    ofProcess = loopDelayMeter(
      histogram,
      (periodMs, run) => void setInterval(run, periodMs).unref(),
    );
  }
  return ofProcess();
}
