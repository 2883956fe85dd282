import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it, vi } from 'vitest';
import { CircuitBreaker, currentProbe, GuardedBreaker } from '@/lib/agent';
import { R } from '@/tests/breaker/support';
import { FakeClock } from '@/tests/support/fake-clock';

function guard(name: string) {
  const clock = new FakeClock(1_000);
  const circuit = new CircuitBreaker(name, {
    ...R,
    clock: clock.now,
    timer: clock,
    random: () => 0.5,
  });
  const breaker = new GuardedBreaker(name, `${name}-api`, circuit);
  /** Every arrival of the first step is let in by the progress rule, while nothing is in flight. */
  const halfOpen = () => {
    for (let i = 0; i < 4; i++) {
      const permit = breaker.tryAcquire();
      if (permit.granted) permit.failure('server_error');
    }
    clock.advance(10_000);
    expect(breaker.state).toBe('half_open');
    return breaker;
  };
  return { clock, breaker, halfOpen };
}

const later = () => new Promise<void>((resolve) => setImmediate(resolve));
const nothing = (): void => undefined;
const never = () => new Promise<never>(() => undefined);

describe('currentProbe', () => {
  it('tells the breaker and the step inside a probe, across turns, and nothing outside', async () => {
    const breaker = guard('stock').halfOpen();
    expect(currentProbe()).toBeUndefined();
    const seen = await breaker.run(async ({ probe }) => {
      const first = currentProbe();
      await later();
      return [probe, first, currentProbe()];
    });
    const mark = { probe: true, breaker: 'stock', step: 0 };
    expect(seen).toEqual([true, mark, mark]);
    expect(currentProbe()).toBeUndefined();
  });

  it('is undefined in an ordinary call, whose context says so too', async () => {
    const { breaker } = guard('stock');
    expect(await breaker.run(({ probe }) => [probe, currentProbe()])).toEqual([false, undefined]);
  });

  it('an ordinary call within a probe shadows it, a probe within a probe has its own', async () => {
    const outer = guard('outer').halfOpen();
    const inner = guard('inner').halfOpen();
    const { breaker: ordinary } = guard('ordinary');
    const seen = await outer.run(async () => [
      await ordinary.run(async () => {
        await later();
        return currentProbe();
      }),
      (await inner.run(async () => currentProbe()))?.breaker,
      currentProbe()?.breaker,
    ]);
    expect(seen).toEqual([undefined, 'inner', 'outer']);
  });

  it('a probe within an ordinary call within a probe is marked again', async () => {
    const outer = guard('outer').halfOpen();
    const { breaker: ordinary } = guard('ordinary');
    const inner = guard('inner').halfOpen();
    const seen = await outer.run(() =>
      ordinary.run(() => inner.run(() => currentProbe()?.breaker)),
    );
    expect(seen).toBe('inner');
  });

  it('work that outlives its probe is not marked, not even when another probe begins', async () => {
    const first = guard('first').halfOpen();
    const second = guard('second').halfOpen();
    const seen: unknown[] = [];
    let goOn = nothing;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let detached: Promise<void> = Promise.resolve();
    await first.run(async () => {
      detached = gate.then(() => void seen.push(currentProbe()));
      seen.push(currentProbe()?.breaker);
    });
    await second.run(async () => {
      goOn();
      await detached;
      seen.push(currentProbe()?.breaker);
    });
    expect(seen).toEqual(['first', undefined, 'second']);
  });

  it('ends with the call when the call runs into its timeout', async () => {
    const { clock, halfOpen } = guard('stock');
    const breaker = halfOpen();
    let look: () => unknown = nothing;
    const call = breaker.run(() => {
      look = AsyncLocalStorage.bind(currentProbe);
      return never();
    });
    expect(look()).toMatchObject({ breaker: 'stock' });
    clock.advance(30_000);
    await expect(call).rejects.toThrow('stopped waiting');
    expect(look()).toBeUndefined();
  });

  it('a refused call opens no context', async () => {
    const { breaker, clock, halfOpen } = guard('stock');
    halfOpen();
    const probe = breaker.run(never);
    await expect(
      breaker.run(() => currentProbe(), { fallback: () => currentProbe() }),
    ).resolves.toBeUndefined();
    clock.advance(30_000);
    await expect(probe).rejects.toThrow('stopped waiting');
  });

  it('the storage is touched by no call while there is no probe, and let go after the last', async () => {
    const run = vi.spyOn(AsyncLocalStorage.prototype, 'run');
    const read = vi.spyOn(AsyncLocalStorage.prototype, 'getStore');
    const disable = vi.spyOn(AsyncLocalStorage.prototype, 'disable');
    try {
      const { breaker, halfOpen } = guard('stock');
      await breaker.run(() => currentProbe());
      expect([run, read, disable].map((spy) => spy.mock.calls.length)).toEqual([0, 0, 0]);
      halfOpen();
      await breaker.run(() => 1);
      expect(disable).toHaveBeenCalledTimes(1);
    } finally {
      vi.restoreAllMocks();
    }
  });
});
