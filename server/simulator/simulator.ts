/**
 * The built-in simulator: a small pretend fleet with real breakers and real agents in this process,
 * which speak to the agent gateway like any other. The services hear of it only what it reports.
 */
import type { AgentTime } from '@/lib/agent/ports';
import { systemTime } from '@/lib/agent/time';
import { SIMULATED_ENVIRONMENT } from '@/lib/protocol/simulated';
import type { AgentToken } from '../gateways/agent/deps';
import type { SocketPort } from '../gateways/socket';
import { SIMULATOR_TOKEN_ID, type SimulatedFleet } from '../services/simulator/contract';
import { CAST } from './cast';
import { startInstance, type RunningInstance } from './instance';
import { memoryDial } from './wire';

/** A demonstration that somebody forgot must not fill the disk. */
const RUNS_FOR_MS = 60 * 60_000;

/** Resolves when the connection is over and what came over it is stored. */
type Accept = (socket: SocketPort, token: AgentToken) => Promise<void>;

type Environment = {
  readonly time: AgentTime;
  readonly random: () => number;
  readonly runsForMs: number;
};

export type Simulator = SimulatedFleet & {
  /** Where its agents connect; without it nothing can be started. */
  attach(accept: Accept): void;
};

function tokenFor(now: number, expiresAt: number): AgentToken {
  return {
    id: SIMULATOR_TOKEN_ID,
    name: 'Built-in simulator',
    servicePattern: 'sim-*',
    environment: SIMULATED_ENVIRONMENT,
    abilities: ['publish', 'obey'],
    hint: '',
    createdAt: now,
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
  };
}

type Run = {
  readonly endsAt: number;
  readonly instances: readonly RunningInstance[];
  readonly connections: Set<Promise<void>>;
  readonly cancel: () => void;
};

async function end({ cancel, instances, connections }: Run): Promise<void> {
  cancel();
  await Promise.all(instances.map((one) => one.stop()));
  await Promise.all(connections);
}

/** Tests give it clocks of their own. */
export function createSimulator({
  time = systemTime,
  random = Math.random,
  runsForMs = RUNS_FOR_MS,
}: Partial<Environment> = {}): Simulator {
  let accept: Accept | null = null;
  let run: Run | null = null;
  let stopping = Promise.resolve();

  async function stop(): Promise<void> {
    const ending = run;
    run = null;
    if (ending !== null) {
      stopping = end(ending);
    }
    await stopping;
  }

  function start(): void {
    if (accept === null || run !== null) return;
    const into = accept;
    const endsAt = time.wall() + runsForMs;
    const token = tokenFor(time.wall(), endsAt);
    const connections = new Set<Promise<void>>();
    const dial = memoryDial((socket) => {
      const over: Promise<void> = into(socket, token).finally(() => connections.delete(over));
      connections.add(over);
    });
    run = {
      endsAt,
      connections,
      instances: CAST.map((one) => startInstance(one, { time, random, dial }, runsForMs)),
      cancel: time.after(runsForMs, () => void stop()),
    };
  }

  return {
    get isReady() {
      return accept !== null;
    },
    get endsAt() {
      return run?.endsAt ?? null;
    },
    attach: (to) => {
      accept = to;
    },
    start,
    stop,
  };
}
