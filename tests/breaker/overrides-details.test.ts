import { describe, expect, it } from 'vitest';
import type { AutomaticState, BreakerOptions } from '@/lib/breaker';
import { bench, D, R, withRecovery } from './support';

const by = { reason: 'drill', actor: 'ann' };

/** Three levels up, open. */
function raised(options: BreakerOptions) {
  const b = bench(options);
  b.trip();
  for (let i = 0; i < 3; i++) {
    b.adv(b.status().retryInMs ?? 0);
    b.acq().failure('server_error');
  }
  return b;
}

const exponential: BreakerOptions = {
  ...D,
  open: { kind: 'exponential', baseMs: 1_000, jitter: 0, maxMs: 60_000 },
};

describe('[B70] the end of an override', () => {
  it.each<[AutomaticState, object, object]>([
    ['closed', { level: 3 }, { state: 'closed', retryInMs: null }],
    [
      'open',
      { level: 3, openTimeoutMs: 8_000, retryInMs: 8_000 },
      { state: 'open', retryInMs: 8_000 },
    ],
    ['half_open', { level: 3 }, { state: 'half_open', step: 0, retryInMs: null }],
  ])('in %s is a fresh record, with the level of before', (resume, data, status) => {
    const b = raised(exponential);
    const before = b.status();
    const handle = b.breaker.override('disabled', { ...by, id: 'o-7', resume });
    b.adv(500);
    expect(handle.release()).toBe(true);
    expect(b.events.at(-1)).toMatchObject({ type: 'resumed', to: resume, reason: 'released' });
    expect(b.events.at(-1)?.data).toEqual({
      cause: 'override_ended',
      overrideId: 'o-7',
      actor: 'ann',
      ...data,
    });
    expect(b.status()).toMatchObject({
      ...status,
      level: 3,
      epoch: before.epoch + 2,
      stepSeq: before.stepSeq + 1,
      override: null,
    });
    expect(handle.release()).toBe(false);
  });

  it('by time says so', () => {
    const b = bench();
    b.breaker.override('disabled', { ...by, expiresInMs: 500 });
    b.adv(800);
    b.breaker.tick();
    expect(b.events.at(-1)).toMatchObject({ type: 'resumed', reason: 'expired', monoMs: 1_500 });
  });

  it('of an older one leaves the newer in force, and is no event', () => {
    const b = bench();
    const older = b.breaker.override('disabled', by);
    b.breaker.override('forced_open', by);
    const events = b.events.length;
    expect(older.release()).toBe(true);
    expect(b.events).toHaveLength(events);
    expect(b.breaker.overrides()).toHaveLength(1);
    expect(older.release()).toBe(false);
  });

  it('in closed is no relapse, has no guard and pending calls count there', () => {
    const b = bench({
      ...exponential,
      recovery: { ...D.recovery, guardMs: 30_000 },
      trip: [
        { kind: 'consecutive', failures: 4 },
        { kind: 'slow', slowMs: 100, rate: 1, minimumCalls: 2, pending: true },
      ],
    });
    b.breaker.override('disabled', { ...by, expiresInMs: 10 });
    b.adv(10);
    for (let i = 0; i < 3; i++) b.acq().failure('server_error');
    expect(b.breaker.state).toBe('closed');
    b.acq().failure('server_error');
    expect(b.status()).toMatchObject({ state: 'open', level: 0 });
    b.breaker.reset();
    b.breaker.override('disabled', { ...by, expiresInMs: 10 });
    b.adv(10);
    b.acq();
    b.acq();
    b.adv(100);
    expect(b.of('opened').at(-1)?.reason).toBe('slow');
  });

  it('in half-open holds on pending probes, with no events of calls before it', () => {
    const b = bench({ ...withRecovery(R, { latency: { maxHoldMs: 9_000 } }), slowMs: 100 });
    b.breaker.override('forced_open', { ...by, expiresInMs: 10 });
    b.adv(10);
    b.acq();
    b.adv(100);
    expect(b.of('hold')).toMatchObject([{ reason: 'pending', monoMs: 1_110 }]);
  });

  it('[B31] [B32] begins an outage unless it is closed', () => {
    const adaptive: BreakerOptions = {
      ...D,
      open: { kind: 'adaptive', baseMs: 1_000, jitter: 0, maxMs: 100_000, factor: 1 },
    };
    const learned = (resume: AutomaticState) => {
      const b = bench(adaptive);
      b.breaker.override('forced_open', { ...by, expiresInMs: 700, resume });
      b.adv(700);
      if (resume === 'closed') b.trip();
      b.adv(b.status().retryInMs ?? 0);
      b.adv(200);
      b.acq().success();
      return b.breaker.snapshot().outageMs;
    };
    expect(learned('open')).toBe(500);
    expect(learned('half_open')).toBe(0);
    expect(learned('closed')).toBe(500);
  });

  it('[B74] a shadow breaker goes on watching, however it should resume', () => {
    const b = bench({ ...exponential, mode: 'shadow' });
    for (const resume of ['open', 'half_open', 'closed'] as const) {
      b.breaker.override('forced_open', { ...by, resume }).release();
      expect(b.status()).toMatchObject({ state: 'metrics_only', automatic: 'closed' });
    }
    b.breaker.reset();
    expect(b.breaker.state).toBe('metrics_only');
  });
});

describe('[B75] reset', () => {
  it('is a new time: epoch, level, flights and its own event', () => {
    const b = raised(exponential);
    const { epoch, stepSeq } = b.status();
    b.breaker.reset();
    expect(b.events.at(-1)).toMatchObject({ type: 'reset', reason: 'reset', to: 'closed' });
    expect(b.events.at(-1)?.data).toEqual({ cause: 'reset', level: 0 });
    expect(b.status()).toMatchObject({ epoch: epoch + 1, stepSeq, level: 0, state: 'closed' });
  });

  it('makes calls under way late and no trip after it a relapse', () => {
    const b = bench(exponential);
    b.trip();
    b.adv(1_000);
    b.acq().success();
    const out = b.acq();
    b.breaker.reset();
    expect(out.failure('refused')).toBe('late');
    b.trip();
    expect(b.status()).toMatchObject({ level: 0, openTimeoutMs: 1_000 });
  });

  it('calls of after it become pending like any other', () => {
    const b = bench({
      ...D,
      trip: [{ kind: 'slow', slowMs: 100, rate: 1, minimumCalls: 1, pending: true }],
    });
    b.breaker.reset();
    b.acq();
    b.adv(100);
    expect(b.breaker.state).toBe('open');
  });

  it('has no guard period', () => {
    const b = bench({ ...D, recovery: { ...D.recovery, guardMs: 30_000 } });
    b.breaker.reset();
    for (const _ of [1, 2, 3]) b.acq().failure('server_error');
    expect(b.breaker.state).toBe('closed');
  });
});

describe('listeners and ends', () => {
  it('[B84] who stopped listening to settlements hears no more; others do', () => {
    const b = bench();
    const heard: string[] = [];
    const listener = () => heard.push('one');
    const stop = b.breaker.onSettle(listener);
    b.breaker.onSettle(listener);
    b.breaker.onSettle(() => heard.push('two'));
    b.acq().success();
    stop();
    b.acq().success();
    expect(heard).toEqual(['one', 'one', 'two', 'one', 'two']);
    stop();
    b.acq().success();
    expect(heard).toHaveLength(7);
  });

  it('[B104] a disposed breaker takes no listeners, says goodbye once and is due for nothing', () => {
    const b = bench();
    let settled = 0;
    b.breaker.onSettle(() => settled++);
    const out = b.acq();
    b.breaker.dispose();
    const heard: unknown[] = [];
    b.breaker.on((event) => heard.push(event))();
    b.breaker.on((event) => heard.push(event));
    b.breaker.onSettle(() => heard.push('settled'))();
    b.breaker.onSettle(() => heard.push('settled'));
    out.success();
    b.breaker.dispose();
    b.breaker.reset();
    expect(heard).toEqual([]);
    expect(settled).toBe(0);
    expect(b.events.map(({ type, reason, data }) => [type, reason, data])).toEqual([
      ['disposed', 'disposed', {}],
    ]);
    expect(b.breaker.healthy()).toBe(false);
    expect(b.breaker.override('disabled', { ...by, id: 'x' })).toMatchObject({ id: 'x' });
    expect(b.breaker.override('disabled', by)).toMatchObject({ id: 'disposed', kind: 'disabled' });
    expect(b.breaker.overrides()).toEqual([]);
  });

  it('[B36] healthy() helps an open breaker only, and only when it helps', () => {
    const b = bench({ ...D, open: { kind: 'fixed', baseMs: 10_000, jitter: 0, minMs: 1_000 } });
    expect(b.breaker.healthy()).toBe(false);
    b.trip();
    const handle = b.breaker.override('forced_open', { ...by, resume: 'open' });
    expect(b.breaker.healthy()).toBe(false);
    handle.release();
    b.adv(4_000);
    expect(b.breaker.healthy()).toBe(true);
    expect(b.breaker.state).toBe('half_open');
    expect(b.of('half_open').at(-1)?.monoMs).toBe(b.clock.now());
    expect(b.breaker.healthy()).toBe(false);
    b.acq().failure('server_error');
    expect(b.breaker.healthy()).toBe(true);
    expect(b.status().retryInMs).toBe(1_000);
    b.adv(100);
    expect(b.breaker.healthy()).toBe(false);
    expect(b.status().retryInMs).toBe(900);
    const least = bench({ ...D, open: { kind: 'fixed', baseMs: 1_000, jitter: 0, minMs: 1_000 } });
    least.trip();
    expect(least.breaker.healthy()).toBe(false);
  });

  it('an event is delivered once, also when its listener causes none', () => {
    const b = bench();
    const order: string[] = [];
    b.breaker.on(({ type }) => {
      order.push(type);
      if (type === 'forced') b.breaker.tick();
    });
    b.breaker.override('disabled', by).release();
    expect(order).toEqual(['forced', 'resumed']);
    b.breaker.on(({ type }) => {
      if (type === 'reset') b.breaker.dispose();
    });
    b.breaker.reset();
    expect(order).toEqual(['forced', 'resumed', 'reset', 'disposed']);
  });

  it('what nobody heard is numbered all the same', () => {
    const b = bench();
    b.breaker.reset();
    const late: number[] = [];
    b.breaker.on(({ seq }) => late.push(seq));
    b.breaker.reset();
    expect(late).toEqual([2]);
    expect(b.events.map(({ seq }) => seq)).toEqual([1, 2]);
  });
});
