import { describe, expect, it } from 'vitest';
import type { BreakerOptions, SharedStore, SwapResult } from '@/lib/breaker';
import { cluster, only, ramp } from './sharing-support';
import type { Instance } from './sharing-support';

/** Every call is let in where there is leave to probe. */
const wide: BreakerOptions = {
  ...ramp,
  recovery: {
    ...ramp.recovery,
    admission: { kind: 'ramp', steps: [1, 1] },
    maxInconclusive: 1_000_000,
  },
};

/** Whether it would let a call in, without counting it. */
const letsIn = (instance: Instance): boolean => instance.acq()?.ignore() !== undefined;

/** One instance that has met the store at this instant. */
async function single(...given: Parameters<typeof cluster> extends [number, ...infer R] ? R : []) {
  const c = cluster(1, ...given);
  await c.adv(2_050);
  return { c, instance: only(c.instances) };
}

describe('what the status tells', () => {
  it('[D15] how long ago the store answered; it is local once that is long and the store has failed', async () => {
    const { c, instance } = await single();
    const { sharing, line } = instance;
    expect(sharing.status()).toMatchObject({ sinceAnswerMs: 0, mode: 'shared', failures: 0 });
    expect(sharing.status().phase).toBe('free');
    line.state = 'down';
    await c.adv(3_450);
    expect(sharing.status()).toMatchObject({ sinceAnswerMs: 3_450, mode: 'shared', failures: 3 });
    await c.adv(50);
    expect(sharing.status()).toMatchObject({ sinceAnswerMs: 3_500, mode: 'local' });
    line.state = 'up';
    await c.adv(600);
    expect(sharing.status()).toMatchObject({ sinceAnswerMs: 100, mode: 'shared', failures: 3 });
  });

  it('[D15] time alone makes it no local one', async () => {
    const { c, instance } = await single();
    instance.host.paused = true;
    await c.adv(6_000);
    expect(instance.sharing.status()).toMatchObject({ sinceAnswerMs: 6_000, mode: 'shared' });
  });
});

describe('when the store is asked', () => {
  it.each([
    [0, 900],
    [0.25, 950],
    [0.75, 1_050],
  ])('[D1] turns are spread: at random %d one every %d ms', async (drawn, everyMs) => {
    const { c, instance } = await single({ random: () => drawn });
    const { announced } = instance.line;
    const at: number[] = [];
    await c.adv(10_000, () => {
      while (announced.length > at.length) at.push(c.clock.now());
    });
    const gaps = new Set(at.slice(5).map((time, i) => time - only(at, i + 4)));
    expect([...gaps]).toEqual([everyMs]);
  });

  it('[D1] nothing of a question that was answered is left waiting', async () => {
    const { c } = await single();
    expect(c.clock.pending).toBe(1);
  });

  it('[D1] at once when there is something to tell, and not for what the others need not know', async () => {
    const { c, instance } = await single();
    const slow = instance.acq();
    instance.trip();
    await c.adv(100);
    const { length } = instance.line.announced;
    expect(slow?.success()).toBe('late');
    await c.adv(100);
    expect(instance.events.at(-1)?.type).toBe('late_result');
    expect(instance.line.announced).toHaveLength(length);
  });

  it('[D10] [D11] the first step, the one after it and the end are told at once', async () => {
    const { c, instance } = await single({ syncEveryMs: 3_000 });
    instance.trip();
    await c.adv(10_000);
    expect(instance.breaker.state).toBe('half_open');
    await c.adv(50);
    expect(instance.sharing.status()).toMatchObject({ leading: true, phase: 'probing' });
    const step = () => instance.breaker.status().step;
    const good = () => {
      for (let n = 0; n < 3; n++) instance.acq()?.success(1);
    };
    for (let i = 0; i < 300 && step() === 0; i++) await c.adv(50, good);
    await c.adv(50);
    expect(step()).toBe(1);
    expect(instance.sharing.status().phase).toBe('ramping');
    for (let i = 0; i < 300 && step() !== null; i++) await c.adv(50, good);
    await c.adv(50);
    expect(instance.breaker.state).toBe('closed');
    expect(instance.sharing.status().phase).toBe('free');
  });

  it('[D7] the store is asked at once after what was done by hand', async () => {
    const { c, instance } = await single({ syncEveryMs: 3_000 });
    const { announced } = instance.line;
    const asks = async (act: () => unknown): Promise<number> => {
      const { length } = announced;
      act();
      await c.adv(50);
      return announced.length - length;
    };
    const by = { reason: 'test', actor: 'ann', resume: 'closed' } as const;
    expect(await asks(() => undefined)).toBe(0);
    expect(await asks(() => instance.breaker.override('forced_open', by))).toBe(1);
    expect(await asks(() => instance.breaker.overrides().map((one) => one.release()))).toBe(1);
    expect(await asks(() => instance.breaker.reset())).toBe(1);
  });

  it('[D15] what happens in a turn that fails waits for the next turn', async () => {
    const { c, instance } = await single();
    const { length } = instance.line.announced;
    instance.line.state = 'silent';
    await c.adv(1_100);
    instance.trip();
    await c.adv(1_350);
    expect(instance.line.announced).toHaveLength(length + 1);
    await c.adv(100);
    expect(instance.line.announced).toHaveLength(length + 2);
  });
});

describe('what is told', () => {
  it('[D2] that it is over, whatever happens while the word is on its way', async () => {
    const { c, instance } = await single();
    instance.trip();
    await c.adv(10_500);
    const step = () => instance.breaker.status().step;
    const good = () => {
      for (let n = 0; n < 3; n++) instance.acq()?.success(1);
    };
    for (let i = 0; i < 400 && step() !== 2; i++) await c.adv(50, good);
    instance.line.delayMs = 200;
    const by = { reason: 'test', actor: 'ann', resume: 'closed' } as const;
    for (let i = 0; i < 400 && instance.breaker.state !== 'closed'; i++) await c.adv(50, good);
    instance.breaker.override('forced_closed', by).release();
    await c.adv(3_000);
    expect(instance.events.map(({ type }) => type).slice(-3)).toEqual([
      'closed',
      'forced',
      'resumed',
    ]);
    expect(instance.sharing.status().phase).toBe('free');
  });

  it('[D2] a write that always comes too late is given up after 5 times', async () => {
    let epoch = 0;
    let swaps = 0;
    const store: SharedStore = {
      read: async () => ({ epoch, value: null, ageMs: 0 }),
      compareAndSet: async () => {
        swaps++;
        return { swapped: false, entry: { epoch: ++epoch, value: null, ageMs: 0 } };
      },
      announce: async () => 1,
      withdraw: async () => undefined,
    };
    const { c, instance } = await single({ store });
    instance.trip();
    await c.adv(50);
    expect(swaps).toBe(5);
    expect(instance.sharing.status()).toMatchObject({ lostRaces: 5, failures: 1 });
    expect(instance.problems.map(String)).toEqual([
      'Error: "inventory:adopt" changed 5 times under our hands',
    ]);
  });

  it('[D17] a race that is lost after the end is not run again, and no failure', async () => {
    const answers: ((result: SwapResult) => void)[] = [];
    const store: SharedStore = {
      read: async () => ({ epoch: 0, value: null, ageMs: 0 }),
      compareAndSet: () => new Promise((resolve) => answers.push(resolve)),
      announce: async () => 1,
      withdraw: async () => undefined,
    };
    const { c, instance } = await single({ store });
    instance.trip();
    await c.adv(50);
    instance.sharing.dispose();
    only(answers)({ swapped: false, entry: { epoch: 1, value: null, ageMs: 0 } });
    await c.adv(2_000);
    expect(answers).toHaveLength(1);
    expect(instance.sharing.status()).toMatchObject({ failures: 0, lostRaces: 1 });
  });
});

describe('leave to probe', () => {
  it('[D13] goes on from one step to the next', async () => {
    const { c, instance } = await single({}, wide);
    instance.trip();
    await c.adv(10_500);
    instance.line.delayMs = 400;
    let next: boolean | null = null;
    await c.adv(4_000, () => {
      for (let i = 0; i < 3; i++) instance.acq()?.success(1);
      if (instance.breaker.status().step === 1) next ??= letsIn(instance);
    });
    expect(next).toBe(true);
  });

  it('[D15] is not there without the store, however late the retry, until the store has failed', async () => {
    const { c, instance } = await single({}, wide);
    instance.host.paused = true;
    instance.trip();
    await c.adv(12_000);
    expect(letsIn(instance)).toBe(false);
    expect(instance.breaker.state).toBe('half_open');
    // Dead timers hear of no failure: after ten times `staleAfterMs` it goes on unasked.
    await c.adv(22_950);
    expect(letsIn(instance)).toBe(false);
    await c.adv(50);
    expect(letsIn(instance)).toBe(true);
  });

  it('[D15] a store that has just failed is waited for, also when the retry is due before', async () => {
    const open = { kind: 'fixed', baseMs: 1_000, jitter: 0 } as const;
    const { c, instance } = await single({}, { ...wide, open });
    instance.line.state = 'down';
    instance.trip();
    await c.adv(3_450);
    expect(instance.breaker.state).toBe('half_open');
    expect(letsIn(instance)).toBe(false);
    await c.adv(50);
    expect(letsIn(instance)).toBe(true);
  });

  it('[D15] a lease is used to its end, and the spread counts from there', async () => {
    const { c, instance } = await single({ localSpreadMs: 2_000 }, wide);
    instance.trip();
    await c.adv(10_050);
    expect(instance.sharing.status()).toMatchObject({ leading: true, sinceAnswerMs: 0 });
    instance.line.state = 'down';
    const changes: [number, boolean][] = [];
    await c.adv(6_000, () => {
      const now = letsIn(instance);
      const { sinceAnswerMs } = instance.sharing.status();
      if (changes.at(-1)?.[1] !== now) changes.push([sinceAnswerMs, now]);
    });
    // Nine tenths of 5,000 ms, and half of the spread.
    expect(changes).toEqual([
      [50, true],
      [4_500, false],
      [5_500, true],
    ]);
  });
});

describe('the end', () => {
  it('[D17] the instance is withdrawn, once', async () => {
    const c = cluster(2);
    await c.adv(2_500);
    const [gone, left] = [only(c.instances), only(c.instances, 1)];
    const { operations } = gone.line;
    gone.sharing.dispose();
    gone.sharing.dispose();
    await c.adv(1_000);
    expect(gone.line.operations).toBe(operations + 1);
    expect(left.sharing.status().instances).toBe(1);
  });

  it('[D17] a withdrawal that fails is reported', async () => {
    const { c, instance } = await single();
    instance.line.state = 'down';
    instance.sharing.dispose();
    await c.adv(50);
    expect(instance.problems.map(String)).toEqual(['Error: connection refused']);
  });
});
