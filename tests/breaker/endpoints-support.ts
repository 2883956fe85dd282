import { EndpointSet } from '@/lib/breaker';
import type {
  BreakerOptions,
  EndpointEvent,
  EndpointPermit,
  EndpointRejection,
  EndpointSetOptions,
  PickOptions,
} from '@/lib/breaker';
import { FakeClock } from '@/tests/support/fake-clock';

/** Trips after three failures in a row, waits ten seconds, ramps 10, 50, 100 % by five answers each. */
export const quick: NonNullable<EndpointSetOptions['breaker']> = {
  trip: [{ kind: 'consecutive', failures: 3 }],
  open: { kind: 'fixed', baseMs: 10_000, jitter: 0 },
  recovery: {
    admission: { kind: 'ramp', steps: [0.1, 0.5, 1] },
    stepMs: 1_000,
    minimumSuccesses: 5,
    failureBudget: 'strict',
    maxInFlight: 100,
    minProbeIntervalMs: 1_000_000,
    latency: null,
    guardMs: 0,
  },
} satisfies BreakerOptions;

export type Answer = 'good' | 'bad';

/** A set on a fake clock, with the words in which its histories are told. */
export function endpoints(names: readonly string[], options: Partial<EndpointSetOptions> = {}) {
  const clock = new FakeClock(1_000);
  const problems: unknown[] = [];
  const set = new EndpointSet('inventory', {
    endpoints: names,
    breaker: quick,
    outlier: null,
    clock: clock.now,
    wallClock: () => 1_700_000_000_000 + clock.now(),
    random: () => 0,
    timer: clock,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  const events: EndpointEvent[] = [];
  set.on((event) => events.push(event));
  const phases = (): string => {
    const { endpoints: all } = set.status();
    return all.map(({ name, phase }) => `${name}:${phase}`).join(' ');
  };
  return {
    clock,
    set,
    events,
    problems,
    phases,
    adv: (ms: number) => clock.advance(ms),
    /** The picks of `n` arrivals, each answered at once. Refusals are under ''. */
    arrivals: (
      n: number,
      answer: (permit: EndpointPermit) => Answer = () => 'good',
      pick: PickOptions = {},
    ): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (let i = 0; i < n; i++) {
        const permit = set.pick(pick);
        const name = permit.granted ? permit.endpoint : '';
        counts[name] = (counts[name] ?? 0) + 1;
        if (!permit.granted) continue;
        if (answer(permit) === 'good') permit.success(1);
        else permit.failure('server_error', 1);
      }
      return counts;
    },
    /** Trips one endpoint by its own breaker. */
    trip: (...sick: readonly string[]) => {
      for (const name of sick) {
        for (let i = 0; i < 3; i++) {
          const permit = set.breaker(name)?.tryAcquire();
          if (permit?.granted === true) permit.failure('server_error', 1);
        }
      }
    },
    types: () => {
      set.tick();
      return events.map(({ type, endpoint }) => (endpoint === null ? type : `${type} ${endpoint}`));
    },
  };
}

export function granted(permit: EndpointPermit | EndpointRejection): EndpointPermit {
  if (!permit.granted) throw new Error(`refused: ${permit.reason}`);
  return permit;
}

export function refused(permit: EndpointPermit | EndpointRejection): EndpointRejection {
  if (permit.granted) throw new Error(`granted: ${permit.endpoint}`);
  return permit;
}
