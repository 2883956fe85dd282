import { describe, expect, it } from 'vitest';
import { EndpointSet } from '@/lib/breaker';
import { endpoints, granted, quick, refused } from './endpoints-support';

const by = { reason: 'maintenance', actor: 'ann' };
describe('what a set says of itself', () => {
  it('counts what it did, and tells where each endpoint stands', () => {
    const s = endpoints(['a', 'b', 'c', 'd'], {
      outlier: {},
    });
    s.trip('b');
    s.adv(5_000);
    s.trip('c');
    s.adv(5_000);
    const counts = s.arrivals(40);
    const { counters, endpoints: all, ...rest } = s.set.status();
    expect(rest).toEqual({
      name: 'inventory',
      panic: false,
      in: 2,
      recovering: 1,
      out: 1,
      maxEjected: 2,
      missingShare: 1.9 / 4,
    });
    expect(counters).toEqual({
      picked: 40,
      probes: counts['b'] ?? 0,
      panicPicks: 0,
      rejected: 0,
      ejections: 2,
      outliers: 0,
      overflow: 0,
    });
    expect(counts['b']).toBeGreaterThan(0);
    expect(all).toEqual([
      {
        name: 'a',
        phase: 'in',
        state: 'closed',
        share: 1,
        step: null,
        retryInMs: null,
        probed: false,
        inFlight: 0,
        calls: counts['a'],
        failures: 0,
      },
      {
        name: 'b',
        phase: 'recovering',
        state: 'half_open',
        share: 0.1,
        step: 0,
        retryInMs: null,
        probed: true,
        inFlight: 0,
        calls: 0,
        failures: 0,
      },
      {
        name: 'c',
        phase: 'out',
        state: 'open',
        share: 0,
        step: null,
        retryInMs: 5_000,
        probed: false,
        inFlight: 0,
        calls: 0,
        failures: 0,
      },
      {
        name: 'd',
        phase: 'in',
        state: 'closed',
        share: 1,
        step: null,
        retryInMs: null,
        probed: false,
        inFlight: 0,
        calls: counts['d'],
        failures: 0,
      },
    ]);
  });

  it('without comparison there are no figures of it', () => {
    const s = endpoints(['a']);
    s.arrivals(5);
    expect(s.set.status().endpoints[0]).toMatchObject({ calls: 0, failures: 0 });
  });

  it('[E5] empty, all is missing, and that is panic from the start', () => {
    const s = endpoints([]);
    expect(s.set.panic).toBe(true);
    expect(s.set.status()).toMatchObject({ missingShare: 1, in: 0, recovering: 0, out: 0 });
    expect(refused(s.set.pick())).toEqual({
      granted: false,
      reason: 'no_endpoints',
      panic: true,
      retryAfterMs: null,
    });
    expect(s.set.status().counters).toMatchObject({ picked: 0, rejected: 1 });
  });

  it('[E6] each event in full', () => {
    const s = endpoints(['a', 'b']);
    s.trip('a');
    s.trip('b');
    s.set.remove('b');
    s.set.add('c');
    s.set.dispose();
    expect(s.events).toEqual([
      {
        seq: 1,
        type: 'ejected',
        endpoint: 'a',
        reason: 'consecutive',
        endpoints: 2,
        out: 1,
        panic: false,
        monoMs: 1_000,
      },
      {
        seq: 2,
        type: 'ejected',
        endpoint: 'b',
        reason: 'consecutive',
        endpoints: 2,
        out: 2,
        panic: false,
        monoMs: 1_000,
      },
      {
        seq: 3,
        type: 'panic',
        endpoint: null,
        reason: 'capacity',
        endpoints: 2,
        out: 2,
        panic: true,
        monoMs: 1_000,
      },
      {
        seq: 4,
        type: 'removed',
        endpoint: 'b',
        reason: 'removed',
        endpoints: 1,
        out: 1,
        panic: true,
        monoMs: 1_000,
      },
      {
        seq: 5,
        type: 'added',
        endpoint: 'c',
        reason: 'added',
        endpoints: 2,
        out: 1,
        panic: true,
        monoMs: 1_000,
      },
      {
        seq: 6,
        type: 'panic_over',
        endpoint: null,
        reason: 'capacity',
        endpoints: 2,
        out: 1,
        panic: false,
        monoMs: 1_000,
      },
      {
        seq: 7,
        type: 'disposed',
        endpoint: null,
        reason: 'disposed',
        endpoints: 2,
        out: 1,
        panic: false,
        monoMs: 1_000,
      },
    ]);
  });

  it('[E6] what a listener causes queues behind, for every listener', () => {
    const clean = new EndpointSet('x', { endpoints: ['a', 'b'], clock: () => 0 });
    const seen: string[] = [];
    clean.on(({ type }) => {
      if (type === 'added') clean.remove('b');
    });
    clean.on(({ type }) => seen.push(type));
    clean.add('c');
    expect(seen).toEqual(['added', 'removed']);
  });

  it('[E6] an operator’s hand is told at once', () => {
    const s = endpoints(['a', 'b']);
    const handle = s.set.breaker('a')?.override('forced_open', by);
    expect(s.events).toMatchObject([{ type: 'ejected', endpoint: 'a', reason: 'maintenance' }]);
    expect(s.phases()).toBe('a:out b:in');
    handle?.release();
    expect(s.events.at(-1)).toMatchObject({ type: 'recovering', endpoint: 'a' });
    expect(s.set.status().counters.ejections).toBe(1);
  });

  it('[E1] what has become due happens in order, however late somebody looks', () => {
    const s = endpoints(['a', 'b', 'c', 'd', 'e'], { maxEjectedShare: 1 });
    for (const name of ['b', 'd', 'a']) {
      s.trip(name);
      s.adv(1_000);
    }
    s.trip('c', 'e');
    s.adv(60_000);
    s.set.tick();
    const told = s.events.filter(({ type }) => type === 'recovering');
    expect(told.map(({ endpoint, monoMs }) => [endpoint, monoMs])).toEqual([
      ['b', 11_000],
      ['d', 12_000],
      ['a', 13_000],
      ['c', 14_000],
      ['e', 14_000],
    ]);
  });

  it('[E1] looking is enough to let it happen', () => {
    const s = endpoints(['a', 'b']);
    s.trip('a');
    s.adv(10_000);
    s.set.tick();
    expect(s.events.at(-1)?.type).toBe('recovering');
  });
});

describe('picking', () => {
  it('[E2] one that is out is not even asked', () => {
    const s = endpoints(['a', 'b']);
    s.trip('a');
    s.arrivals(10);
    expect(s.set.breaker('a')?.status().counters.rejected.open).toBe(0);
  });

  it('[E2] [B44] a key decides at a sticky endpoint', () => {
    const sticky = { kind: 'sticky', steps: [0.5] } as const;
    const recovery = { ...quick.recovery, admission: sticky, minimumSuccesses: 1_000 };
    const s = endpoints(['a'], { breaker: { ...quick, recovery }, maxEjectedShare: 1 });
    s.trip('a');
    s.adv(10_000);
    // The first of all probes need not wait for its share.
    s.arrivals(1);
    const of = (key: string) => Object.keys(s.arrivals(6, undefined, { key }));
    const all = ['a', 'customer-7', '42', 'k1', 'k2', 'k3', 'k4', 'k5'].map(of);
    expect(new Set(all.map((names) => names.join()))).toEqual(new Set(['a', '']));
  });

  it('[E4] an override begins the way back anew', () => {
    const s = endpoints(['a', 'b', 'c'], { maxRecovering: 1, maxEjectedShare: 1 });
    s.trip('a');
    s.adv(1_000);
    s.trip('b');
    s.adv(10_000);
    const probed = () =>
      s.set
        .status()
        .endpoints.filter((e) => e.probed)
        .map(({ name }) => name);
    expect(probed()).toEqual(['a']);
    s.adv(500);
    s.set.breaker('a')?.override('forced_open', by).release();
    expect(s.phases()).toBe('a:recovering b:recovering c:in');
    expect(probed()).toEqual(['b']);
  });

  it('[E4] equal in all, they are taken together; a success puts one ahead, a cancelled call does not', () => {
    const s = endpoints(['a', 'b', 'c'], { maxRecovering: 1, maxEjectedShare: 1 });
    s.trip('a', 'b');
    s.adv(10_000);
    const probed = () =>
      s.set
        .status()
        .endpoints.filter((e) => e.probed)
        .map(({ name }) => name);
    expect(probed()).toEqual(['a', 'b']);
    const first = s.set.breaker('b')?.tryAcquire();
    if (first?.granted === true) first.cancel();
    expect(probed()).toEqual(['a', 'b']);
    for (let i = 0; i < 12; i++) {
      const probe = s.set.breaker('b')?.tryAcquire();
      if (probe?.granted === true) probe.success(1);
    }
    expect(probed()).toEqual(['b']);
  });

  it('[E7] one in service takes every fourth spare turn, to the call', () => {
    const s = endpoints(['a', 'b', 'c'], { maxEjectedShare: 0.34 });
    s.trip('a', 'b');
    expect(s.arrivals(12)).toEqual({ c: 6, '': 6 });
    expect(s.arrivals(12)).toEqual({ c: 6, '': 6 });
  });

  it('[E7] [E12] used all, the missing share what those in service may not take', () => {
    const s = endpoints(['a', 'b', 'c', 'd'], { panic: 'use_all' });
    s.trip('a', 'b', 'c');
    expect(s.arrivals(400)).toEqual({ a: 67, b: 67, c: 67, d: 199 });
    const without = s.arrivals(400, undefined, { exclude: ['a'] });
    expect(without['a']).toBeUndefined();
    expect(without['d']).toBeLessThanOrEqual(200);
    expect(s.set.status().counters).toMatchObject({ picked: 800, rejected: 0 });
  });

  it('[E13] the wait is that of those that may be used, out or recovering', () => {
    const s = endpoints(['a', 'b', 'c', 'd'], { maxEjectedShare: 0.25 });
    const under = granted(s.set.pick({ exclude: ['a', 'b', 'c'] }));
    s.trip('a');
    s.adv(4_000);
    s.trip('b', 'c');
    s.adv(1_000);
    const waits = (exclude?: readonly string[]) => {
      for (let i = 0; i < 20; i++) {
        const answer = s.set.pick(exclude === undefined ? {} : { exclude });
        if (!answer.granted) return answer.retryAfterMs;
      }
      return 'granted';
    };
    expect(waits()).toBe(5_000);
    expect(waits(['a'])).toBe(9_000);
    expect(waits(['a', 'b', 'c', 'd'])).toBeNull();
    under.cancel();
  });

  it('[E13] an endpoint in service says nothing of the wait', () => {
    const s = endpoints(['a', 'b', 'c', 'd'], { breaker: { ...quick, callTimeoutMs: 2_000 } });
    granted(s.set.pick({ exclude: ['a', 'b', 'c'] }));
    s.trip('a', 'b', 'c');
    s.adv(1_000);
    const answers = Array.from({ length: 8 }, () => s.set.pick());
    const waits = answers.flatMap((answer) => (answer.granted ? [] : [answer.retryAfterMs]));
    expect(new Set(waits)).toEqual(new Set([9_000]));
  });

  it('[E13] recovering, it is the interval of probes; forced open, nobody knows', () => {
    const s = endpoints(['a'], { maxEjectedShare: 1 });
    s.trip('a');
    s.adv(10_000);
    s.arrivals(1);
    expect(refused(s.set.pick()).retryAfterMs).toBe(1_000_000);
    s.set.breaker('a')?.override('forced_open', by);
    expect(refused(s.set.pick()).retryAfterMs).toBeNull();
  });
});
