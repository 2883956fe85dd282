import { onTestFinished } from 'vitest';
import { createAgentGateway } from '@/server/gateways/agent';
import { createSimulator } from '@/server/simulator/simulator';
import { openWorld, ServerClock, settle, type World, type WorldOptions } from '../services/support';
import { ManualTime } from '../agent/support/manual-time';

/** A console whose simulator runs on the same clock, over the real agent gateway. */
export async function openSimulated({
  runsForMs,
  ...options
}: WorldOptions & { readonly runsForMs?: number } = {}) {
  const clock = options.clock ?? new ServerClock();
  const time = new ManualTime();
  let seed = 0;
  const simulator = createSimulator({
    time,
    ...(runsForMs === undefined ? {} : { runsForMs }),
    random: () => {
      seed = (seed + 0.618_033_988_749) % 1;
      return seed;
    },
  });
  const world = await openWorld({ ...options, clock, simulated: simulator });
  let id = 0;
  const gateway = createAgentGateway({
    agents: world.services.agents,
    serverEpoch: world.services.feed.serverEpoch,
    bus: world.bus,
    clock,
    log: { debug: () => undefined, info: () => undefined, error: () => undefined },
    random: () => 0.5,
    newId: () => `id_${(id += 1)}`,
  });
  simulator.attach((socket, token) => gateway.accept(socket, token));

  /** Both clocks, a quarter of a second at a time, with turns for the frames between them. */
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 250) {
      time.advance(Math.min(250, left));
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      await settle();
      clock.fake.advance(Math.min(250, left));
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      await settle();
    }
  }

  async function during<T>(work: Promise<T>): Promise<T> {
    const state = { done: false };
    const finished = work.finally(() => {
      state.done = true;
    });
    finished.catch(() => undefined);
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    for (let turn = 0; turn < 40 && !state.done; turn++) await pass(250);
    return finished;
  }

  onTestFinished(async () => {
    await during(simulator.stop());
  });
  return { world, simulator, pass, during };
}

export function stateOf({ services }: World, name: string): string | undefined {
  const { breakers } = services.feed.snapshot(new Set(['fleet']));
  const row = breakers.find((one) => one.name === name);
  if (row === undefined) return undefined;
  const { live, stale } = row.instances;
  if (live === 0) return stale > 0 ? 'stale' : 'offline';
  return row.state;
}
