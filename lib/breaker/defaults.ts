/* oxlint-disable no-restricted-globals, no-restricted-properties, no-console --
   The one place where the core meets its host: clock, timer, random numbers and a last resort
   for problems, each replaceable by an option. */
import type { Environment } from './environment';

// A getter of the global object is a fifth of a reading.
const host = performance;

export const defaultEnvironment: Environment = {
  clock: () => host.now(),
  wallClock: () => Date.now(),
  random: Math.random,
  timer: {
    after(ms, fn) {
      const handle: unknown = setTimeout(fn, ms);
      // In Node a pending timer would keep the process alive; browsers return a number.
      if (typeof handle === 'object' && handle !== null && 'unref' in handle) {
        (handle as { unref(): void }).unref();
      }
      return { cancel: () => clearTimeout(handle as Parameters<typeof clearTimeout>[0]) };
    },
  },
  onProblem: (problem) => console.error(problem),
};
