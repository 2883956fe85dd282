import { describe, expect, it } from 'vitest';
import { EndpointSet } from '@/lib/breaker';
import type { EndpointSetOptions } from '@/lib/breaker';
import { endpoints, granted, quick, refused } from './endpoints-support';

const by = { reason: 'drill', actor: 'ann' };
const names = ['a', 'b', 'c'];

/** On a clock of the test's own. */
function on(clock: () => number, options: Partial<EndpointSetOptions> = {}) {
  return new EndpointSet('x', { endpoints: names, breaker: quick, outlier: {}, clock, ...options });
}

/** So many picks, each answered well. */
function picks(set: EndpointSet, count: number): string[] {
  return Array.from({ length: count }, () => {
    const permit = set.pick();
    if (!permit.granted) return permit.reason;
    permit.success(1);
    return permit.endpoint;
  });
}

describe('[B110] generators and clocks', () => {
  it.each([Number.NaN, -1, 1, 7.5, Infinity, undefined])(
    'a random number of %o is taken as half',
    (drawn) => {
      const set = on(() => 0, { random: () => drawn as number });
      expect(picks(set, 6).sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
    },
  );

  it.each([Number.NaN, undefined, -5, -1e12, Number.NEGATIVE_INFINITY])(
    'a clock that stands still at %o: picks go round, nothing ends by itself',
    (reading) => {
      const set = on(() => reading as number);
      expect(picks(set, 6).sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
      for (let i = 0; i < 3; i++) {
        const permit = set.breaker('a')?.tryAcquire();
        if (permit?.granted === true) permit.failure('server_error');
      }
      expect(set.status()).toMatchObject({ in: 2, out: 1, panic: false });
      expect(new Set(picks(set, 20))).toEqual(new Set(['b', 'c']));
    },
  );

  it('a clock that begins below zero runs on', () => {
    let now = -20_000;
    const set = on(() => now);
    for (let i = 0; i < 3; i++) {
      const permit = set.breaker('a')?.tryAcquire();
      if (permit?.granted === true) permit.failure('server_error');
    }
    expect(set.status().out).toBe(1);
    now += 10_000;
    expect(set.status()).toMatchObject({ out: 0, recovering: 1 });
  });

  it('[I20] one that goes back is read as its highest value so far', () => {
    let now = 50_000;
    const set = on(() => now);
    const permit = granted(set.pick());
    now = 10;
    expect(permit.success()).toBe('counted');
    expect(granted(set.pick()).admittedAt).toBe(50_000);
    now = Number.NaN;
    expect(picks(set, 3)).not.toContain('panic');
  });
});

describe('what callers report', () => {
  it.each([Number.NaN, -1, Infinity, 1e300, '5', null])(
    '[B15] a latency of %o is the time since the pick',
    (ms) => {
      const s = endpoints(['a']);
      const told: number[] = [];
      s.set.breaker('a')?.onSettle(({ latencyMs }) => told.push(latencyMs));
      const permits = [granted(s.set.pick()), granted(s.set.pick())];
      s.adv(40);
      permits[0]?.success(ms as number);
      permits[1]?.failure('server_error', ms as number);
      expect(told).toEqual([40, 40]);
    },
  );

  it('[B16] an unknown kind is a server error, also in panic', () => {
    const s = endpoints(['a'], { panic: 'use_all' });
    for (const kind of ['nonsense', null, undefined, 7, {}]) {
      const permit = granted(s.set.pick());
      expect(permit.failure(kind as never)).toBe(permit.panic ? 'bypassed' : 'counted');
    }
    expect(s.phases()).toBe('a:out');
    expect(s.set.status().endpoints[0]?.retryInMs).toBe(10_000);
  });

  it('[I3] a second settlement, and one after the end, change nothing', () => {
    const s = endpoints(['a', 'b']);
    const permit = granted(s.set.pick());
    expect(permit.success()).toBe('counted');
    for (const again of [
      permit.success(),
      permit.failure('timeout'),
      permit.cancel(),
      permit.ignore(),
    ]) {
      expect(again).toBe('duplicate');
    }
    const under = granted(s.set.pick());
    s.set.dispose();
    expect([under.failure('timeout'), under.success()]).toEqual(['late', 'duplicate']);
    expect(s.set.status()).toMatchObject({ endpoints: [], in: 0 });
  });

  it('[E12] names that are none are excluded in vain', () => {
    const s = endpoints(['a']);
    const exclude = ['nobody', 7, null] as unknown as string[];
    expect(granted(s.set.pick({ exclude })).endpoint).toBe('a');
  });
});

describe('[E6] listeners', () => {
  it('may pick, settle, force and remove from inside; each hears all in order', () => {
    const s = endpoints(names);
    const heard: number[] = [];
    s.set.on(({ type, endpoint }) => {
      if (type !== 'ejected') return;
      const permit = s.set.pick();
      if (permit.granted) permit.failure('server_error');
      if (endpoint === 'a') s.set.breaker('b')?.override('forced_open', by);
      else s.set.remove('b');
    });
    s.set.on(({ seq }) => heard.push(seq));
    s.trip('a');
    expect(heard).toEqual(heard.map((_, i) => i + 1));
    expect(s.set.endpoints).toEqual(['a', 'c']);
    expect(s.problems).toEqual([]);
  });

  it('of a breaker may use the set while it works', () => {
    const s = endpoints(names);
    s.set.breaker('a')?.on(({ to }) => {
      if (to === 'open') s.set.add('d');
      if (to === 'half_open') s.set.dispose();
    });
    s.trip('a');
    expect(s.set.endpoints).toEqual(['a', 'b', 'c', 'd']);
    s.adv(10_000);
    expect(refused(s.set.pick()).reason).toBe('disposed');
    expect(s.problems).toEqual([]);
  });

  it('that throw are reported, and a reporter that throws is not heard', () => {
    const s = endpoints(names, {
      onProblem: () => {
        throw new Error('reporter');
      },
    });
    s.set.on(() => {
      throw new Error('listener');
    });
    s.trip('a');
    expect(s.events.map(({ type }) => type)).toEqual(['ejected']);
  });
});
