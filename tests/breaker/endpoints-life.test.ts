import { describe, expect, it } from 'vitest';
import { BreakerOptionError, CircuitBreaker, classifyError, EndpointSet } from '@/lib/breaker';
import type { EndpointPermit, EndpointSetOptions } from '@/lib/breaker';
import type { Answer } from './endpoints-support';
import { endpoints, granted, quick, refused } from './endpoints-support';
import { generator } from './player';

const fleet = ['a', 'b', 'c', 'd', 'e'];
/** No breaker trips by itself, so that only the comparison can eject. */
const patient: NonNullable<EndpointSetOptions['breaker']> = {
  ...quick,
  trip: [{ kind: 'ratio', rate: 0.99, minimumCalls: 1_000 }],
  open: { kind: 'exponential', baseMs: 10_000, maxMs: 60_000, jitter: 0 },
};

/** Answers badly with the endpoint's own probability, by a generator of its own. */
function failing(rates: Record<string, number>, seed = 1): (permit: EndpointPermit) => Answer {
  const random = generator(seed);
  return ({ endpoint }) => (random() < (rates[endpoint] ?? 0) ? 'bad' : 'good');
}

/** Traffic at 100 calls a second for so many seconds. */
function traffic(
  s: ReturnType<typeof endpoints>,
  seconds: number,
  answer: (permit: EndpointPermit) => Answer,
): void {
  for (let i = 0; i < seconds * 10; i++) {
    s.adv(100);
    s.arrivals(10, answer);
  }
}

describe('comparison with the others', () => {
  const outlier = {};

  it('[E9] an endpoint much worse than its peers is ejected below any threshold of its own', () => {
    const s = endpoints(fleet, { breaker: patient, outlier });
    traffic(s, 10, failing({ c: 0.4 }));
    expect(s.events[0]).toMatchObject({ type: 'ejected', endpoint: 'c', reason: 'outlier' });
    expect(s.set.status().counters).toMatchObject({ ejections: 1, outliers: 1, overflow: 0 });
  });

  it.each([0.2, 0.4, 0.6])('[E9] when all fail alike, at %d, nobody is an outlier', (rate) => {
    for (let seed = 1; seed <= 10; seed++) {
      const s = endpoints(fleet, { breaker: patient, outlier });
      const same = Object.fromEntries(fleet.map((name) => [name, rate]));
      traffic(s, 30, failing(same, seed));
      expect(s.set.status().counters).toMatchObject({ ejections: 0, outliers: 0, overflow: 0 });
    }
  });

  it('[E9] too few calls, too few peers or too small a gap decide nothing', () => {
    const few = endpoints(fleet, { breaker: patient, outlier: { minimumCalls: 10_000 } });
    traffic(few, 10, failing({ c: 0.4 }));
    const pair = endpoints(['a', 'b'], { breaker: patient, outlier });
    traffic(pair, 10, failing({ a: 0.4 }));
    const small = endpoints(fleet, { breaker: patient, outlier: { minimumGap: 0.5 } });
    traffic(small, 10, failing({ c: 0.4 }));
    for (const s of [few, pair, small]) expect(s.types()).toEqual([]);
  });

  it('[E9] a wide spread among the peers excuses more', () => {
    const rates = { a: 0, b: 0.1, c: 0.4, d: 0.2, e: 0.3 };
    const wide = endpoints(fleet, { breaker: patient, outlier });
    traffic(wide, 20, failing(rates));
    const narrow = endpoints(fleet, { breaker: patient, outlier: { deviations: 0 } });
    traffic(narrow, 20, failing(rates));
    expect(wide.types()).toEqual([]);
    expect(narrow.types()).toContain('ejected c');
  });

  it('[E9] what is cancelled, ignored or refused locally is no failure of an endpoint', () => {
    const s = endpoints(fleet, { breaker: patient, outlier });
    for (let i = 0; i < 1_000; i++) {
      s.adv(10);
      const permit = granted(s.set.pick());
      if (permit.endpoint !== 'c') permit.success();
      else if (i % 3 === 0) permit.cancel();
      else if (i % 3 === 1) permit.ignore();
      else permit.failure('rejected_local');
    }
    expect(s.types()).toEqual([]);
  });

  it('[E10] it never ejects more than may be missing; what it would have is counted', () => {
    const s = endpoints(fleet, { breaker: patient, outlier, maxEjectedShare: 0.4 });
    s.trip();
    s.set.breaker('a')?.override('forced_open', { reason: 'maintenance', actor: 'ann' });
    s.set.breaker('b')?.override('forced_open', { reason: 'maintenance', actor: 'ann' });
    traffic(s, 10, failing({ c: 0.5 }));
    expect(s.phases()).toContain('c:in');
    expect(s.set.panic).toBe(false);
    expect(s.set.status().counters.outliers).toBe(0);
    expect(s.set.status().counters.overflow).toBeGreaterThan(0);
  });

  it('[E11] a relapse waits longer; time in service makes it forget', () => {
    const s = endpoints(fleet, { breaker: patient, outlier });
    const waits: number[] = [];
    const sick = failing({ c: 0.5 });
    s.set.breaker('c')?.on((event) => {
      if (event.type === 'opened') waits.push(event.data.openTimeoutMs ?? 0);
    });
    const untilEjected = () => {
      for (let i = 0; i < 60 && s.set.breaker('c')?.state === 'closed'; i++) traffic(s, 1, sick);
    };
    const untilBack = () => {
      for (let i = 0; i < 60 && s.set.breaker('c')?.state !== 'closed'; i++)
        traffic(s, 1, failing({}));
    };
    for (let round = 0; round < 2; round++) {
      untilEjected();
      untilBack();
    }
    traffic(s, 200, failing({}));
    untilEjected();
    expect(waits).toEqual([10_000, 20_000, 10_000]);
  });

  it('[E9] one that came back is judged by what it does now', () => {
    const s = endpoints(fleet, {
      breaker: { ...patient, open: { kind: 'fixed', baseMs: 100, jitter: 0 } },
      outlier: { windowMs: 20_000 },
    });
    const sick = failing({ c: 0.5 });
    for (let i = 0; i < 60 && s.types().length === 0; i++) traffic(s, 1, sick);
    for (let i = 0; i < 60 && s.set.breaker('c')?.state !== 'closed'; i++)
      traffic(s, 1, failing({}));
    traffic(s, 60, failing({}));
    expect(s.types().filter((type) => type === 'ejected c')).toHaveLength(1);
  });

  it('[E9] an endpoint in shadow mode is never ejected', () => {
    const s = endpoints(fleet, { breaker: { ...patient, mode: 'shadow' }, outlier });
    traffic(s, 10, failing({ c: 0.9 }));
    expect(s.types()).toEqual([]);
    expect(s.set.status().counters.outliers).toBe(0);
  });
});

describe('run', () => {
  it('[E14] calls the endpoint, hands it a signal and settles', async () => {
    const s = endpoints(['a', 'b']);
    const names = await Promise.all(
      Array.from({ length: 4 }, () =>
        s.set.run((endpoint, { signal, probe }) =>
          Promise.resolve(`${endpoint} ${signal.aborted} ${probe}`),
        ),
      ),
    );
    expect([...names].sort()).toEqual([
      'a false false',
      'a false false',
      'b false false',
      'b false false',
    ]);
    expect(s.set.status().endpoints.map(({ inFlight }) => inFlight)).toEqual([0, 0]);
  });

  it('[E14] failures count at the endpoint that made them, thrown at once or later', async () => {
    const s = endpoints(['a', 'b']);
    const outcomes = Array.from({ length: 6 }, (_, i) =>
      s.set.run((endpoint) => {
        const error = new Error(endpoint);
        if (endpoint === 'b') return 'fine';
        if (i % 4 === 0) throw error;
        return Promise.reject(error);
      }),
    );
    const settled = await Promise.allSettled(outcomes);
    expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(3);
    expect(s.phases()).toBe('a:out b:in');
  });

  it('[E14] a call that outlives its time is a timeout, and is told', async () => {
    const s = endpoints(['a']);
    const seen: boolean[] = [];
    const call = s.set.run(
      (_, { signal }) =>
        new Promise<never>(() => signal.addEventListener('abort', () => seen.push(signal.aborted))),
      { timeoutMs: 50 },
    );
    s.adv(50);
    await expect(call).rejects.toMatchObject({ code: 'CALL_TIMEOUT' });
    expect(seen).toEqual([true]);
    expect(s.set.breaker('a')?.status().counters.settled.timeout).toBe(1);
    expect(s.clock.pending).toBe(0);
  });

  it('[E14] a call that the caller gives up is cancelled, before or after it began', async () => {
    const s = endpoints(['a']);
    const controller = new AbortController();
    const call = s.set.run(() => new Promise<never>(() => undefined), {
      signal: controller.signal,
      fallback: () => {
        throw new Error('not for these');
      },
    });
    controller.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    await expect(s.set.run(() => 1, { signal: controller.signal })).rejects.toThrow('gone');
    expect(s.set.breaker('a')?.status()).toMatchObject({
      inFlight: 0,
      counters: { admitted: 1, settled: { cancelled: 1 } },
    });
  });

  it('[E14] without an endpoint it throws a typed error, which other breakers do not count', async () => {
    const s = endpoints(['a']);
    s.trip('a');
    const error = await s.set.run(() => 1).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'ENDPOINTS_UNAVAILABLE',
      set: 'inventory',
      reason: 'panic',
      panic: true,
      retryAfterMs: 10_000,
    });
    expect(classifyError(error)).toBe('rejected_local');
    await expect(s.set.run(() => 1, { fallback: () => 2 })).resolves.toBe(2);
  });

  it('[E14] the own filters of the breaker options judge what is thrown', async () => {
    const s = endpoints(['a'], {
      breaker: {
        ...quick,
        ignore: (error) => error === 'not found',
        classify: (error) => (error === 'full' ? 'overload' : undefined),
      },
    });
    await expect(s.set.run(() => Promise.reject('not found'))).rejects.toBe('not found');
    await expect(
      s.set.run(() => Promise.reject('full'), { fallback: () => 'from the cache' }),
    ).resolves.toBe('from the cache');
    const { settled } = s.set.breaker('a')?.status().counters ?? {};
    expect(settled).toMatchObject({ ignored: 1, overload: 1, server_error: 0 });
  });

  it('[E14] [E16] bad arguments are refused by name and take no permit', async () => {
    const s = endpoints(['a']);
    const call = (...given: readonly unknown[]): Promise<unknown> =>
      Reflect.apply(Reflect.get(s.set, 'run'), s.set, given);
    await expect(call(7)).rejects.toThrow(/"work".*accepts a function/);
    await expect(call(() => 1, { timeoutMs: -1 })).rejects.toThrow(/"timeoutMs"/);
    await expect(call(() => 1, { exclude: 'abc' })).rejects.toThrow(/"exclude".*a list of names/);
    expect(() => Reflect.apply(Reflect.get(s.set, 'on'), s.set, [7])).toThrow(/"listener"/);
    expect(s.set.status().counters.picked).toBe(0);
  });

  it('[E14] a permit that the call has settled itself stays settled that way', async () => {
    const s = endpoints(['a']);
    await s.set.run((_, { permit }) => void permit.failure('server_error'));
    expect(s.set.breaker('a')?.status().counters.settled).toMatchObject({
      server_error: 1,
      success: 0,
    });
  });
});

describe('the set itself', () => {
  it('[E15] endpoints come and go while calls are under way', () => {
    const s = endpoints(['a', 'b']);
    const first = granted(s.set.pick({ exclude: ['a'] }));
    expect(s.set.remove('b')).toBe(true);
    expect(s.set.remove('b')).toBe(false);
    expect(s.set.breaker('b')).toBeUndefined();
    expect(first.success()).toBe('late');
    s.set.add('c');
    expect(s.arrivals(10)).toEqual({ a: 5, c: 5 });
    expect(s.types()).toEqual(['removed b', 'added c']);
    expect(() => s.set.add('c')).toThrow(/each name once/);
    expect(s.set.endpoints).toEqual(['a', 'c']);
  });

  it('[E15] a name that comes back starts afresh', () => {
    const s = endpoints(['a', 'b']);
    s.trip('b');
    s.set.remove('b');
    s.set.add('b');
    expect(s.phases()).toBe('a:in b:in');
  });

  it('[E6] listeners may use the set, and one that throws is reported', () => {
    const s = endpoints(['a', 'b']);
    const seen: string[] = [];
    s.set.on(() => {
      throw new Error('listener');
    });
    const stop = s.set.on(({ type, endpoint }) => {
      seen.push(`${type} ${endpoint}`);
      if (type === 'ejected' && endpoint === 'a') s.set.remove('a');
    });
    s.trip('a');
    expect(seen).toEqual(['ejected a', 'removed a']);
    expect(s.problems).toHaveLength(2);
    stop();
    s.trip('b');
    expect(seen).toHaveLength(2);
    expect(s.events.map(({ seq }) => seq)).toEqual(s.events.map((_, i) => i + 1));
  });

  it('[E17] after dispose nothing is picked, nothing is alarmed and late answers are safe', () => {
    const s = endpoints(['a', 'b']);
    const permit = granted(s.set.pick());
    s.set.dispose();
    s.set.dispose();
    expect(refused(s.set.pick()).reason).toBe('disposed');
    expect(permit.success()).toBe('late');
    s.set.add('c');
    expect(s.set.endpoints).toEqual([]);
    expect(s.types()).toEqual(['disposed']);
    expect(s.clock.pending).toBe(0);
  });

  it('a breaker of an endpoint is named after both', () => {
    const s = endpoints(['a']);
    expect(s.set.breaker('a')).toBeInstanceOf(CircuitBreaker);
    expect(s.set.breaker('a')?.name).toBe('inventory/a');
  });
});

describe('options', () => {
  it.each<[string, unknown]>([
    ['endpoints', 'a'],
    ['endpoints', ['a', '']],
    ['endpoints', ['a', 'a']],
    ['endpoints', [7]],
    ['maxEjectedShare', 1.1],
    ['maxEjectedShare', Number.NaN],
    ['maxRecovering', 0],
    ['panic', 'maybe'],
    ['clock', 7],
    ['outlier.windowMs', { windowMs: 0 }],
    ['outlier.minimumCalls', { minimumCalls: 0 }],
    ['outlier.minimumEndpoints', { minimumEndpoints: 1 }],
    ['outlier.deviations', { deviations: -1 }],
    ['outlier.minimumGap', { minimumGap: 2 }],
    ['outlier.window', { window: 1 }],
    ['breaker.clock', { clock: () => 0 }],
    ['options.maxEjected', 2],
    ['open.baseMs', { open: { kind: 'fixed', baseMs: -1 } }],
  ])('[E16] %s: %j is refused by name', (option, value) => {
    const [first = '', second] = option.split('.');
    const key = first === 'options' ? (second ?? '') : first === 'open' ? 'breaker' : first;
    const make = () =>
      Reflect.construct(EndpointSet, ['inventory', { endpoints: ['a'], [key]: value }]);
    expect(make).toThrow(BreakerOptionError);
    expect(make).toThrow(new RegExp(`"${option.replace('.', '\\.')}".*accepts`));
  });

  it('[E16] [I33] zero is a value', () => {
    const s = endpoints(['a', 'b', 'c'], {
      maxEjectedShare: 0,
      outlier: { deviations: 0, minimumGap: 0 },
    });
    expect(s.set.status().maxEjected).toBe(0);
    s.trip('a');
    expect(s.set.panic).toBe(true);
    expect(s.arrivals(300)).toEqual({ b: 100, c: 100, '': 100 });
  });
});
