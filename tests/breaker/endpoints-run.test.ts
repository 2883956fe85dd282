import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CircuitBreaker, EndpointSet } from '@/lib/breaker';
import { endpoints, quick } from './endpoints-support';

const by = { reason: 'maintenance', actor: 'ann' };
const fallback = () => 'cached';

describe('[E14] run, in detail', () => {
  it('tells what was thrown at once as what was thrown later', async () => {
    const s = endpoints(['a']);
    const error = new Error('at once');
    const call = s.set.run(() => {
      throw error;
    });
    await expect(call).rejects.toBe(error);
    expect(s.set.breaker('a')?.status().counters.settled.server_error).toBe(1);
    expect(s.clock.pending).toBe(0);
  });

  it('without a timeout of its own ends with its permit', async () => {
    const s = endpoints(['a']);
    const call = s.set.run(() => new Promise<never>(() => undefined));
    let ended = false;
    const noted = call.catch(() => {
      ended = true;
    });
    expect(s.clock.pending).toBe(1);
    s.adv(29_999);
    await Promise.resolve();
    expect(ended).toBe(false);
    s.adv(1);
    await noted;
    await expect(call).rejects.toMatchObject({ code: 'CALL_TIMEOUT', timeoutMs: 30_000 });
    expect(s.clock.pending).toBe(0);
  });

  it('leaves nothing on the caller’s signal', async () => {
    const s = endpoints(['a']);
    const { signal } = new AbortController();
    await s.set.run(() => 1, { signal });
    await s.set.run(() => Promise.reject(new Error('no')), { signal }).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('an unlimited permit needs no timer', async () => {
    const s = endpoints(['a'], { breaker: { ...quick, onDisposed: 'pass' } });
    s.set.breaker('a')?.dispose();
    const answers: ((value: number) => void)[] = [];
    const call = s.set.run(() => new Promise<number>((resolve) => void answers.push(resolve)));
    expect(s.clock.pending).toBe(0);
    answers[0]?.(7);
    await expect(call).resolves.toBe(7);
  });

  it('the fallback answers for a full or closed-off target, named with or without a wait', async () => {
    const given = { kind: 'overload', retryAfterMs: 5_000 } as const;
    const s = endpoints(['a'], { breaker: { ...quick, classify: () => given } });
    await expect(s.set.run(() => Promise.reject(new Error('x')), { fallback })).resolves.toBe(
      'cached',
    );
    expect(s.set.breaker('a')?.status().counters.settled.overload).toBe(1);
    const inner = new CircuitBreaker('inner', { clock: () => 0 });
    inner.override('forced_open', by);
    const outer = endpoints(['a']);
    await expect(outer.set.run(() => inner.run(() => 'fresh'), { fallback })).resolves.toBe(
      'cached',
    );
    expect(outer.set.breaker('a')?.status().counters.settled.rejected_local).toBe(1);
  });

  it('known errors keep their class where nobody says otherwise', async () => {
    const refusedError = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    for (const more of [{}, { classify: () => undefined }, { ignore: () => false }]) {
      const s = endpoints(['a'], { breaker: { ...quick, ...more } });
      await s.set.run(() => Promise.reject(refusedError)).catch(() => undefined);
      expect(s.set.breaker('a')?.status().counters.settled.refused).toBe(1);
      expect(s.problems).toEqual([]);
    }
  });

  it('a filter that throws is reported, and the known classes hold', async () => {
    const bug = new Error('bug');
    const s = endpoints(['a'], {
      breaker: {
        ...quick,
        classify: () => {
          throw bug;
        },
      },
    });
    const error = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    await expect(s.set.run(() => Promise.reject(error))).rejects.toBe(error);
    expect(s.problems).toEqual([bug]);
    expect(s.set.breaker('a')?.status().counters.settled.refused).toBe(1);
  });

  it('what it throws without an endpoint reads well', async () => {
    const s = endpoints([]);
    await expect(s.set.run(() => 1)).rejects.toMatchObject({
      name: 'EndpointsUnavailableError',
      message: 'Endpoint set "inventory" has no endpoint for the call: no_endpoints',
    });
  });
});

const make = (options: object) =>
  Reflect.construct(EndpointSet, ['x', { endpoints: ['a'], ...options }]);

describe('[E16] options, in detail', () => {
  it.each<[object, RegExp]>([
    [{ timer: {} }, /"timer\.after"/],
    [{ breaker: null, endpoints: 'a' }, /"endpoints".*a list of names, which may be empty/],
    [{ endpoints: ['a', ''] }, /"endpoints".*names that are not empty/],
    [{ breaker: 7 }, /accepts an object/],
    [{ breaker: 'no' }, /accepts an object/],
    [{ breaker: { random: Math.random } }, /"breaker\.random".*give "random" to the set/],
    [{ outlier: { minimumEndpoints: 2.5 } }, /"outlier\.minimumEndpoints"/],
  ])('%j is refused with %s', (options, message) => {
    expect(() => make(options)).toThrow(message);
  });

  it('every option is taken', () => {
    const s = endpoints(['a', 'b', 'c'], {
      maxRecovering: 2,
      outlier: {
        windowMs: 1_000,
        minimumCalls: 5,
        minimumEndpoints: 2,
        deviations: 1,
        minimumGap: 0.2,
      },
    });
    const wall: number[] = [];
    s.set.breaker('a')?.on(({ wallMs }) => wall.push(wallMs));
    s.trip('a');
    expect(wall).toEqual([1_700_000_001_000]);
  });
});
