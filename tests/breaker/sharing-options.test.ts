import { describe, expect, it } from 'vitest';
import {
  BreakerOptionError,
  BreakerSharing,
  CircuitBreaker,
  MemorySharedStore,
} from '@/lib/breaker';
import type { SharingOptions } from '@/lib/breaker';
import { decodeRecord } from '@/lib/breaker/sharing/shared-record';
import { FakeClock } from '@/tests/support/fake-clock';
import { cluster, only } from './sharing-support';

/** What an instance says to the store in the course of one opening. */
async function told(given: Partial<SharingOptions>) {
  const c = cluster(1, given);
  const instance = only(c.instances);
  await c.adv(1_000);
  instance.trip();
  await c.adv(12_000);
  const records = instance.line.written.map(([, , text]) => decodeRecord(text));
  return {
    liveMs: only(instance.line.announced)[2],
    keptMs: only(instance.line.written)[3],
    leaseMs: records.find((record) => record?.phase === 'probing')?.forMs,
  };
}

describe('what is chosen where nothing is asked for', () => {
  it('[D9] an instance lives for 3 turns and the timeout', async () => {
    expect(await told({})).toMatchObject({ liveMs: 3_500 });
    expect(await told({ syncEveryMs: 2_000, storeTimeoutMs: 900 })).toMatchObject({
      liveMs: 6_900,
    });
  });

  it('[D13] a lease runs for 5 turns, and longer where the store may be slow', async () => {
    expect(await told({})).toMatchObject({ leaseMs: 5_000 });
    expect(await told({ storeTimeoutMs: 2_000 })).toMatchObject({ leaseMs: 6_000 });
  });

  it('[D13] a lease of twice a turn and the timeout is the shortest', async () => {
    expect(await told({ leaseMs: 3_000 })).toMatchObject({ leaseMs: 3_000 });
    await expect(told({ leaseMs: 2_999 })).rejects.toThrow(/"leaseMs".* at least 3000/);
  });

  it('[D6] an opening is remembered for an hour', async () => {
    expect(await told({})).toMatchObject({ keptMs: 3_600_000 });
  });

  it('[D9] the name of the instance is drawn, of two numbers', async () => {
    const names: string[] = [];
    class Listening extends MemorySharedStore {
      override announce(key: string, instance: string, ttlMs: number): Promise<number> {
        names.push(instance);
        return super.announce(key, instance, ttlMs);
      }
    }
    const clock = new FakeClock();
    const drawn = [0.5, 0.25];
    const sharing = new BreakerSharing(new CircuitBreaker('inventory'), {
      store: new Listening(),
      random: () => drawn.shift() ?? 0,
      timer: clock,
      clock: clock.now,
    });
    clock.advance(0);
    await sharing.ready;
    sharing.dispose();
    expect(names).toEqual(['zik0zk-hra0hs']);
  });
});

describe('options that cannot work', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no store', { store: null }, /"store" is null; it accepts a shared store/],
    ['a store that is a text', { store: 'redis' }, /"store" is "redis"; it accepts a shared store/],
    [
      'a store that is a function',
      { store: () => 0 },
      /"store" is a function; it accepts a shared/,
    ],
    ['an empty key', { key: '' }, /"key" is ""; it accepts a text that is not empty/],
    ['an instance by number', { instance: 7 }, /"instance" is 7; it accepts a text that is not/],
    ['a timer without after', { timer: {} }, /"timer.after" is undefined; it accepts a function/],
  ])('[D18] are refused, and told what is accepted: %s', (_, given, message) => {
    const { store } = cluster(0);
    const make = () =>
      Reflect.construct(BreakerSharing, [new CircuitBreaker('inventory'), { store, ...given }]);
    expect(make).toThrow(BreakerOptionError);
    expect(make).toThrow(message);
  });
});
