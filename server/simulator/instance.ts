import { Recloser } from '@/lib/agent';
import type { AgentTime, Dial, Wire } from '@/lib/agent/ports';
import { SIMULATED_ENVIRONMENT } from '@/lib/protocol/simulated';
import type { Answer, SimulatedBreaker, SimulatedInstance } from './cast';

const TICK_MS = 250;
/** Long enough for a few samples to be acknowledged. */
const REPORTS_FOR_MS = 6_000;
/** Silent for five minutes means offline: it is heard again before. */
const HEARD_AGAIN_MS = 285_000;

export type InstanceDeps = {
  readonly time: AgentTime;
  readonly random: () => number;
  readonly dial: Dial;
};

export type RunningInstance = { stop(): Promise<void> };

const QUIET = { info: () => undefined, error: () => undefined };

/** A dial whose newest connection can be cut. */
function cuttable(dial: Dial): { readonly dial: Dial; readonly cut: () => void } {
  let wire: Wire | null = null;
  return {
    dial: (events) => {
      wire = dial(events);
      return wire;
    },
    cut: () => wire?.terminate(),
  };
}

type Guarded = ReturnType<Recloser['breaker']>;

function call(breaker: Guarded, answer: Answer, ageMs: number, random: () => number): void {
  const permit = breaker.tryAcquire({ idempotent: true });
  if (!permit.granted) return;
  const { failure, latencyMs } = answer(ageMs, random);
  if (failure === undefined) permit.success(latencyMs);
  else permit.failure(failure, latencyMs);
}

function hold(breaker: Guarded, kind: NonNullable<SimulatedBreaker['held']>, forMs: number): void {
  breaker.circuit.override(kind, {
    actor: 'the simulator',
    reason: 'to show what it looks like',
    ...(kind === 'disabled' ? {} : { expiresInMs: forMs }),
  });
}

/** Calls at the rate of each breaker; what is left of a call waits for the next tick. */
function traffic(
  { time, random }: InstanceDeps,
  pairs: readonly { breaker: Guarded; script: SimulatedBreaker }[],
): () => void {
  const startedAt = time.mono();
  const owed = pairs.map(() => random());
  return time.every(TICK_MS, () => {
    const ageMs = time.mono() - startedAt;
    for (const [at, { breaker, script }] of pairs.entries()) {
      let calls = (owed[at] ?? 0) + (script.callsPerSecond * TICK_MS) / 1_000;
      for (; calls >= 1; calls--) call(breaker, script.answer, ageMs, random);
      owed[at] = calls;
    }
  });
}

/** One start of one process of the pretend fleet, with the agent that real services have. */
function startRun(script: SimulatedInstance, deps: InstanceDeps, holdMs: number) {
  const { dial, cut } = cuttable(deps.dial);
  const recloser = new Recloser(
    {
      service: script.service,
      environment: SIMULATED_ENVIRONMENT,
      instance: script.instance,
      host: 'simulator',
      version: 'simulated',
      // Neither is used: the connection is made within the process.
      url: 'ws://localhost',
      token: 'simulator',
      allowRemote: ['force_open', 'force_closed', 'reset'],
      logger: QUIET,
    },
    // No answer of a pretend target is late because this process is.
    { time: deps.time, random: deps.random, dial, loopDelay: () => 0 },
  );
  const pairs = script.breakers.map((one) => ({
    breaker: recloser.breaker(one.name, one.policy),
    script: one,
  }));
  for (const { breaker, script: one } of pairs) if (one.held) hold(breaker, one.held, holdMs);
  const stopTraffic = traffic(deps, pairs);
  return {
    cut,
    close: async () => {
      stopTraffic();
      await recloser.close();
      for (const { breaker } of pairs) breaker.circuit.dispose();
    },
  };
}

/** `holdMs`: for how long forced states are held. */
export function startInstance(
  script: SimulatedInstance,
  deps: InstanceDeps,
  holdMs: number,
): RunningInstance {
  const { time } = deps;
  let run = startRun(script, deps, holdMs);
  let closing = Promise.resolve();
  let cancel: (() => void) | null = null;
  const leave = (): void => {
    if (script.fate === 'silent') {
      run.cut();
      cancel = time.after(HEARD_AGAIN_MS, () => {
        run = startRun(script, deps, holdMs);
        cancel = time.after(REPORTS_FOR_MS, leave);
      });
    }
    closing = run.close();
  };
  if (script.fate !== 'stays') cancel = time.after(REPORTS_FOR_MS, leave);
  return {
    stop: async () => {
      cancel?.();
      await closing;
      await run.close();
    },
  };
}
