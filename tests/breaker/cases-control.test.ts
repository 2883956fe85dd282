import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerEvent, BreakerOptions } from '@/lib/breaker';
import { bench, D, R, withRecovery } from './support';

const by = { reason: 'drill', actor: 'ann' };

function settle(b: ReturnType<typeof bench>, n: number, latencyMs: number): void {
  for (let i = 0; i < n; i++) {
    b.acq().success(latencyMs);
    b.adv(20);
  }
}

describe('overrides', () => {
  it('[B73] [case 64] a forced-open breaker stays so, whatever was due', () => {
    const b = bench();
    b.trip();
    b.breaker.override('forced_open', by);
    b.adv(60_000);
    expect(b.breaker.state).toBe('forced_open');
    expect(b.reason()).toBe('forced_open');
  });

  it('[case 81] the effective state is the override, the automatic one stays visible', () => {
    const b = bench();
    b.trip();
    b.breaker.override('forced_closed', by);
    expect(b.status()).toMatchObject({ state: 'forced_closed', automatic: 'open', override: by });
    expect(b.reason()).toBe('granted');
  });

  it('[B70] overlapping handles: the newest is in force, an older one resumes, the end is T9', () => {
    const b = bench();
    const first = b.breaker.override('forced_open', by);
    const second = b.breaker.override('metrics_only', by);
    expect(b.breaker.state).toBe('metrics_only');
    expect(second.release()).toBe(true);
    expect(b.breaker.state).toBe('forced_open');
    expect(second.release()).toBe(false);
    expect(first.release()).toBe(true);
    expect(b.breaker.state).toBe('half_open');
    expect(b.types()).toEqual(['forced', 'forced', 'forced', 'resumed']);
  });

  it('releasing an older handle leaves the newer in force', () => {
    const b = bench();
    const first = b.breaker.override('forced_open', by);
    b.breaker.override('forced_closed', by);
    first.release();
    expect(b.breaker.state).toBe('forced_closed');
  });

  it('ends by itself at its due instant', () => {
    const b = bench();
    b.breaker.override('forced_open', { ...by, expiresInMs: 5_000 });
    expect(b.breaker.nextDueAt()).toBe(6_000);
    b.adv(90_000);
    expect(b.breaker.state).toBe('half_open');
    expect(b.of('resumed')[0]).toMatchObject({ monoMs: 6_000, reason: 'expired' });
  });

  it.each([
    ['closed', 'closed'],
    ['open', 'open'],
    ['half_open', 'half_open'],
  ] as const)('resumes %s when asked', (resume, state) => {
    const b = bench();
    b.breaker.override('disabled', { ...by, resume }).release();
    expect(b.breaker.state).toBe(state);
  });

  it('[B71] [I24] nothing from before has influence after', () => {
    const b = bench();
    const old = b.acq();
    for (let i = 0; i < 3; i++) b.acq().failure('server_error');
    const hold = b.breaker.override('disabled', by);
    const bypass = b.acq();
    hold.release();
    expect(old.failure('server_error')).toBe('late');
    expect(bypass.failure('server_error')).toBe('late');
    expect(b.status().window.calls).toBe(0);
    expect(b.breaker.state).toBe('closed');
  });

  it('[B72] [case 80] disabled passes everything and records nothing', () => {
    const b = bench();
    b.breaker.override('disabled', by);
    const before = b.status();
    for (let i = 0; i < 20; i++) expect(b.acq().failure('server_error')).toBe('bypassed');
    expect(b.status()).toEqual(before);
    expect(b.types()).toEqual(['forced']);
  });

  it.each(['forced_closed', 'metrics_only'] as const)(
    '[B72] [I25] %s reports crossings on edges and never trips',
    (kind) => {
      const b = bench();
      b.breaker.override(kind, by);
      for (let i = 0; i < 10; i++) b.acq().failure('server_error');
      for (let i = 0; i < 10; i++) b.acq().success();
      for (let i = 0; i < 10; i++) b.acq().failure('server_error');
      expect(b.types()).toEqual(['forced', 'would_trip', 'would_recover', 'would_trip']);
      expect(b.breaker.state).toBe(kind);
    },
  );

  it('[case 78] two policies that cross at once are one event each', () => {
    const b = bench({
      ...D,
      mode: 'shadow',
      trip: [
        { kind: 'consecutive', failures: 4 },
        { kind: 'ratio', rate: 0.5, minimumCalls: 4 },
      ],
    });
    for (let i = 0; i < 8; i++) b.acq().failure('server_error');
    expect(b.of('would_trip').map((event) => event.reason)).toEqual(['consecutive', 'ratio']);
  });

  it('[B74] shadow mode judges and never rejects', () => {
    const b = bench({ ...D, mode: 'shadow' });
    expect(b.breaker.state).toBe('metrics_only');
    for (let i = 0; i < 50; i++) b.acq().failure('server_error');
    expect(b.types()).toEqual(['would_trip']);
    b.breaker.override('forced_open', by).release();
    expect(b.breaker.state).toBe('metrics_only');
  });

  it('[B75] reset ends overrides and leaves a fresh closed breaker', () => {
    const b = bench();
    b.trip();
    const hold = b.breaker.override('forced_open', by);
    b.breaker.reset();
    expect(b.status()).toMatchObject({
      state: 'closed',
      level: 0,
      override: null,
      window: { calls: 0 },
    });
    expect(hold.release()).toBe(false);
  });
});

describe('events', () => {
  it('[B6] [W27] [case 83] [case 84] come after the commit; a listener sees and may call the breaker', () => {
    const b = bench();
    const seen: string[] = [];
    b.breaker.on((event) => {
      seen.push(`${event.to} ${b.breaker.state} ${b.reason()}`);
    });
    b.trip();
    expect(seen).toEqual(['open open open']);
  });

  it('[B81] [case 40] [S11] a throwing listener is reported and skipped', () => {
    const b = bench();
    const after: string[] = [];
    b.breaker.on(() => {
      throw new Error('listener');
    });
    b.breaker.on((event) => after.push(event.type));
    b.trip();
    b.adv(10_000);
    b.acq().success();
    expect(after).toEqual(['opened', 'half_open', 'closed']);
    expect(b.problems).toHaveLength(3);
  });

  it('[B80] a listener that acts queues its events behind', () => {
    const b = bench();
    const order: string[] = [];
    b.breaker.on((event) => {
      if (event.type === 'opened') b.breaker.reset();
    });
    b.breaker.on((event) => order.push(`${event.seq} ${event.type}`));
    b.trip();
    expect(order).toEqual(['1 opened', '2 reset']);
  });

  it('carry the whole shape and cannot be changed', () => {
    const b = bench();
    b.trip();
    expect(b.events[0]).toEqual({
      seq: 1,
      type: 'opened',
      from: 'closed',
      to: 'open',
      automatic: 'open',
      reason: 'ratio',
      epoch: 1,
      step: null,
      stepSeq: 0,
      monoMs: 1_000,
      wallMs: 1_700_000_001_000,
      data: {
        cause: 'trip',
        calls: 4,
        failures: 4,
        slow: 0,
        rate: 1,
        threshold: 0.5,
        openTimeoutMs: 10_000,
        retryInMs: 10_000,
        level: 0,
      },
    });
    expect(Object.isFrozen(b.events[0]) && Object.isFrozen(b.events[0]?.data)).toBe(true);
  });

  it('a listener that has left hears nothing', () => {
    const b = bench();
    const seen: BreakerEvent[] = [];
    const leave = b.breaker.on((event) => seen.push(event));
    leave();
    b.trip();
    expect(seen).toEqual([]);
  });

  it('[B84] settlements are told once each, expiry included', () => {
    const b = bench();
    const told: string[] = [];
    b.breaker.onSettle((s) => told.push(`${s.outcome} ${s.receipt} ${s.latencyMs} ${s.inFlight}`));
    const a = b.acq();
    const c = b.acq();
    a.success(7);
    a.success(7);
    b.adv(30_000);
    c.success(1);
    expect(told).toEqual(['success counted 7 1', 'timeout expired 30000 0']);
  });
});

describe('snapshot, restore, dispose', () => {
  it('[B101] [I28] [case 92] shares nothing and survives JSON', () => {
    const b = bench();
    b.trip();
    const saved = b.breaker.snapshot();
    const copy = JSON.parse(JSON.stringify(saved));
    expect(copy).toEqual(saved);
    const before = b.status();
    copy.overrides.push('x');
    expect(b.status()).toEqual(before);
  });

  it.each([
    [4_000, 'open', 6_000],
    [-5_000, 'open', 10_000],
    [10_000, 'half_open', null],
  ] as const)(
    '[B102] [case 93] [S5] an open breaker restored %i ms later is %s',
    (awayMs, state, retryInMs) => {
      const b = bench({ ...D, open: { kind: 'exponential', baseMs: 10_000, jitter: 0 } });
      b.trip();
      const saved = b.breaker.snapshot();
      const restored = CircuitBreaker.restore(
        'inventory',
        { ...D, clock: () => 77, wallClock: () => saved.takenAtWallMs + awayMs },
        saved,
      );
      expect(restored.status()).toMatchObject({ state, retryInMs });
      expect(restored.status().epoch).toBeGreaterThan(saved.epoch);
    },
  );

  it('[B102] half-open comes back at step 0; a recovery just closed is guarded', () => {
    const b = bench(R);
    b.trip();
    b.adv(10_000);
    b.acq();
    const halfOpen = CircuitBreaker.restore('x', { ...R, clock: () => 0 }, b.breaker.snapshot());
    expect(halfOpen.status()).toMatchObject({ state: 'half_open', step: 0, inFlight: 0 });
    b.healthy('closed', 100);
    const options = withRecovery(R, { guardMs: 30_000 });
    const closed = CircuitBreaker.restore(
      'x',
      { ...options, clock: () => 0 },
      b.breaker.snapshot(),
    );
    for (let i = 0; i < 2; i++) {
      const permit = closed.tryAcquire();
      if (permit.granted) permit.failure('server_error');
    }
    expect(closed.state).toBe('open');
  });

  it('live overrides come back with their handles, ended ones have resumed', () => {
    const b = bench();
    b.breaker.override('forced_open', { ...by, expiresInMs: 5_000 });
    const saved = b.breaker.snapshot();
    const at = (awayMs: number) =>
      CircuitBreaker.restore(
        'x',
        { ...D, clock: () => 0, wallClock: () => saved.takenAtWallMs + awayMs },
        saved,
      );
    const live = at(1_000);
    expect(live.status()).toMatchObject({ state: 'forced_open', override: { remainingMs: 4_000 } });
    expect(live.overrides()[0]?.release()).toBe(true);
    expect(live.state).toBe('half_open');
    expect(at(5_000).state).toBe('half_open');
  });

  it.each([[null], ['x'], [{ version: 9 }], [{ version: 1 }]])(
    '[B103] what cannot be read (%#) starts afresh, with a warning',
    (saved) => {
      const problems: unknown[] = [];
      const breaker = CircuitBreaker.restore(
        'x',
        { clock: () => 0, onProblem: (p) => problems.push(p) },
        saved,
      );
      expect(breaker.status()).toMatchObject({ state: 'closed', epoch: 0 });
      expect(problems).toHaveLength(1);
    },
  );

  it.each([
    ['reject', false],
    ['pass', true],
  ] as const)('[B104] [I29] [case 90] after dispose calls %s', (onDisposed, granted) => {
    const b = bench({ ...D, onDisposed });
    const out = b.acq();
    b.trip();
    b.breaker.dispose();
    b.breaker.dispose();
    expect(b.of('disposed')).toHaveLength(1);
    expect(out.success()).toBe('late');
    const permit = b.breaker.tryAcquire();
    expect(permit.granted).toBe(granted);
    expect(permit.granted ? permit.success() : permit.reason).toBe(granted ? 'late' : 'disposed');
    b.adv(1e9);
    expect(b.breaker.nextDueAt()).toBeNull();
    expect(b.breaker.override('forced_open', by).release()).toBe(false);
    b.breaker.reset();
    expect(b.events.at(-1)?.type).toBe('disposed');
    expect(b.status().inFlight).toBe(0);
  });

  it('a breaker disposed by its own listener still says goodbye', () => {
    const b = bench();
    b.breaker.on((event) => {
      if (event.type === 'opened') b.breaker.dispose();
    });
    b.trip();
    expect(b.types()).toEqual(['opened', 'disposed']);
  });
});

describe('latency hold', () => {
  const learned: BreakerOptions = {
    ...withRecovery(R, {
      minimumSuccesses: 5,
      latency: { maxHoldMs: 30_000 },
      admission: { kind: 'percent', share: 1 },
      maxInFlight: 50,
      maxHalfOpenMs: 1e9,
    }),
    window: { kind: 'time', durationMs: 1_000, buckets: 4 },
    trip: [{ kind: 'consecutive', failures: 4 }],
    slowMs: 10_000,
  };
  const slow = () => {
    const b = bench(learned);
    settle(b, 500, 30);
    b.trip();
    b.adv(10_000);
    return b;
  };

  it('[B62] [B64] [W17] [case 105] holds above three times the baseline, releases below twice', () => {
    const b = slow();
    expect(b.status().baseline?.p50).toBeCloseTo(30, 0);
    settle(b, 5, 100);
    expect(b.status().hold?.cause).toBe('latency');
    expect(b.of('hold')[0]?.data).toMatchObject({ quantile: 0.5, samples: 5 });
    b.adv(6_000);
    expect(b.breaker.state).toBe('half_open');
    settle(b, 5, 31);
    expect(b.status().hold).toBeNull();
    expect(b.of('release')).toHaveLength(1);
    b.healthy('closed', 100, 200);
    expect(b.breaker.state).toBe('closed');
  });

  it('[case 105] at one and a half times the baseline it goes on', () => {
    const b = slow();
    settle(b, 300, 45);
    expect(b.types()).not.toContain('hold');
    expect(b.breaker.state).toBe('closed');
  });

  it('[case 104] three samples decide nothing', () => {
    const b = slow();
    settle(b, 3, 5_000);
    b.adv(6_000);
    expect(b.status()).toMatchObject({ state: 'half_open', hold: null });
  });

  it('[B65] [I32] a hold that lasts too long falls back', () => {
    const b = slow();
    settle(b, 5, 100);
    const since = b.of('hold')[0]?.monoMs ?? 0;
    b.adv(40_000);
    expect(b.of('opened').at(-1)).toMatchObject({
      monoMs: since + 30_000,
      data: { cause: 'hold_limit' },
    });
  });

  it('[B62] [B63] more than half of the calls pending too long is a hold', () => {
    const b = bench({ ...learned, slowMs: 1_000 });
    b.trip();
    b.adv(10_000);
    const calls = [b.acq(), b.acq(), b.acq()];
    b.adv(2_000);
    expect(b.of('hold')[0]).toMatchObject({ monoMs: 12_000, reason: 'pending' });
    for (const call of calls) call.success();
    expect(b.of('release')).toHaveLength(1);
  });

  it('[B62] [B65] a late event loop holds with cause self and never falls back for it', () => {
    const b = slow();
    b.acq().success(30);
    b.breaker.noteLoopDelay(500);
    expect(b.status().hold?.cause).toBe('self');
    b.adv(31_000);
    expect(b.status()).toMatchObject({ state: 'half_open', hold: null });
  });

  it('[B45] [W20] [I9] a backlog gets a share of the normal rate, not of itself', () => {
    const b = bench({
      ...learned,
      recovery: {
        ...learned.recovery,
        admission: { kind: 'percent', share: 0.1 },
        minimumSuccesses: 1_000,
      },
    });
    settle(b, 500, 30);
    b.trip();
    b.adv(10_000);
    let granted = 0;
    for (let i = 0; i < 5_000; i++) {
      b.adv(1);
      const permit = b.tryAcq();
      permit?.success(30);
      if (permit !== null) granted++;
    }
    // 50 a second before, of which a tenth and a fifth more, for 5 s; then the burst and grants.
    expect(granted).toBeGreaterThanOrEqual(25);
    expect(granted).toBeLessThanOrEqual(30 + 1 + 6);
    expect(b.status().counters.rejected.rate).toBeGreaterThan(100);
  });

  it('[B41] the in-flight cap follows what the normal load keeps under way', () => {
    const b = bench({
      ...learned,
      recovery: {
        ...learned.recovery,
        maxInFlight: 'auto',
        admission: { kind: 'percent', share: 0.5 },
        minProbeIntervalMs: 0,
      },
    });
    // One call per 20 ms that takes 200 ms: ten under way; twice the half of it is ten.
    settle(b, 500, 200);
    b.trip();
    b.adv(10_000);
    let granted = 0;
    for (let i = 0; i < 2_000; i++) {
      b.adv(5);
      if (b.tryAcq() !== null) granted++;
    }
    expect(b.status().inFlight).toBeLessThanOrEqual(11);
    expect(granted).toBeGreaterThanOrEqual(9);
  });

  it('[B66] nothing is learned in the last window before a trip', () => {
    const b = bench(learned);
    settle(b, 400, 30);
    settle(b, 49, 4_000);
    b.trip();
    expect(b.status().baseline?.p99).toBeLessThan(40);
  });
});
