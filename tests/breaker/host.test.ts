import { afterEach, describe, expect, it, vi } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';

/** Timers of the host as the breaker sees them: what was asked for, and a handle to look at. */
function hostTimers(handle: unknown) {
  const asked: { ms: number | undefined; fire: () => void }[] = [];
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((fire: () => void, ms?: number) => {
    asked.push({ ms, fire });
    return handle;
  }) as never);
  const cleared = vi.spyOn(globalThis, 'clearTimeout').mockImplementation(() => undefined);
  return { asked, cleared };
}

const hang = () => new Promise<never>(() => undefined);

describe('[B1] what is not handed in comes from the host', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('a timer that does not keep the process alive', () => {
    const unref = vi.fn<() => void>();
    const { asked } = hostTimers({ unref });
    void new CircuitBreaker('x').run(hang, { timeoutMs: 70 });
    expect(asked.map(({ ms }) => ms)).toEqual([70]);
    expect(unref).toHaveBeenCalledTimes(1);
  });

  it.each([7, null, {}])('a timer whose handle is %j, as in other hosts', async (handle) => {
    const { asked, cleared } = hostTimers(handle);
    const breaker = new CircuitBreaker('x');
    const call = breaker.run(hang, { timeoutMs: 70 });
    asked[0]?.fire();
    await expect(call).rejects.toMatchObject({ timeoutMs: 70 });
    expect(breaker.status().counters.settled.timeout).toBe(1);
    cleared.mockClear();
    await breaker.run(async () => 1, { timeoutMs: 90 });
    expect(cleared.mock.calls).toEqual([[handle]]);
  });

  it('the clocks', () => {
    vi.spyOn(performance, 'now').mockReturnValue(5_000);
    vi.spyOn(Date, 'now').mockReturnValue(1_700_000_000_000);
    const breaker = new CircuitBreaker('x', { trip: [{ kind: 'consecutive', failures: 1 }] });
    const stamps: number[] = [];
    breaker.on(({ monoMs, wallMs }) => stamps.push(monoMs, wallMs));
    const permit = breaker.tryAcquire();
    if (permit.granted) permit.failure('server_error');
    expect(breaker.status()).toMatchObject({ openedAt: 5_000 });
    expect(stamps).toEqual([5_000, 1_700_000_000_000]);
  });

  it('[B81] a last place for problems', () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const breaker = new CircuitBreaker('x');
    const problem = new Error('listener');
    breaker.on(() => {
      throw problem;
    });
    breaker.reset();
    expect(told.mock.calls).toEqual([[problem]]);
  });
});
