import { describe, expect, it } from 'vitest';
import { endpoints, granted, quick, refused } from './endpoints-support';

describe('turns', () => {
  it('[E2] every endpoint in service gets the same number of calls', () => {
    const s = endpoints(['a', 'b', 'c', 'd']);
    expect(s.arrivals(400)).toEqual({ a: 100, b: 100, c: 100, d: 100 });
  });

  it('[E2] many clients do not all begin with the same endpoint', () => {
    const first = [0, 0.3, 0.6, 0.99].map((drawn) => {
      const s = endpoints(['a', 'b', 'c', 'd'], { random: () => drawn });
      return granted(s.set.pick()).endpoint;
    });
    expect(new Set(first).size).toBe(4);
  });

  it('[E2] [E3] a sick endpoint gets nothing while it is out; the others share its turns evenly', () => {
    const s = endpoints(['a', 'b', 'c', 'd']);
    s.trip('b');
    const { b, ...others } = s.arrivals(400);
    expect(b).toBeUndefined();
    expect(Object.values(others).sort((x, y) => x - y)).toEqual([133, 133, 134]);
  });

  it('[E2] recovering, it gets its share of a fair share, not a hard cut', () => {
    const s = endpoints(['a', 'b', 'c', 'd'], {
      breaker: { ...quick, recovery: { ...quick.recovery, minimumSuccesses: 1_000 } },
    });
    s.trip('b');
    s.adv(10_000);
    const { b = 0, ...others } = s.arrivals(4_000);
    expect(b).toBeGreaterThanOrEqual(100);
    expect(b).toBeLessThanOrEqual(101);
    for (const calls of Object.values(others)) expect(calls).toBeCloseTo(1_300, -1);
  });

  it('[E2] on its way back its calls follow the steps, and in the end it has its full turn again', () => {
    const s = endpoints(['a', 'b']);
    s.trip('b');
    s.adv(10_000);
    const shares: number[] = [];
    for (let step = 0; step < 3; step++) {
      shares.push((s.arrivals(200)['b'] ?? 0) / 100);
      s.adv(1_000);
      s.set.tick();
    }
    // The first of all probes need not wait for its share.
    expect(shares).toEqual([0.11, 0.5, 1]);
    expect(s.phases()).toBe('a:in b:in');
    expect(s.types()).toEqual(['ejected b', 'recovering b', 'returned b']);
    expect(s.arrivals(100)).toEqual({ a: 50, b: 50 });
  });

  it('a failed probe puts only that endpoint out again', () => {
    const s = endpoints(['a', 'b', 'c']);
    s.trip('b');
    s.adv(10_000);
    s.arrivals(100, ({ probe }) => (probe ? 'bad' : 'good'));
    expect(s.phases()).toBe('a:in b:out c:in');
    expect(s.set.panic).toBe(false);
  });

  it('writes do not go to an endpoint in its first steps', () => {
    const s = endpoints(['a', 'b']);
    s.trip('b');
    s.adv(10_000);
    expect(s.arrivals(100, undefined, { idempotent: false })).toEqual({ a: 100 });
    expect(s.arrivals(200, undefined, { idempotent: true })['b']).toBeGreaterThan(5);
  });
});

/** Two of four are back, `c` a step further than `b`; two are in service. */
function staggered(maxRecovering: number) {
  const s = endpoints(['a', 'b', 'c', 'd'], { maxRecovering, maxEjectedShare: 1 });
  s.trip('c');
  s.adv(1_000);
  s.trip('b');
  s.adv(9_000);
  s.arrivals(400);
  s.adv(1_000);
  s.set.tick();
  expect(s.phases()).toBe('a:in b:recovering c:recovering d:in');
  return s;
}

describe('whom to probe', () => {
  it('[E4] the endpoint that recovered first has its turns first', () => {
    const s = staggered(1);
    const counts = s.arrivals(400);
    expect(counts['b']).toBeUndefined();
    expect(counts['c']).toBe(50);
    const probed = s.set.status().endpoints.filter((endpoint) => endpoint.probed);
    expect(probed.map(({ name }) => name)).toEqual(['c']);
  });

  it('[E4] more at a time where that is allowed, each with its own share', () => {
    const counts = staggered(2).arrivals(400);
    expect(counts['b']).toBe(11);
    expect(counts['c']).toBe(50);
  });

  it('[E4] of two in the same step the one with more answers is ahead, then the earlier one', () => {
    const s = endpoints(['a', 'b', 'c'], { maxRecovering: 1, maxEjectedShare: 1 });
    s.trip('b');
    s.adv(500);
    s.trip('c');
    s.adv(9_500);
    s.adv(500);
    const probed = () =>
      s.set
        .status()
        .endpoints.filter((e) => e.probed)
        .map(({ name }) => name);
    expect(probed()).toEqual(['b']);
    const ahead = s.set.breaker('c');
    for (let i = 0; i < 10; i++) {
      const probe = ahead?.tryAcquire();
      if (probe?.granted === true) probe.success(1);
    }
    expect(probed()).toEqual(['c']);
  });

  it('[E4] when it is through, the next one has its turns', () => {
    const s = staggered(1);
    for (let i = 0; i < 2; i++) {
      s.arrivals(400);
      s.adv(1_000);
      s.set.tick();
    }
    expect(s.phases()).toBe('a:in b:recovering c:in d:in');
    expect(s.arrivals(400)['b']).toBe(11);
  });
});

describe('panic', () => {
  it('[case 102] [E5] [E6] three endpoints, three out: fail fast, one event', () => {
    const s = endpoints(['a', 'b', 'c']);
    s.trip('a', 'b', 'c');
    expect(s.set.panic).toBe(true);
    expect(s.arrivals(50)).toEqual({ '': 50 });
    expect(refused(s.set.pick())).toMatchObject({ reason: 'panic', panic: true });
    expect(s.types().filter((type) => type === 'panic')).toHaveLength(1);
  });

  it('[case 102] [E7] or all are used, where the set says so', () => {
    const s = endpoints(['a', 'b', 'c'], { panic: 'use_all' });
    s.trip('a', 'b', 'c');
    expect(s.arrivals(300)).toEqual({ a: 100, b: 100, c: 100 });
    expect(s.types().filter((type) => type === 'panic')).toHaveLength(1);
    expect(s.set.status().counters).toMatchObject({ panicPicks: 300, rejected: 0 });
  });

  it('[case 102] [E5] no endpoints at all is panic too, and has its own reason', () => {
    const s = endpoints(['a']);
    expect(s.set.panic).toBe(false);
    s.set.remove('a');
    expect(s.events.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
      'removed removed',
      'panic no_endpoints',
    ]);
    expect(refused(s.set.pick()).reason).toBe('no_endpoints');
    s.set.add('b');
    expect(s.types().at(-1)).toBe('panic_over');
    expect(granted(s.set.pick()).endpoint).toBe('b');
  });

  it.each([
    [0.5, 4, 2],
    [0.5, 3, 1],
    [0.29, 100, 29],
    [0.1, 3, 1],
    [0, 3, 0],
    [1, 3, 3],
  ])('[E5] a share of %d of %d endpoints: %d may be missing', (maxEjectedShare, total, cap) => {
    const names = Array.from({ length: total }, (_, i) => `e${i}`);
    const s = endpoints(names, { maxEjectedShare });
    expect(s.set.status().maxEjected).toBe(cap);
    s.trip(...names.slice(0, cap));
    expect(s.set.panic).toBe(cap === total);
    s.trip(...names.slice(0, cap + 1));
    expect(s.set.panic).toBe(true);
  });

  it('[E5] [E6] it lasts until enough is back, counted by the shares of those on their way', () => {
    const s = endpoints(['a', 'b', 'c', 'd']);
    s.trip('a', 'b', 'c');
    expect(s.set.status().missingShare).toBe(0.75);
    s.adv(10_000);
    expect(s.phases()).toBe('a:recovering b:recovering c:recovering d:in');
    expect(s.set.status().missingShare).toBeCloseTo(0.675, 6);
    expect(s.set.panic).toBe(true);
    for (let i = 0; i < 10 && s.set.panic; i++) {
      s.arrivals(400);
      s.adv(1_000);
    }
    expect(s.set.status().missingShare).toBeLessThanOrEqual(0.5);
    const edges = s.types().filter((type) => type.startsWith('panic'));
    expect(edges).toEqual(['panic', 'panic_over']);
  });

  it('[E5] an adaptive share that is cut counts at once', () => {
    const admission = { kind: 'adaptive', low: 0.5, high: 1, evalEveryMs: 100 } as const;
    const recovery = { ...quick.recovery, admission, failureBudget: 5, minimumSuccesses: 1_000 };
    const s = endpoints(['a', 'b'], { maxEjectedShare: 0, breaker: { ...quick, recovery } });
    s.trip('b');
    s.adv(10_000);
    for (let i = 0; i < 50 && s.set.breaker('b')?.share !== 1; i++) {
      s.adv(100);
      s.arrivals(4);
    }
    expect(s.set.panic).toBe(false);
    const probe = granted(s.set.pick());
    const other = granted(s.set.pick());
    (probe.probe ? probe : other).failure('server_error');
    expect(s.events.at(-1)?.type).toBe('panic');
    expect(s.phases()).toBe('a:in b:recovering');
  });

  it('[E7] those in service carry no more than with exactly the cap missing', () => {
    const s = endpoints(['a', 'b', 'c', 'd', 'e', 'f'], { panic: 'fail_fast' });
    s.trip('a', 'b', 'c');
    expect(s.arrivals(600)).toEqual({ d: 200, e: 200, f: 200 });
    s.trip('d');
    const counts = s.arrivals(600);
    expect(counts['e']).toBeGreaterThanOrEqual(198);
    expect(counts['e']).toBeLessThanOrEqual(200);
    expect(counts['f']).toBeLessThanOrEqual(200);
    expect(counts['']).toBeGreaterThanOrEqual(200);
  });

  it('[E8] a panic call counts at no breaker; an answer lets it try earlier, once', () => {
    const s = endpoints(['a'], { panic: 'use_all' });
    s.trip('a');
    const bad = granted(s.set.pick());
    expect(bad).toMatchObject({ endpoint: 'a', panic: true, probe: false });
    expect(bad.failure('server_error')).toBe('bypassed');
    expect(bad.success()).toBe('duplicate');
    expect(s.set.status().endpoints[0]).toMatchObject({ retryInMs: 10_000, inFlight: 0 });
    expect(granted(s.set.pick()).success()).toBe('bypassed');
    expect(s.set.status().endpoints[0]?.retryInMs).toBe(1_000);
    const late = granted(s.set.pick());
    s.adv(30_000);
    expect(late.success()).toBe('expired');
  });

  it('[E8] what an operator forced open stays out even then', () => {
    const s = endpoints(['a', 'b'], { panic: 'use_all' });
    s.set.breaker('a')?.override('forced_open', { reason: 'maintenance', actor: 'ann' });
    s.trip('b');
    expect(s.arrivals(10)).toEqual({ b: 10 });
    s.set.breaker('b')?.override('forced_open', { reason: 'maintenance', actor: 'ann' });
    expect(refused(s.set.pick()).reason).toBe('panic');
  });
});

describe('refusals', () => {
  it('[E12] excluded endpoints are not used, and the reason says so', () => {
    const s = endpoints(['a', 'b', 'c']);
    expect(s.arrivals(10, undefined, { exclude: ['a', 'c'] })).toEqual({ b: 10 });
    expect(refused(s.set.pick({ exclude: ['a', 'b', 'c'] }))).toMatchObject({
      reason: 'excluded',
      retryAfterMs: null,
    });
  });

  it('[E13] the wait is that of the endpoint that is back first', () => {
    const s = endpoints(['a', 'b']);
    s.trip('a');
    s.adv(4_000);
    s.trip('b');
    expect(refused(s.set.pick()).retryAfterMs).toBe(6_000);
    s.adv(1_500);
    expect(refused(s.set.pick()).retryAfterMs).toBe(4_500);
  });

  it('[E13] it is unavailable, not panic, while what is left recovers within the cap', () => {
    const s = endpoints(['a'], { maxEjectedShare: 1 });
    s.trip('a');
    s.adv(10_000);
    const reasons = Array.from({ length: 8 }, () => s.set.pick()).flatMap((permit) =>
      permit.granted ? [] : [permit.reason],
    );
    expect(new Set(reasons)).toEqual(new Set(['unavailable']));
  });
});
