import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerEvent, BreakerOptions, Permit, RecoveryOptions } from '@/lib/breaker';
import { FakeClock } from '@/tests/support/fake-clock';

/** One probe at a time, one success closes: the breaker most libraries have. */
export const classic: RecoveryOptions = {
  admission: { kind: 'fixed', calls: 1, periodMs: 1 },
  maxInFlight: 1,
  stepMs: 0,
  minimumSuccesses: 1,
  failureBudget: 'strict',
  latency: null,
  guardMs: 0,
};

export const D: BreakerOptions = {
  window: { kind: 'count', size: 10 },
  trip: [{ kind: 'ratio', rate: 0.5, minimumCalls: 4 }],
  open: { kind: 'fixed', baseMs: 10_000, jitter: 0 },
  recovery: classic,
  callTimeoutMs: 30_000,
  probeTimeoutFraction: 1,
};

export const R: BreakerOptions = {
  ...D,
  recovery: {
    admission: { kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] },
    stepMs: 5_000,
    minimumSuccesses: 5,
    failureBudget: 'strict',
    latency: null,
    guardMs: 0,
  },
};

export function withRecovery(base: BreakerOptions, recovery: RecoveryOptions): BreakerOptions {
  return { ...base, recovery: { ...base.recovery, ...recovery } };
}

/** A breaker on a fake clock, with the words in which schedules are written. */
export function bench(options: BreakerOptions = D, random = 0.5) {
  const clock = new FakeClock(1_000);
  const problems: unknown[] = [];
  let wallShift = 0;
  const breaker = new CircuitBreaker('inventory', {
    clock: clock.now,
    wallClock: () => 1_700_000_000_000 + clock.now() + wallShift,
    random: () => random,
    timer: clock,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  const events: BreakerEvent[] = [];
  breaker.on((event) => events.push(event));
  const tryAcq = (idempotent = true): Permit | null => {
    const permit = breaker.tryAcquire({ idempotent });
    return permit.granted ? permit : null;
  };
  const acq = (idempotent = true): Permit => {
    const permit = breaker.tryAcquire({ idempotent });
    if (!permit.granted) throw new Error(`refused: ${permit.reason}`);
    return permit;
  };
  return {
    clock,
    breaker,
    events,
    problems,
    acq,
    tryAcq,
    reason: (idempotent = true) => {
      const permit = breaker.tryAcquire({ idempotent });
      return permit.granted ? 'granted' : permit.reason;
    },
    trip: () => {
      for (let i = 0; i < 4; i++) acq().failure('server_error', 1);
    },
    adv: (ms: number) => clock.advance(ms),
    wall: (ms: number) => {
      wallShift += ms;
    },
    types: () => {
      breaker.tick();
      return events.map((event) => event.type);
    },
    of: (type: BreakerEvent['type']) => {
      breaker.tick();
      return events.filter((event) => event.type === type);
    },
    status: () => breaker.status(),
    /** Arrivals at a steady pace, each answered well at once; stops when the state is reached. */
    healthy: (until: string, everyMs: number, limit = 10_000) => {
      for (let i = 0; i < limit && breaker.state !== until; i++) {
        clock.advance(everyMs);
        const permit = breaker.tryAcquire();
        if (permit.granted) permit.success(1);
      }
    },
  };
}
