import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BreakerOptionError,
  BreakerSharing,
  CircuitBreaker,
  MemorySharedStore,
} from '@/lib/breaker';
import type { SharingOptions } from '@/lib/breaker';
import { inFull, runs } from '@/tests/support/runs';
import { cluster, only, ramp } from './sharing-support';
import type { Instance } from './sharing-support';

describe('the store and the call', () => {
  it('[D1] no call ever touches the store; what it has to say leaves on a timer', async () => {
    const c = cluster(1);
    await c.adv(2_000);
    const instance = only(c.instances);
    const before = instance.line.operations;
    instance.trip();
    for (let i = 0; i < 100; i++) instance.acq();
    await Promise.resolve();
    expect(instance.line.operations).toBe(before);
    await c.adv(50);
    expect(instance.line.writes).toBe(1);
  });

  it('[case 97] [D2] a slow store or a slow call keeps no peer waiting', async () => {
    const c = cluster(2);
    await c.adv(2_000);
    const [slow, quick] = [only(c.instances), only(c.instances, 1)];
    const call = slow.acq();
    slow.line.delayMs = 400;
    slow.trip();
    quick.trip();
    await c.adv(100);
    expect((await c.record()).epoch).toBe(1);
    expect(JSON.parse((await c.record()).value ?? '')).toMatchObject({ by: 'i1', phase: 'open' });
    expect(call?.success()).toBe('late');
  });

  it('[case 97] [D2] of two interleaved updates none is lost: the later one decides anew', async () => {
    const c = cluster(3);
    await c.adv(2_000);
    only(c.instances).trip();
    // The first one recovers and says so; its word travels slowly, and meanwhile a peer trips.
    await c.adv(8_500);
    await c.adv(9_000, () => {
      if (only(c.instances).breaker.state !== 'closed') c.calls();
    });
    const [closing, tripping] = [only(c.instances), only(c.instances, 1)];
    closing.line.delayMs = 300;
    for (let i = 0; i < 60 && closing.breaker.state !== 'closed'; i++) {
      await c.adv(100, () => void c.calls());
    }
    tripping.breaker.reset();
    tripping.trip();
    await c.adv(5_000);
    const { phase, by } = JSON.parse((await c.record()).value ?? '') as Record<string, unknown>;
    expect({ phase, by }).toEqual({ phase: 'open', by: tripping.name });
    expect(closing.breaker.state).toBe('open');
  });

  it('[D2] what happens while something is being told is told next', async () => {
    const c = cluster(2);
    await c.adv(2_000);
    const [leader, peer] = [only(c.instances), only(c.instances, 1)];
    leader.trip();
    await c.adv(9_000);
    for (let i = 0; i < 200 && leader.breaker.state !== 'closed'; i++) {
      await c.adv(50, () => void leader.acq()?.success(1));
    }
    leader.line.delayMs = 400;
    const { writes } = leader.line;
    for (let i = 0; i < 40 && leader.line.writes === writes; i++) await c.adv(50);
    leader.trip();
    await c.adv(4_000);
    expect(JSON.parse((await c.record()).value ?? '')).toMatchObject({ phase: 'open', by: 'i0' });
    expect(peer.breaker.state).toBe('open');
  });

  it('[D2] a race that is lost is decided again with what is there now', async () => {
    const c = cluster(2);
    await c.adv(2_000);
    const [first, second] = [only(c.instances), only(c.instances, 1)];
    first.line.delayMs = 200;
    second.line.delayMs = 200;
    first.trip();
    second.trip();
    await c.adv(3_000);
    const lost = c.instances.map(({ sharing }) => sharing.status().lostRaces);
    expect([...lost].sort((a, b) => a - b)).toEqual([0, 1]);
    expect((await c.record()).epoch).toBe(1);
    expect(c.states()).toEqual(['open', 'open']);
  });
});

describe('without the store', () => {
  it('[W48] [D15] each goes by its own rules, and says once why', async () => {
    const c = cluster(3);
    await c.adv(2_000);
    for (const { line } of c.instances) line.state = 'down';
    for (const instance of c.instances) instance.trip();
    await c.adv(20_000, () => void c.calls());
    for (const { sharing, breaker, problems } of c.instances) {
      expect(sharing.status()).toMatchObject({ mode: 'local', instances: 3 });
      expect(breaker.state).not.toBe('open');
      expect(problems.map(String)).toEqual(['Error: connection refused']);
    }
  });

  it('[W48] [D15] not all begin at the same instant', async () => {
    let seed = 0;
    const c = cluster(4, { localSpreadMs: 8_000, random: () => (seed = (seed + 0.37) % 1) });
    await c.adv(2_000);
    for (const { line } of c.instances) line.state = 'down';
    await c.adv(12_000);
    for (const instance of c.instances) instance.trip();
    const began = new Map<string, number>();
    await c.adv(20_000, () => {
      for (const name of c.calls()) if (!began.has(name)) began.set(name, c.clock.now());
    });
    const times = [...began.values()].sort((a, b) => a - b);
    expect(times).toHaveLength(4);
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_000);
  });

  it('[D15] an instance that never reached it reckons with the number it was told', async () => {
    const c = cluster(0, { expectedInstances: 6 });
    const alone = c.start((line) => {
      line.state = 'silent';
    });
    await c.adv(5_000);
    expect(alone.sharing.status()).toMatchObject({ mode: 'local', instances: 6 });
    expect(alone.problems.map(String)).toEqual([
      'Error: The shared store did not answer within 500 ms',
    ]);
    await alone.sharing.ready;
  });

  it('[D15] when it is back, what happened meanwhile is told if it still holds', async () => {
    const c = cluster(2);
    await c.adv(2_000);
    const [cut, peer] = [only(c.instances), only(c.instances, 1)];
    cut.line.state = 'down';
    await c.adv(5_000);
    cut.trip();
    await c.adv(2_000);
    expect(peer.breaker.state).toBe('closed');
    cut.line.state = 'up';
    await c.adv(2_500);
    expect(c.states()).toEqual(['open', 'open']);
    expect(cut.sharing.status().mode).toBe('shared');
  });

  it('[D15] what no longer holds is not told', async () => {
    const c = cluster(2);
    await c.adv(2_000);
    const [cut, peer] = [only(c.instances), only(c.instances, 1)];
    cut.line.state = 'down';
    await c.adv(5_000);
    cut.trip();
    await c.adv(1_000);
    cut.breaker.reset();
    cut.line.state = 'up';
    await c.adv(5_000);
    expect(peer.events).toEqual([]);
    expect((await c.record()).epoch).toBe(0);
  });

  it('[D13] a write whose answer never came is found at the next reading', async () => {
    const c = cluster(1);
    await c.adv(2_000);
    const instance = only(c.instances);
    instance.trip();
    await c.adv(9_700);
    instance.line.delayMs = 900;
    await c.adv(1_000);
    instance.line.delayMs = 0;
    await c.adv(2_500);
    expect(instance.sharing.status().leading).toBe(true);
    expect(instance.acq()?.probe).toBe(true);
  });

  it('[D16] what another version has written is left alone', async () => {
    const c = cluster(0);
    const foreign = '{"v":2,"phase":"open"}';
    await c.store.compareAndSet('inventory:adopt', 0, foreign, 1_000_000);
    const instance = c.start();
    await c.adv(2_000);
    instance.trip();
    await c.adv(20_000, () => void c.calls());
    expect(instance.sharing.status().mode).toBe('local');
    expect(instance.breaker.state).not.toBe('open');
    expect((await c.record()).value).toBe(foreign);
    expect(instance.problems.map(String)).toEqual([
      'Error: "inventory:adopt" holds what this version cannot read',
    ]);
  });
});

describe('the end', () => {
  it('[D17] after dispose the breaker is alone and nothing is asked any more', async () => {
    const c = cluster(2);
    await c.adv(2_000);
    const [gone, left] = [only(c.instances), only(c.instances, 1)];
    gone.sharing.dispose();
    gone.sharing.dispose();
    await c.adv(100);
    const { operations } = gone.line;
    gone.trip();
    await c.adv(10_500);
    expect(gone.line.operations).toBe(operations);
    expect(gone.acq()?.probe).toBe(true);
    expect(left.breaker.state).toBe('closed');
    expect(left.sharing.status().instances).toBe(1);
  });

  it('[D17] a breaker that is disposed takes its sharing with it, also in the middle of a meeting', async () => {
    const c = cluster(1);
    await c.adv(2_000);
    const instance = only(c.instances);
    instance.line.delayMs = 200;
    const { operations } = instance.line;
    await c.adv(150);
    expect(instance.line.operations).toBe(operations + 1);
    instance.breaker.dispose();
    await c.adv(5_000);
    expect(c.clock.pending).toBe(0);
    expect(instance.problems).toEqual([]);
  });
});

describe('options of sharing', () => {
  it.each<[string, Record<string, unknown>]>([
    ['store', { store: 7 }],
    ['store.read', { store: {} }],
    ['instance', { instance: '' }],
    ['key', { key: 7 }],
    ['trips', { trips: 'all' }],
    ['syncEveryMs', { syncEveryMs: 0 }],
    ['storeTimeoutMs', { storeTimeoutMs: Number.NaN }],
    ['leaseMs', { leaseMs: 1_000 }],
    ['staleAfterMs', { staleAfterMs: 1_000 }],
    ['localSpreadMs', { localSpreadMs: -1 }],
    ['expectedInstances', { expectedInstances: 1.5 }],
    ['retentionMs', { retentionMs: 10 }],
    ['clock', { clock: 1 }],
    ['options.lease', { lease: 1 }],
  ])('[D18] %s is refused by name', (option, given) => {
    const breaker = new CircuitBreaker('inventory');
    const make = () =>
      Reflect.construct(BreakerSharing, [breaker, { store: new MemorySharedStore(), ...given }]);
    expect(make).toThrow(BreakerOptionError);
    expect(make).toThrow(`"${option}"`);
  });

  it('[D18] [I33] no spread is a value', async () => {
    const options: Partial<SharingOptions> = { localSpreadMs: 0 };
    const c = cluster(1, options);
    only(c.instances).line.state = 'down';
    await c.adv(5_000);
    only(c.instances).trip();
    await c.adv(10_050);
    expect(only(c.instances).acq()?.probe).toBe(true);
  });
});

type Fault =
  | { readonly do: 'adv'; readonly ms: number }
  | { readonly do: 'line'; readonly at: number; readonly state: 'up' | 'down' | 'silent' | 'slow' }
  | { readonly do: 'pause'; readonly at: number }
  | { readonly do: 'trip'; readonly at: number }
  | { readonly do: 'traffic'; readonly sick: boolean };

const fault: fc.Arbitrary<Fault> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('adv'),
      ms: fc.constantFrom(100, 1_000, 4_000, 12_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('line'),
      at: fc.nat(2),
      state: fc.constantFrom('up', 'down', 'silent', 'slow'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pause'), at: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('trip'), at: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('traffic'), sick: fc.boolean() }) },
);

function apply(instance: Instance, each: Extract<Fault, { at: number }>): void {
  if (each.do === 'trip') {
    instance.trip();
  } else if (each.do === 'pause') {
    if (instance.host.paused) instance.host.resume();
    else instance.host.paused = true;
  } else {
    instance.line.delayMs = each.state === 'slow' ? 300 : 0;
    instance.line.state = each.state === 'slow' ? 'up' : each.state;
  }
}

/** Instances that believe in their lease and may in fact probe their first step. */
function holders(instances: readonly Instance[]): number {
  return instances.filter(({ breaker, sharing }) => {
    const { leading, mode } = sharing.status();
    if (!leading || mode === 'local' || breaker.status().step !== 0) return false;
    const permit = breaker.tryAcquire();
    if (permit.granted) permit.failure('rejected_local');
    return permit.granted;
  }).length;
}

describe('whatever breaks', () => {
  it.each(['own', 'adopt'] as const)(
    '[D10] [D13] never two hold the lease, and in the end all are closed (trips: %s)',
    async (trips) => {
      let probed = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(fault, { minLength: 5, maxLength: 20 }), async (faults) => {
          const open = { kind: 'fixed', baseMs: 5_000, jitter: 0 } as const;
          const c = cluster(3, { trips, localSpreadMs: 1_000 }, { ...ramp, open });
          let sick = false;
          const watch = (): void => {
            const now = holders(c.instances);
            probed += now;
            expect(now).toBeLessThanOrEqual(1);
          };
          for (const each of faults) {
            if (each.do === 'adv') await c.adv(each.ms, watch);
            else if (each.do === 'traffic') {
              ({ sick } = each);
              for (let i = 0; i < 5; i++) c.calls(() => (sick ? 'bad' : 'good'));
            } else apply(only(c.instances, each.at), each);
          }
          for (const { line, host } of c.instances) {
            line.state = 'up';
            line.delayMs = 0;
            host.resume();
          }
          await c.adv(60_000, () => {
            for (let i = 0; i < 3; i++) c.calls();
          });
          expect(c.states()).toEqual(['closed', 'closed', 'closed']);
          for (const { sharing } of c.instances) {
            expect(sharing.status()).toMatchObject({ mode: 'shared', phase: 'free', instances: 3 });
          }
        }),
        { numRuns: runs(20) },
      );
      expect(probed).toBeGreaterThan(inFull ? 20 : -1);
    },
    120_000,
  );
});
