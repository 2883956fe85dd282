import { expect } from 'vitest';
import { CircuitBreaker, guardFetch, GuardedBreaker } from '@/lib/agent';
import type { BreakerOptions, GuardFetchOptions, Settlement } from '@/lib/agent';
import { D } from '@/tests/breaker/support';
import { FakeClock } from '@/tests/support/fake-clock';

/** A guarded fetch on a fake clock. */
export function setup(options: GuardFetchOptions = {}, policy: BreakerOptions = D) {
  const clock = new FakeClock(1_000);
  const circuit = new CircuitBreaker('stock', { ...policy, clock: clock.now, timer: clock });
  const settled: Settlement[] = [];
  circuit.onSettle((settlement) => settled.push(settlement));
  const breaker = new GuardedBreaker('stock', 'stock-api', circuit);
  const call = guardFetch(breaker, fetch, options);
  const trip = () => {
    for (let i = 0; i < 4; i++) {
      const permit = breaker.tryAcquire();
      if (permit.granted) permit.failure('server_error');
    }
    settled.length = 0;
  };
  return {
    clock,
    circuit,
    breaker,
    call,
    settled,
    outcomes: () => settled.map(({ outcome }) => outcome),
    trip,
    halfOpen: () => {
      trip();
      clock.advance(10_000);
    },
  };
}

/** Lets go of the turn often enough for a connection's news to come through. */
export async function until(done: () => boolean): Promise<void> {
  for (let i = 0; i < 10_000 && !done(); i++) await new Promise((resolve) => setImmediate(resolve));
  expect(done()).toBe(true);
}
