import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BreakerSharing, CircuitBreaker, MemorySharedStore, RedisSharedStore } from '@/lib/breaker';
import type { SharedStore } from '@/lib/breaker';
import { FakeClock } from '@/tests/support/fake-clock';
import { redisServer, startRedis } from '@/tests/support/redis';
import type { RunningRedis } from '@/tests/support/redis';
import { ramp } from './sharing-support';

type Bench = { readonly store: SharedStore; readonly wait: (ms: number) => Promise<void> };

/** What every store must do. `bench` makes an empty one. */
function contract(bench: () => Bench): void {
  it('[D3] begins with epoch 0 and nothing', async () => {
    const { store } = bench();
    expect(await store.read('k')).toEqual({ epoch: 0, value: null, ageMs: 0 });
  });

  it('[D2] [D3] writes where the epoch is the expected one, and says what is there where not', async () => {
    const { store } = bench();
    const first = await store.compareAndSet('k', 0, 'one', 60_000);
    expect(first).toMatchObject({ swapped: true, entry: { epoch: 1, value: 'one' } });
    const late = await store.compareAndSet('k', 0, 'two', 60_000);
    expect(late).toMatchObject({ swapped: false, entry: { epoch: 1, value: 'one' } });
    const next = await store.compareAndSet('k', 1, 'two: {"é"}', 60_000);
    expect(next).toMatchObject({ swapped: true, entry: { epoch: 2 } });
    expect(await store.read('other')).toMatchObject({ epoch: 0, value: null });
  });

  it('[D2] of many that write at once one wins', async () => {
    const { store } = bench();
    const swaps = await Promise.all(
      Array.from({ length: 20 }, (_, i) => store.compareAndSet('k', 0, `v${i}`, 60_000)),
    );
    expect(swaps.filter(({ swapped }) => swapped)).toHaveLength(1);
    expect((await store.read('k')).epoch).toBe(1);
  });

  it('[D3] tells the age of an entry, not an instant', async () => {
    const { store, wait } = bench();
    await store.compareAndSet('k', 0, 'one', 60_000);
    await wait(120);
    const { ageMs } = await store.read('k');
    expect(ageMs).toBeGreaterThanOrEqual(100);
    expect(ageMs).toBeLessThan(5_000);
  });

  it('[D3] a value expires; its epoch does not, so that nobody who slept can write over what came after', async () => {
    const { store, wait } = bench();
    await store.compareAndSet('k', 0, 'one', 60_000);
    await store.compareAndSet('k', 1, 'two', 50);
    await wait(150);
    expect(await store.read('k')).toEqual({ epoch: 2, value: null, ageMs: 0 });
    expect((await store.compareAndSet('k', 0, 'late', 60_000)).swapped).toBe(false);
    expect((await store.compareAndSet('k', 2, 'three', 60_000)).entry.epoch).toBe(3);
  });

  it('[D9] counts who has announced itself and not gone since', async () => {
    const { store, wait } = bench();
    expect(await store.announce('k', 'a', 60_000)).toBe(1);
    expect(await store.announce('k', 'a', 60_000)).toBe(1);
    expect(await store.announce('k', 'b', 50)).toBe(2);
    expect(await store.announce('other', 'c', 60_000)).toBe(1);
    await wait(150);
    expect(await store.announce('k', 'a', 60_000)).toBe(1);
    expect(await store.announce('k', 'd', 60_000)).toBe(2);
    await store.withdraw('k', 'd');
    await store.withdraw('k', 'nobody');
    await store.withdraw('unheard of', 'nobody');
    expect(await store.announce('k', 'a', 60_000)).toBe(1);
  });
}

describe('the store in memory', () => {
  contract(() => {
    const clock = new FakeClock();
    const wait = async (ms: number): Promise<void> => clock.advance(ms);
    return { store: new MemorySharedStore({ clock: clock.now }), wait };
  });

  it('[D3] [D9] what lives for 100 ms is gone after 100 ms, to the millisecond', async () => {
    const clock = new FakeClock();
    const store = new MemorySharedStore({ clock: clock.now });
    await store.compareAndSet('k', 0, 'one', 100);
    await store.announce('k', 'a', 100);
    clock.advance(99);
    expect(await store.read('k')).toEqual({ epoch: 1, value: 'one', ageMs: 99 });
    expect(await store.announce('k', 'b', 100)).toBe(2);
    clock.advance(1);
    expect(await store.read('k')).toEqual({ epoch: 1, value: null, ageMs: 0 });
    expect(await store.announce('k', 'b', 100)).toBe(1);
  });
});

const server = redisServer();

/** Needs a server; RECLOSER_REDIS_SERVER names one that is not in its usual place. */
describe.skipIf(server === null)('the store in Redis', () => {
  let redis: RunningRedis;
  let runs = 0;

  beforeAll(async () => {
    redis = await startRedis(server ?? '');
  });

  afterAll(() => redis.stop());

  const bench = (): Bench => ({
    store: new RedisSharedStore({ client: redis, prefix: `run${++runs}:` }),
    wait: (ms) =>
      new Promise((resolve) => {
        setTimeout(resolve, ms);
      }),
  });

  contract(bench);

  it('[D3] leaves nothing behind that does not expire', async () => {
    const { store } = bench();
    await store.compareAndSet('k', 0, 'one', 60_000);
    await store.announce('k', 'a', 60_000);
    const keys = (await redis.command('KEYS', `run${runs}:*`)) as string[];
    expect([...keys].sort()).toEqual(
      ['epoch', 'members', 'value'].map((part) => `run${runs}:{k}:${part}`),
    );
    for (const key of keys) expect(await redis.command('PTTL', key)).toBeGreaterThan(0);
  });

  it('[D4] carries an opening from one breaker to another', async () => {
    const { store, wait } = bench();
    const make = (instance: string) => {
      const breaker = new CircuitBreaker('inventory', ramp);
      const times = { syncEveryMs: 20, storeTimeoutMs: 2_000 };
      const sharing = new BreakerSharing(breaker, { store, instance, trips: 'adopt', ...times });
      return { breaker, sharing };
    };
    const [first, second] = [make('a'), make('b')];
    await Promise.all([first.sharing.ready, second.sharing.ready]);
    for (let i = 0; i < 3; i++) {
      const permit = first.breaker.tryAcquire();
      if (permit.granted) permit.failure('server_error');
    }
    for (let i = 0; i < 200 && second.breaker.state === 'closed'; i++) await wait(20);
    expect(second.breaker.state).toBe('open');
    first.sharing.dispose();
    second.sharing.dispose();
  });
});

describe('the client of Redis', () => {
  const asked: { keys: readonly string[]; args: readonly string[] }[] = [];
  const answering = (answer: unknown) =>
    new RedisSharedStore({
      client: {
        eval: (_, keys, args) => {
          asked.push({ keys, args });
          return Promise.resolve(answer);
        },
      },
    });

  it('[D3] keys of one breaker share a hash tag; durations are whole and at least 1 ms', async () => {
    const store = answering([1, '8', 'value', '0']);
    expect(await store.compareAndSet('inventory', 7, 'value', 0.2)).toEqual({
      swapped: true,
      entry: { epoch: 8, value: 'value', ageMs: 0 },
    });
    expect(asked.pop()).toEqual({
      keys: ['recloser:{inventory}:value', 'recloser:{inventory}:epoch'],
      args: ['7', 'value', '1', '604800000'],
    });
  });

  it('[D3] reads with the two keys alone; an empty value is none', async () => {
    expect(await answering([0, '0', '', '0']).read('k')).toEqual({
      epoch: 0,
      value: null,
      ageMs: 0,
    });
    expect(asked.pop()).toEqual({ keys: ['recloser:{k}:value', 'recloser:{k}:epoch'], args: [] });
    expect(await answering([0, '3', 'x', '12']).compareAndSet('k', 2, 'y', 10)).toEqual({
      swapped: false,
      entry: { epoch: 3, value: 'x', ageMs: 12 },
    });
  });

  it('[D9] announces and withdraws an instance under the key of the members', async () => {
    expect(await answering('3').announce('k', 'a', 3_500.2)).toBe(3);
    expect(asked.pop()).toEqual({ keys: ['recloser:{k}:members'], args: ['a', '3501'] });
    await answering(1).withdraw('k', 'a');
    expect(asked.pop()).toEqual({ keys: ['recloser:{k}:members'], args: ['a'] });
  });

  it.each([
    [null],
    ['OK'],
    [[]],
    [[1]],
    [[1, '3']],
    [[1, '3', 'value']],
    [[0, 'x', '', '0']],
    [[0, '-1', '', '0']],
    [[0, '3', '', 'x']],
    [{}],
  ])('refuses the answer %j', async (answer) => {
    await expect(answering(answer).read('k')).rejects.toThrow(/none of ours/);
  });

  it('[D18] refuses a retention of nothing', () => {
    const client = { eval: () => Promise.resolve(null) };
    expect(() => new RedisSharedStore({ client, epochRetentionMs: 0 })).toThrow(/epochRetentionMs/);
  });
});
