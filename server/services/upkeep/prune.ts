import type { Core } from '../core';

const BATCH_ROWS = 2_000;
const PAUSE_MS = 50;
const DAY_MS = 86_400_000;
const DEFAULT_RETENTION_MS = 7 * DAY_MS;

/** Old samples and probes go in small batches with pauses, so that no commit waits long. */
export function createPrune(core: Core): { run(): Promise<void>; stop(): void } {
  const keepMs = core.sampleRetentionMs ?? DEFAULT_RETENTION_MS;
  let pause: { cancel(): void } | null = null;
  let running = false;
  async function batch(before: number): Promise<void> {
    const gone = await core.store.prune(before, BATCH_ROWS);
    if (gone.samples + gone.probes === 0 || !running) {
      running = false;
      return;
    }
    pause = core.clock.after(PAUSE_MS, () => {
      batch(before).catch(fail);
    });
  }
  function fail(error: unknown): void {
    running = false;
    core.log.error({ err: error }, 'old samples were not removed');
  }
  return {
    run: async () => {
      if (running) return;
      running = true;
      await batch(core.clock.wall() - keepMs).catch(fail);
    },
    stop: () => {
      running = false;
      pause?.cancel();
    },
  };
}
