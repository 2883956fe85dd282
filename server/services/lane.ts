/** Runs one task after the other, in the order asked for. A task that fails does not stop the next. */
export type Lane = <T>(task: () => Promise<T>) => Promise<T>;

export function createLane(): Lane {
  let last: Promise<unknown> = Promise.resolve();
  return async (task) => {
    const before = last;
    const run = (async () => {
      await before.catch(() => undefined);
      return task();
    })();
    last = run;
    return run;
  };
}
