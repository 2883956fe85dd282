import type { Clock, Logger } from '../contract';

type Deps = { readonly clock: Clock; readonly log: Logger };

/** Runs a task again and again, never twice at once; a failure is logged and the next run comes. */
export function every(
  { clock, log }: Deps,
  ms: number,
  name: string,
  task: () => void | Promise<void>,
): { stop(): Promise<void> } {
  let stopped = false;
  let timer: { cancel(): void } | null = null;
  let running: Promise<void> = Promise.resolve();
  async function run(): Promise<void> {
    try {
      await task();
    } catch (error) {
      log.error({ err: error, task: name }, 'a recurring task failed');
    }
    arm();
  }
  function arm(): void {
    if (stopped) return;
    timer = clock.after(ms, () => {
      running = run();
    });
  }
  arm();
  return {
    stop: async () => {
      stopped = true;
      timer?.cancel();
      await running;
    },
  };
}
