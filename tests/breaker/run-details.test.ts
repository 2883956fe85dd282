/* oxlint-disable unicorn/no-thenable -- what is or is no promise is tried here */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { CallContext } from '@/lib/breaker';
import { bench, D } from './support';

const hang = () => new Promise<never>(() => undefined);

function gate() {
  const box: { resolve?: (value: number) => void } = {};
  const promise = new Promise<number>((resolve) => {
    box.resolve = resolve;
  });
  return { promise, resolve: (value: number) => box.resolve?.(value) };
}

/** Lets promises that are settled already go their way. */
async function turns(n = 5): Promise<void> {
  for (let i = 0; i < n; i++) await Promise.resolve();
}

describe('[B97] timers of run', () => {
  it('[case 87] a timeout of its own ends with its call, not when its time is over', async () => {
    const b = bench();
    await b.breaker.run(async () => 1, { timeoutMs: 9_000 });
    await b.breaker.run(() => Promise.reject(new Error('x')), { timeoutMs: 9_000 }).catch(() => 1);
    expect(b.clock.pending).toBe(0);
    const calls = [
      b.breaker.run(hang, { timeoutMs: 9_000 }),
      b.breaker.run(hang, { timeoutMs: 5 }),
    ];
    expect(b.clock.pending).toBe(2);
    b.adv(5);
    await expect(calls[1]).rejects.toMatchObject({ timeoutMs: 5 });
    expect(b.clock.pending).toBe(1);
  });

  it('a probe has its own, which ends with its life', async () => {
    const b = bench({ ...D, probeTimeoutFraction: 0.5 });
    b.trip();
    b.adv(10_000);
    const probe = b.breaker.run(hang);
    expect(b.clock.pending).toBe(1);
    b.adv(14_999);
    expect(b.status().inFlight).toBe(1);
    b.adv(1);
    await expect(probe).rejects.toMatchObject({ name: 'TimeoutError', timeoutMs: 15_000 });
    expect(b.clock.pending).toBe(0);
  });

  it('calls without one share a timer that looks once a second and goes when none is left', async () => {
    const b = bench({ ...D, callTimeoutMs: 3_500 });
    const gates = Array.from({ length: 3 }, () => gate());
    const calls = gates.map(({ promise }) => b.breaker.run(() => promise));
    expect(b.clock.pending).toBe(1);
    const seen: number[] = [];
    for (let i = 0; i < 3; i++) {
      b.adv(1_000);
      seen.push(b.clock.pending);
    }
    expect(seen).toEqual([1, 1, 1]);
    gates[1]?.resolve(7);
    await expect(calls[1]).resolves.toBe(7);
    b.adv(499);
    expect(b.status().inFlight).toBe(2);
    b.adv(1);
    await expect(calls[0]).rejects.toMatchObject({ timeoutMs: 3_500 });
    await expect(calls[2]).rejects.toMatchObject({ timeoutMs: 3_500 });
    expect(b.status().inFlight).toBe(0);
    b.adv(1_000);
    expect(b.clock.pending).toBe(0);
  });

  it('each call ends in its own time, whoever of the others has gone', async () => {
    for (const gone of [0, 1, 2]) {
      const b = bench({ ...D, callTimeoutMs: 1_500 });
      const gates = Array.from({ length: 3 }, () => gate());
      const ends: string[] = [];
      gates.forEach(({ promise }, i) => {
        void b.breaker
          .run(() => promise)
          .then(
            () => ends.push(`${i} ok`),
            () => ends.push(`${i} late at ${b.clock.now() - 1_000}`),
          );
        b.adv(100);
      });
      gates[gone]?.resolve(1);
      await turns();
      for (let i = 0; i < 30; i++) {
        b.adv(100);
        await turns();
      }
      const late = [0, 1, 2]
        .filter((i) => i !== gone)
        .map((i) => `${i} late at ${1_500 + i * 100}`);
      expect(ends).toEqual([`${gone} ok`, ...late]);
    }
  });

  it('a short life is looked at in time', async () => {
    const b = bench({ ...D, callTimeoutMs: 40 });
    const call = b.breaker.run(hang);
    b.adv(40);
    await expect(call).rejects.toMatchObject({ timeoutMs: 40 });
  });

  it('a timer that fires early looks again, no sooner than a millisecond later', async () => {
    const fires: (() => void)[] = [];
    const delays: number[] = [];
    let now = 0;
    const b = bench({
      ...D,
      callTimeoutMs: 40,
      clock: () => now,
      timer: {
        after: (ms, run) => {
          delays.push(ms);
          fires.push(run);
          return { cancel: () => undefined };
        },
      },
    });
    const call = b.breaker.run(hang);
    now = 39.7;
    fires.at(-1)?.();
    expect(delays).toEqual([40, 1]);
    now = 40;
    fires.at(-1)?.();
    await expect(call).rejects.toMatchObject({ timeoutMs: 40 });
    expect(delays).toEqual([40, 1]);
  });

  it('[B104] calls under way keep their limit when the breaker is disposed', async () => {
    const b = bench({ ...D, callTimeoutMs: 500 });
    const call = b.breaker.run(hang);
    b.breaker.dispose();
    expect(b.clock.pending).toBe(1);
    b.adv(500);
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    const idle = bench();
    await idle.breaker.run(async () => 1);
    expect(idle.clock.pending).toBe(1);
    idle.breaker.dispose();
    expect(idle.clock.pending).toBe(0);
  });

  it('[B104] a call that a disposed breaker lets pass has no limit but its own', async () => {
    const b = bench({ ...D, onDisposed: 'pass' });
    b.breaker.dispose();
    void b.breaker.run(hang);
    expect(b.clock.pending).toBe(0);
    const call = b.breaker.run(hang, { timeoutMs: 70 });
    b.adv(70);
    await expect(call).rejects.toMatchObject({ timeoutMs: 70 });
    expect(await b.breaker.run(async () => 5)).toBe(5);
  });
});

describe('[B93] the signal of a call', () => {
  it('is made when it is first read, also after the end', async () => {
    const b = bench();
    let context: CallContext | undefined;
    const call = b.breaker.run(
      (given) => {
        context = given;
        return hang();
      },
      { timeoutMs: 10 },
    );
    expect(context?.probe).toBe(false);
    b.adv(10);
    const error: unknown = await call.catch((e: unknown) => e);
    expect(context?.signal.aborted).toBe(true);
    expect(context?.signal.reason).toBe(error);
    expect(context?.signal).toBe(context?.signal);
  });

  it('carries the reason of the caller, to the call and out of it', async () => {
    const b = bench();
    const controller = new AbortController();
    const reason = new Error('enough');
    let seen: unknown;
    const call = b.breaker.run(
      ({ signal }) => {
        signal.addEventListener('abort', () => {
          seen = signal.reason;
        });
        return hang();
      },
      { signal: controller.signal },
    );
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(seen).toBe(reason);
    expect(b.status().counters.settled.cancelled).toBe(1);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('a reason that is nothing becomes an error', async () => {
    const b = bench();
    const target = new EventTarget();
    const signal = Object.assign(target, { aborted: false, reason: undefined }) as never;
    let context: CallContext | undefined;
    const call = b.breaker.run(
      (given) => {
        context = given;
        return hang();
      },
      { signal },
    );
    target.dispatchEvent(new Event('abort'));
    await expect(call).rejects.toThrow('aborted');
    expect(context?.signal.reason).toMatchObject({ message: 'aborted' });
    const gone = Object.assign(new EventTarget(), { aborted: true, reason: undefined }) as never;
    await expect(b.breaker.run(() => 1, { signal: gone })).rejects.toThrow('aborted');
  });

  it('what ends a call first decides; the rest changes nothing', async () => {
    const b = bench();
    const controller = new AbortController();
    const late = gate();
    const call = b.breaker.run(() => late.promise, { signal: controller.signal, timeoutMs: 50 });
    b.adv(50);
    controller.abort(new Error('late'));
    late.resolve(1);
    await expect(call).rejects.toMatchObject({ name: 'TimeoutError' });
    const failing = gate();
    const given = b.breaker.run(() => failing.promise, { signal: new AbortController().signal });
    failing.resolve(3);
    expect(await given).toBe(3);
    b.adv(60_000);
    expect(b.status().counters.settled).toMatchObject({ success: 1, timeout: 1, cancelled: 0 });
  });
});

const nameOf = (error: unknown) => Reflect.get(Object(error), 'name');

describe('[B90] [B95] ways out of run', () => {
  it.each([
    ['a promise', () => Promise.resolve(4)],
    ['a value', () => 4],
    ['something with then', () => ({ then: (done: (value: number) => void) => done(4) })],
    [
      'a function with then',
      () => Object.assign(() => 0, { then: (done: (n: number) => void) => done(4) }),
    ],
  ])('%s', async (_, work) => {
    const b = bench();
    expect(await b.breaker.run(work as () => Promise<number>)).toBe(4);
    expect(b.status()).toMatchObject({ inFlight: 0, counters: { settled: { success: 1 } } });
  });

  it.each([[null], [{ then: 5 }], [() => 1]])(
    'a value that only looks like a promise is a value: %o',
    async (value) => {
      const b = bench();
      const result: unknown = await b.breaker.run(() => ({ value }));
      expect(result).toEqual({ value });
      const raw = await b.breaker.run(() => value as never).catch((error: unknown) => error);
      expect(raw).toBe(value);
      expect(b.status().counters.settled.success).toBe(2);
    },
  );

  it.each([
    ['rejected_local', true],
    ['server_error', true],
    ['overload', true],
    ['timeout', true],
    ['refused', true],
    ['client_error', false],
    ['cancelled', false],
  ] as const)('the fallback for %s: %s', async (kind, answered) => {
    const b = bench({ ...D, classify: () => kind });
    const thrown = new Error(kind);
    const heard: unknown[] = [];
    const result = await b.breaker
      .run(() => Promise.reject(thrown), {
        fallback: (error) => {
          heard.push(error);
          return 'other';
        },
      })
      .catch((error: unknown) => error);
    expect(result).toBe(answered ? 'other' : thrown);
    expect(heard).toEqual(answered ? [thrown] : []);
    expect(b.status().counters.settled[kind]).toBe(1);
  });

  it('the fallback for a refusal hears the refusal, for a timeout the timeout', async () => {
    const b = bench();
    const late = b.breaker.run(hang, { timeoutMs: 20, fallback: nameOf });
    b.adv(20);
    expect(await late).toBe('TimeoutError');
    b.breaker.reset();
    b.trip();
    expect(await b.breaker.run(hang, { fallback: nameOf })).toBe('BreakerOpenError');
    const failing = b.breaker.run(hang, {
      fallback: () => {
        throw new Error('twice');
      },
    });
    await expect(failing).rejects.toThrow('twice');
  });

  it('[B94] an ignored error is passed on, with no fallback and no verdict', async () => {
    const b = bench({ ...D, ignore: () => true, classify: () => 'server_error' });
    const thrown = new Error('mine');
    const call = b.breaker.run(() => Promise.reject(thrown), { fallback: () => 1 });
    await expect(call).rejects.toBe(thrown);
    expect(b.status()).toMatchObject({
      window: { calls: 0 },
      counters: { settled: { ignored: 1 } },
    });
  });

  it('[B94] a filter that throws is reported; the known errors judge', async () => {
    const b = bench({
      ...D,
      ignore: () => {
        throw new Error('filter');
      },
    });
    const thrown = Object.assign(new Error('x'), { code: 'ETIMEDOUT' });
    await b.breaker.run(() => Promise.reject(thrown)).catch(() => undefined);
    expect(b.problems).toMatchObject([{ message: 'filter' }]);
    expect(b.status().counters.settled.timeout).toBe(1);
  });

  it('[B94] a filter must say true, a classification something', async () => {
    const b = bench({ ...D, ignore: () => 'yes' as never, classify: () => undefined });
    await b.breaker.run(() => Promise.reject(new Error('x'))).catch(() => undefined);
    expect(b.status().counters.settled).toMatchObject({ ignored: 0, server_error: 1 });
  });

  it('a refusal is no unhandled rejection when somebody listens a turn later', async () => {
    const b = bench();
    b.trip();
    const refused = b.breaker.run(() => 1);
    let state = 'waiting';
    void refused.catch(() => {
      state = 'refused';
    });
    expect(state).toBe('waiting');
    await turns();
    expect(state).toBe('refused');
  });
});
