/**
 * Sends the wanted set whenever it changed, one at a time and always the newest, so that an older
 * set can never overtake a newer one.
 */
export type DesiredPump = { wake(): void; stop(): void };

export function createDesiredPump(
  send: () => Promise<void>,
  failed: (thrown: unknown) => void,
): DesiredPump {
  const state = { wanted: false, running: false, stopped: false };

  async function run(): Promise<void> {
    state.running = true;
    try {
      while (state.wanted && !state.stopped) {
        state.wanted = false;
        // oxlint-disable-next-line no-await-in-loop -- one at a time is the point
        await send();
      }
    } catch (thrown) {
      failed(thrown);
    } finally {
      state.running = false;
    }
  }

  return {
    wake() {
      state.wanted = true;
      if (!state.running && !state.stopped) void run();
    },
    stop() {
      state.stopped = true;
    },
  };
}
