import { describe, expect, it } from 'vitest';
import { cluster, only } from './sharing-support';

const opened = { v: 1, phase: 'open', opening: 'far#1', by: 'far', level: 2, forMs: 8_000 };

/** An instance that starts where somebody has left this text. */
async function meeting(text: string) {
  const c = cluster(0);
  await c.store.compareAndSet('inventory:adopt', 0, text, 1_000_000);
  const instance = c.start();
  await c.adv(500);
  return { instance, record: await c.record() };
}

describe('a record in the store', () => {
  it('[D16] is written in full, also by the first lease', async () => {
    const c = cluster(1, { trips: 'own' });
    await c.adv(1_000);
    only(c.instances).trip();
    await c.adv(10_000);
    await c.adv(50);
    const { value } = await c.store.read('inventory:own');
    expect(JSON.parse(value ?? '')).toEqual({
      v: 1,
      phase: 'probing',
      opening: '',
      by: 'i0',
      level: 0,
      forMs: 5_000,
    });
  });

  it('[D6] as this version writes it is understood', async () => {
    const { instance } = await meeting(JSON.stringify(opened));
    expect(instance.problems).toEqual([]);
    expect(instance.breaker.status()).toMatchObject({ state: 'open', level: 2, retryInMs: 7_500 });
  });

  it.each(['free', 'open', 'probing', 'ramping'])('[D16] the phase %s is known', async (phase) => {
    const { instance } = await meeting(JSON.stringify({ ...opened, phase }));
    expect(instance.problems).toEqual([]);
    expect(instance.sharing.status()).toMatchObject({ phase, mode: 'shared' });
  });

  it.each<[string, Record<string, unknown>]>([
    ['another version', { v: 2 }],
    ['no version', { v: undefined }],
    ['an unknown phase', { phase: 'shut' }],
    ['no phase', { phase: undefined }],
    ['an opening that is a number', { opening: 7 }],
    ['no opening', { opening: undefined }],
    ['a writer that is a number', { by: 7 }],
    ['no writer', { by: null }],
    ['a level that is a text', { level: '2' }],
    ['a level below 0', { level: -1 }],
    ['no level', { level: undefined }],
    ['a time that is a text', { forMs: '8000' }],
    ['a time below 0', { forMs: -1 }],
    ['no time', { forMs: undefined }],
    ['a time that is a list', { forMs: [8_000] }],
  ])('[D16] with %s is left alone and counts as a failed store', async (_, fault) => {
    const text = JSON.stringify({ ...opened, ...fault });
    const { instance, record } = await meeting(text);
    expect(instance.problems.map(String)).toEqual([
      'Error: "inventory:adopt" holds what this version cannot read',
    ]);
    expect(instance.breaker.state).toBe('closed');
    expect(record).toMatchObject({ epoch: 1, value: text });
  });

  it.each(['null', '7', '"x"', '[]', '{', '', JSON.stringify(opened).replace('8000', '1e999')])(
    '[D16] so is the text %j',
    async (text) => {
      const { instance } = await meeting(text);
      expect(instance.problems.map(String)).toEqual([
        'Error: "inventory:adopt" holds what this version cannot read',
      ]);
      expect(instance.sharing.status()).toMatchObject({ failures: 1, epoch: 0 });
    },
  );
});
