export type Timer = { cancel(): void };

/** Injected so that tests move time themselves. */
export type Clock = { now(): number; after(ms: number, run: () => void): Timer };

export const browserClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const handle = setTimeout(run, ms);
    return { cancel: () => clearTimeout(handle) };
  },
};
