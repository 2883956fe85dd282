import { describe, expect, it } from 'vitest';
import type { EndpointSetOptions } from '@/lib/breaker';
import { endpoints, granted, quick } from './endpoints-support';

type Set_ = ReturnType<typeof endpoints>;
/** No breaker trips by itself. */
const patient: NonNullable<EndpointSetOptions['breaker']> = {
  ...quick,
  trip: [{ kind: 'ratio', rate: 1, minimumCalls: 100_000 }],
};

/** So many calls to one endpoint, the first ones failing. */
function calls(s: Set_, name: string, count: number, failing = 0): void {
  const exclude = s.set.endpoints.filter((other) => other !== name);
  for (let i = 0; i < count; i++) {
    const permit = granted(s.set.pick({ exclude }));
    if (i < failing) permit.failure('server_error', 1);
    else permit.success(1);
  }
}

/** The last call of `c` falls in the next tenth of the window, where it is looked at. */
const ejected = (
  peers: readonly (readonly [calls: number, failures: number])[],
  own: readonly [calls: number, failures: number],
  limits: NonNullable<EndpointSetOptions['outlier']> = {},
) => {
  const names = peers.map((_, i) => `p${i}`);
  const s = endpoints([...names, 'c'], {
    breaker: patient,
    outlier: { minimumCalls: own[0], ...limits },
  });
  for (const [i, [count, failures]] of peers.entries()) calls(s, `p${i}`, count, failures);
  calls(s, 'c', own[0] - 1, own[1]);
  expect(s.events).toEqual([]);
  s.adv(1_000);
  calls(s, 'c', 1);
  return s.events.map(({ endpoint, reason }) => `${endpoint} ${reason}`).join();
};

describe('[E9] the comparison, to the call', () => {
  it.each([
    {
      name: 'spread of the peers',
      peers: [
        [100, 0],
        [100, 20],
      ],
      own: [100, 42],
      out: true,
    },
    {
      name: 'just within it',
      peers: [
        [100, 0],
        [100, 20],
      ],
      own: [100, 41],
      out: false,
    },
    {
      name: 'chance of its own sample',
      peers: [
        [100, 40],
        [100, 40],
      ],
      own: [100, 55],
      out: true,
    },
    {
      name: 'just within it',
      peers: [
        [100, 40],
        [100, 40],
      ],
      own: [100, 54],
      out: false,
    },
    {
      name: 'the gap',
      peers: [
        [100, 0],
        [100, 0],
      ],
      own: [100, 11],
      out: true,
    },
    {
      name: 'just within it',
      peers: [
        [100, 0],
        [100, 0],
      ],
      own: [100, 10],
      out: false,
    },
  ] as const)('$name: $own of $peers is an outlier: $out', ({ peers, own, out }) => {
    expect(ejected(peers, own)).toBe(out ? 'c outlier' : '');
  });

  it('its own minimum and that of the peers, and peers without calls', () => {
    expect(
      ejected(
        [
          [10, 0],
          [10, 0],
        ],
        [10, 9],
      ),
    ).toBe('c outlier');
    expect(
      ejected(
        [
          [10, 0],
          [10, 0],
        ],
        [10, 9],
        { minimumCalls: 11 },
      ),
    ).toBe('');
    expect(
      ejected(
        [
          [10, 0],
          [9, 0],
        ],
        [10, 9],
      ),
    ).toBe('');
    expect(
      ejected(
        [
          [10, 0],
          [10, 0],
          [0, 0],
          [9, 9],
        ],
        [10, 9],
      ),
    ).toBe('c outlier');
    expect(
      ejected(
        [
          [10, 0],
          [10, 0],
        ],
        [10, 9],
        { minimumEndpoints: 4 },
      ),
    ).toBe('');
  });

  it('[E10] as many as may be missing are ejected, no more', () => {
    const s = endpoints(['a', 'b', 'c', 'd', 'e'], {
      breaker: patient,
      outlier: { minimumCalls: 10 },
      maxEjectedShare: 0.2,
    });
    for (const name of ['a', 'b', 'e']) calls(s, name, 10);
    for (const name of ['c', 'd']) calls(s, name, 9, name === 'c' ? 9 : 0);
    s.adv(1_000);
    calls(s, 'c', 1);
    expect(s.types()).toEqual(['ejected c']);
    calls(s, 'd', 9, 9);
    s.adv(1_000);
    calls(s, 'd', 10, 10);
    expect(s.types()).toEqual(['ejected c']);
    expect(s.set.status().counters).toMatchObject({ outliers: 1, overflow: 1, ejections: 1 });
  });

  it('what was learned goes out of the window tenth by tenth', () => {
    const s = endpoints(['a', 'b', 'c'], { breaker: patient, outlier: { windowMs: 10_000 } });
    const figures = () => {
      const { calls: all, failures } = s.set.status().endpoints[0] ?? {};
      return [all, failures];
    };
    for (let i = 1; i <= 12; i++) {
      calls(s, 'a', i, 1);
      s.adv(1_000);
    }
    expect(figures()).toEqual([4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12, 9]);
    s.adv(1_000);
    expect(figures()).toEqual([5 + 6 + 7 + 8 + 9 + 10 + 11 + 12, 8]);
    s.adv(7_999);
    expect(figures()).toEqual([12, 1]);
    s.adv(1);
    expect(figures()).toEqual([0, 0]);
  });

  it('somebody who looks changes nothing', () => {
    const s = endpoints(['a', 'b', 'c'], { breaker: patient, outlier: { minimumCalls: 10 } });
    for (const name of ['a', 'b']) calls(s, name, 10);
    calls(s, 'c', 9, 9);
    s.adv(1_000);
    s.set.status();
    calls(s, 'c', 1);
    expect(s.types()).toEqual(['ejected c']);
  });

  it('cancelled calls are no calls, expired ones are failures', () => {
    const s = endpoints(['a', 'b', 'c'], { breaker: patient, outlier: {} });
    const exclude = ['b', 'c'];
    granted(s.set.pick({ exclude })).cancel();
    granted(s.set.pick({ exclude }));
    s.adv(30_000);
    s.set.tick();
    expect(s.set.status().endpoints[0]).toMatchObject({ calls: 1, failures: 1 });
  });

  it('an endpoint that hangs is an outlier like one that fails', async () => {
    const s = endpoints(['a', 'b', 'c'], { breaker: patient, outlier: { minimumCalls: 10 } });
    for (let i = 0; i < 400 && s.events.length === 0; i++) {
      s.set
        .run((name) => (name === 'c' ? new Promise<never>(() => undefined) : 1))
        .catch(() => undefined);
      await Promise.resolve();
      s.adv(100);
    }
    expect(s.types()).toEqual(['ejected c']);
  });
});

const panicking = () => {
  const s = endpoints(['a'], { panic: 'use_all' });
  s.trip('a');
  return s;
};

const retryInMs = (s: Set_) => s.set.status().endpoints[0]?.retryInMs;

describe('permits of panic', () => {
  it('[E8] say what they are, and live as long as a call', () => {
    const s = panicking();
    const permit = granted(s.set.pick());
    expect(permit).toMatchObject({ granted: true, panic: true, probe: false, endpoint: 'a' });
    expect([permit.admittedAt, permit.expiresAt]).toEqual([1_000, 31_000]);
    expect(granted(endpoints(['b']).set.pick())).toMatchObject({ panic: false, endpoint: 'b' });
  });

  it('[E8] only an answer lets it try earlier', () => {
    const s = panicking();
    expect(granted(s.set.pick()).cancel()).toBe('bypassed');
    expect(granted(s.set.pick()).ignore()).toBe('bypassed');
    expect(granted(s.set.pick()).failure({ kind: 'overload', retryAfterMs: 5 })).toBe('bypassed');
    expect(granted(s.set.pick()).failure('timeout')).toBe('bypassed');
    expect(retryInMs(s)).toBe(10_000);
    expect(granted(s.set.pick()).failure({ kind: 'client_error' })).toBe('bypassed');
    expect(retryInMs(s)).toBe(1_000);
  });

  it('[E8] a client error alone is an answer, too', () => {
    const s = panicking();
    granted(s.set.pick()).failure('client_error');
    expect(retryInMs(s)).toBe(1_000);
  });

  it('[E8] [E15] of an endpoint that is gone they are late', () => {
    const s = panicking();
    const permit = granted(s.set.pick());
    s.set.remove('a');
    expect(permit.success()).toBe('late');
  });

  it.each([
    [29_999, 'bypassed'],
    [30_000, 'expired'],
  ])('[E8] after %d ms: %s', (ms, receipt) => {
    const s = endpoints(['a'], {
      panic: 'use_all',
      breaker: { ...quick, open: { kind: 'fixed', baseMs: 1e6, jitter: 0 } },
    });
    s.trip('a');
    const permit = granted(s.set.pick());
    s.adv(ms);
    expect(permit.success()).toBe(receipt);
  });
});
