import { describe, expect, it } from 'vitest';
import { guardFetch } from '@/lib/agent';
import { bench, D } from '@/tests/breaker/support';

type Loose = (...given: readonly unknown[]) => Promise<unknown>;

/** A guarded fetch that notes what it was asked, and how the breaker took it. */
function guarded() {
  const b = bench(D);
  const asked: unknown[] = [];
  const fetchImpl = (input: unknown) => {
    asked.push(input);
    return typeof input === 'string' || input instanceof URL
      ? Promise.resolve(new Response('fine'))
      : Promise.reject(new TypeError('Failed to parse URL'));
  };
  const call = guardFetch(b.breaker, fetchImpl) as Loose;
  return { b, asked, call };
}

describe('guardFetch with what callers without types may give', () => {
  it.each([
    [null, null],
    [undefined, undefined],
    [{}, null],
    [null, {}],
  ])('an init of %o and options of %o are none', async (init, options) => {
    const { b, call } = guarded();
    await expect(call('http://localhost/', init, options)).resolves.toBeInstanceOf(Response);
    expect(b.status().counters.settled.success).toBe(1);
  });

  it.each([null, undefined, 7, {}, Symbol('x')])(
    'an input of %o is a rejection, never thrown, and no failure of the target',
    async (input) => {
      const { b, call } = guarded();
      const answer = call(input);
      await expect(answer).rejects.toBeInstanceOf(TypeError);
      expect(b.status()).toMatchObject({ state: 'closed', inFlight: 0 });
      expect(b.status().counters.settled.server_error).toBe(0);
    },
  );

  it.each([7, {}, 'brew'])('a method of %o takes a permit as a write', async (method) => {
    const { b, call } = guarded();
    const kinds: boolean[] = [];
    b.breaker.onSettle(({ idempotent }) => kinds.push(idempotent));
    await call('http://localhost/', { method });
    expect(kinds).toEqual([false]);
  });

  it.each([{ timeoutMs: -1 }, { timeoutMs: Number.NaN }, { timeoutMs: '5' }])(
    '[B105] %o is refused by name and takes no permit',
    async (options) => {
      const { b, call, asked } = guarded();
      await expect(call('http://localhost/', {}, options)).rejects.toThrow(/timeoutMs/);
      expect(asked).toEqual([]);
      expect(b.status().counters.admitted).toBe(0);
    },
  );

  it('[B105] a signal that is none is refused by name', async () => {
    const { b, call } = guarded();
    await expect(call('http://localhost/', { signal: 7 })).rejects.toThrow(/signal/);
    expect(b.status().counters.admitted).toBe(0);
  });
});
