import { describe, expect, it } from 'vitest';
import type { Baseline } from '@/lib/breaker/baseline';
import { isAbove, isLook, readLatency, recordLatency } from '@/lib/breaker/latency';
import { newLedger } from '@/lib/breaker/ledger';
import type { BreakerOptions } from '@/lib/breaker';
import { LatencyHistogram } from '@/lib/stats';
import { bench, D, R, withRecovery } from './support';

const whole = { kind: 'percent', share: 1 } as const;

function recovering(options: BreakerOptions, random = 0.5) {
  const b = bench(options, random);
  b.trip();
  b.adv(10_000);
  expect(b.breaker.state).toBe('half_open');
  return b;
}

/** Half-open, after 500 calls of 30 ms, one each 20 ms. */
function learned(options: BreakerOptions, latencyMs = 30) {
  const b = bench({
    ...options,
    window: { kind: 'time', durationMs: 1_000, buckets: 4 },
    trip: [{ kind: 'consecutive', failures: 4 }],
    slowMs: 10_000,
  });
  for (let i = 0; i < 500; i++) {
    b.acq().success(latencyMs);
    b.adv(20);
  }
  b.trip();
  b.adv(10_000);
  return b;
}

/** Five answers, one a second. */
function five(b: ReturnType<typeof bench>, latencyMs: number): string {
  for (let i = 0; i < 5; i++) {
    b.tryAcq()?.success(latencyMs);
    b.adv(1_000);
  }
  return b.breaker.state;
}

describe('half-open: admission', () => {
  it('[B40] in flight is asked before share, share before kind', () => {
    const b = recovering(withRecovery(R, { maxInFlight: 1, minProbeIntervalMs: 1e9 }));
    expect(b.reason(false)).toBe('kind');
    b.acq();
    expect(b.reason(false)).toBe('in_flight');
    const share = recovering(withRecovery(R, { maxInFlight: 9, minProbeIntervalMs: 1e9 }));
    share.acq();
    expect(share.reason(false)).toBe('share');
  });

  it('[B41] without a baseline 2, 8, 32, then no cap', () => {
    const caps: number[] = [];
    const b = recovering(
      withRecovery(R, {
        admission: { kind: 'ramp', steps: [1, 1, 1, 1] },
        maxInFlight: 'auto',
        minimumSuccesses: 1,
        stepMs: 1_000,
      }),
    );
    while (b.breaker.state === 'half_open') {
      const out = Array.from({ length: 500 }, () => b.tryAcq()).filter((p) => p !== null);
      caps.push(out.length);
      b.adv(1_000);
      for (const permit of out) permit.success(1);
    }
    expect(caps).toEqual([2, 8, 32, 500]);
  });

  it('[B42] what another limit refuses stays owed once, never more', () => {
    const b = recovering(
      withRecovery(R, {
        admission: { kind: 'percent', share: 0.5 },
        maxInFlight: 1,
        minProbeIntervalMs: 1e9,
      }),
    );
    const probe = b.acq();
    for (let i = 0; i < 100; i++) expect(b.reason()).toBe('in_flight');
    probe.success();
    b.acq().success();
    expect(b.reason()).toBe('granted');
    expect(['share', 'in_flight']).toContain(b.reason());
  });

  it('[B43] fixed admits so many a period and gives back what said nothing', () => {
    const b = recovering(
      withRecovery(R, {
        admission: { kind: 'fixed', calls: 2, periodMs: 1_000 },
        maxInFlight: 9,
        minimumSuccesses: 99,
        minProbeIntervalMs: 1e9,
      }),
    );
    b.acq().success();
    b.acq().cancel();
    b.acq().success();
    expect(b.reason()).toBe('share');
    b.adv(999);
    expect(b.reason()).toBe('share');
    b.adv(1);
    b.acq().success();
    b.acq().success();
    expect(b.reason()).toBe('share');
  });

  it('[W49] a period and a cap in flight hold together', () => {
    const b = recovering(
      withRecovery(R, {
        admission: { kind: 'fixed', calls: 3, periodMs: 1_000 },
        maxInFlight: 1,
        minimumSuccesses: 99,
        minProbeIntervalMs: 1e9,
      }),
    );
    for (let i = 0; i < 3; i++) {
      const probe = b.acq();
      expect(b.reason()).toBe('in_flight');
      probe.success();
    }
    expect(b.reason()).toBe('share');
  });

  it('[B44] those with a key take nothing from those without', () => {
    const b = recovering(
      withRecovery(R, {
        admission: { kind: 'sticky', steps: [0.5] },
        maxInFlight: 99,
        minimumSuccesses: 1e6,
        minProbeIntervalMs: 1e9,
      }),
    );
    b.acq().success();
    let without = 0;
    for (let i = 0; i < 200; i++) {
      const keyed = b.breaker.tryAcquire({ key: `customer-${i}` });
      if (keyed.granted) keyed.success(1);
      const other = b.tryAcq();
      other?.success(1);
      if (other !== null) without++;
    }
    expect(without).toBe(100);
  });

  it('[B44] an admission owed to those without a key is not spent by one that has one', () => {
    const b = recovering(
      withRecovery(R, {
        admission: { kind: 'sticky', steps: [0.5] },
        maxInFlight: 1,
        minimumSuccesses: 1e6,
        minProbeIntervalMs: 1e9,
      }),
    );
    const probe = b.acq();
    for (let i = 0; i < 2; i++) expect(b.reason()).toBe('in_flight');
    probe.success();
    const keyed = Array.from({ length: 20 }, (_, i) => b.breaker.tryAcquire({ key: `c-${i}` }));
    for (const permit of keyed) if (permit.granted) permit.success();
    expect(keyed.filter(({ granted }) => granted)).toHaveLength(1);
    expect(b.reason()).toBe('granted');
  });

  it('[B45] a step admits at most twice the rate of the step before, scaled by the shares', () => {
    const b = learned(
      withRecovery(R, {
        admission: { kind: 'ramp', steps: [0.1, 1] },
        maxInFlight: 99,
        minimumSuccesses: [5, 1e6],
        maxStepWaitMs: 1e9,
      }),
    );
    // One a second in the first step, so at most twenty a second in the second.
    while (b.status().step === 0) {
      b.tryAcq()?.success(1);
      b.adv(1_000);
    }
    let granted = 0;
    for (let i = 0; i < 10_000; i++) {
      b.adv(1);
      const permit = b.tryAcq();
      permit?.success(1);
      if (permit !== null) granted++;
    }
    expect(granted).toBeGreaterThan(100);
    expect(granted).toBeLessThanOrEqual(270);
  });

  it('[B47] progress: one call gets through when nothing is under way for an interval', () => {
    const b = recovering(
      withRecovery(R, {
        admission: { kind: 'percent', share: 0.0001 },
        maxInFlight: 9,
        minimumSuccesses: 2,
      }),
    );
    const probe = b.acq();
    b.adv(5_000);
    expect(b.reason()).toBe('share');
    probe.success();
    expect(b.reason()).toBe('granted');
    b.adv(999);
    expect(b.reason()).toBe('share');
  });

  it('[case 59] a cap below the minimum is a cap on what is under way; the ledger never ages', () => {
    const b = recovering({
      ...withRecovery(R, { admission: whole, maxInFlight: 1, minimumSuccesses: 4, stepMs: 0 }),
      window: { kind: 'time', durationMs: 1_000, buckets: 2 },
      trip: [{ kind: 'count', failures: 4 }],
    });
    for (let i = 0; i < 3; i++) {
      b.acq().success();
      b.adv(30_000);
    }
    expect(b.status().ledger?.successes).toBe(3);
    b.acq().success();
    expect(b.breaker.state).toBe('closed');
  });

  it('[case 38] [case 91] nobody waits in line: each call is answered at once, also an aborted one', async () => {
    const b = recovering(D);
    const controller = new AbortController();
    const probe = b.breaker.run(() => new Promise(() => undefined), { signal: controller.signal });
    const refused = await Promise.allSettled(
      Array.from({ length: 20 }, () => b.breaker.run(() => 1)),
    );
    expect(refused.map(({ status }) => status)).toEqual(Array.from(refused, () => 'rejected'));
    controller.abort();
    await expect(probe).rejects.toMatchObject({ name: 'AbortError' });
    expect(await b.breaker.run(() => 1)).toBe(1);
    expect(b.breaker.state).toBe('closed');
  });
});

describe('half-open: verdict', () => {
  it('[B50] connections refused in a row are the reason before the budget is', () => {
    const recovery = { admission: whole, maxInFlight: 9, failureBudget: 2 };
    const b = recovering(withRecovery(R, recovery));
    const probes = [b.acq(), b.acq(), b.acq()];
    for (const probe of probes) probe.failure('refused');
    expect(b.of('opened').at(-1)?.reason).toBe('refused');
    const other = recovering(withRecovery(R, { ...recovery, hardRefused: 3 }));
    for (const probe of [other.acq(), other.acq()]) probe.failure('refused');
    expect(other.of('opened').at(-1)?.reason).toBe('failures');
  });

  it('[B50] an answer ends a run of refused connections', () => {
    const b = recovering(
      withRecovery(R, { admission: whole, maxInFlight: 9, failureBudget: 9, minimumSuccesses: 9 }),
    );
    for (const kind of ['refused', 'server_error', 'refused', 'client_error', 'refused'] as const) {
      b.acq().failure(kind);
    }
    expect(b.breaker.state).toBe('half_open');
    b.acq().failure('refused');
    expect(b.breaker.state).toBe('open');
  });

  it('[B55] k of the last m is lost as soon as it cannot be reached', () => {
    const b = recovering(
      withRecovery(R, {
        admission: whole,
        maxInFlight: 9,
        failureBudget: 99,
        decision: { kind: 'windowRate', successes: 3, of: 4 },
      }),
    );
    b.acq().failure('server_error');
    expect(b.breaker.state).toBe('half_open');
    b.acq().failure('server_error');
    expect(b.of('opened').at(-1)?.reason).toBe('windowRate');
  });

  it('[B55] latencyMultiple judges by one quantile, and not at all without a baseline', () => {
    const recovery = {
      admission: whole,
      maxInFlight: 9,
      minimumSuccesses: 5,
      decision: { kind: 'latencyMultiple', multiple: 2 },
    } as const;
    expect(five(learned(withRecovery(R, recovery)), 100)).toBe('open');
    expect(five(learned(withRecovery(R, recovery)), 50)).toBe('closed');
    expect(five(recovering(withRecovery(R, recovery)), 5_000)).toBe('closed');
  });

  it('[W38] by default a target that fails every other call does not get through', () => {
    let closed = 0;
    for (let round = 0; round < 100; round++) {
      const b = bench({ window: D.window ?? { kind: 'count', size: 9 }, trip: D.trip ?? [] });
      b.trip();
      b.adv(20_000);
      let state = (round * 2_654_435_761) >>> 0;
      for (let i = 0; i < 400 && b.breaker.state === 'half_open'; i++) {
        b.adv(1_000);
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        const permit = b.tryAcq();
        if (state > 2 ** 31) permit?.success(1);
        else permit?.failure('server_error', 1);
      }
      if (b.types().includes('closed')) closed++;
    }
    expect(closed).toBe(0);
  });

  it('[W39] the documented default is 10, 30, 60 and 100 %', () => {
    const { recovery } = bench({}).breaker.config;
    expect(recovery.admission).toEqual({ kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] });
  });
});

describe('latency', () => {
  const normal = { p50: 10, p90: 20, p95: 30, p99: 50, samples: 1_000 };
  const like = (known: Partial<typeof normal> = {}): Baseline => ({
    ...normal,
    classes: {
      idempotent: { ...normal, ...known, histogram: new LatencyHistogram() },
      other: null,
    },
    slowestP99: 50,
    callsPerMs: 1,
    inFlight: 1,
    errorRate: 0,
  });
  const baseline = like();
  const after = (samples: number, known: Partial<typeof normal> = {}, latencyMs = 10) => {
    const ledger = newLedger(0, 10_000, 0, Infinity);
    const base = like(known);
    for (let i = 0; i < samples; i++) recordLatency(ledger, base, latencyMs, 0, true);
    return readLatency(ledger, base);
  };

  it('[B60] the quantile is the largest that the samples support, here and in the baseline', () => {
    const quantiles = [4, 5, 19, 20, 58, 59, 299, 300].map((n) => after(n)?.quantile ?? null);
    expect(quantiles).toEqual([null, 0.5, 0.5, 0.9, 0.9, 0.95, 0.95, 0.99]);
    const known = [20, 99, 100, 299, 300, 999, 1_000].map(
      (samples) => after(300, { samples })?.quantile,
    );
    expect(known).toEqual([0.5, 0.5, 0.9, 0.9, 0.95, 0.95, 0.99]);
  });

  it('[B60] each quantile is compared with the same one of the baseline', () => {
    expect([5, 20, 59, 300].map((n) => after(n)?.baselineMs)).toEqual([10, 20, 30, 50]);
  });

  it('[B61] it is looked at at fixed counts', () => {
    const looks = Array.from({ length: 1_000 }, (_, n) => n).filter(isLook);
    expect(looks).toEqual([5, 10, 20, 59, 100, 300, 600, 900]);
  });

  it('[B62] answers beyond the P99 hold when chance does not explain them', () => {
    const ledger = newLedger(0, 10_000, 0, Infinity);
    for (let i = 0; i < 94; i++) recordLatency(ledger, baseline, 10, 0, true);
    for (let i = 0; i < 5; i++) recordLatency(ledger, baseline, 60, 0, true);
    recordLatency(ledger, baseline, 10, 0, true);
    expect(readLatency(ledger, baseline)).toMatchObject({ exceeded: false });
    expect(after(100, {}, 60)).toMatchObject({ exceeded: true });
    expect(after(100, { samples: 999 }, 60)).toMatchObject({ exceeded: false });
  });

  it('[B62] below the floor nothing is slow', () => {
    const reading = after(20, {}, 70);
    expect(reading !== null && isAbove(reading, 3, 20)).toBe(true);
    expect(reading !== null && isAbove(reading, 3, 100)).toBe(false);
  });

  it('[W37] the deadline of a probe lies above the hold limit; timeouts weigh as endless', () => {
    const options = {
      ...withRecovery(R, {
        admission: whole,
        maxInFlight: 9,
        failureBudget: 99,
        latency: { holdMultiple: 3 },
      }),
      callTimeoutMs: 2_000,
      probeTimeoutFraction: 0.25,
    };
    const b = learned(options, 400);
    const probes = Array.from({ length: 5 }, () => {
      b.adv(100);
      return b.acq();
    });
    const [first] = probes;
    expect((first?.expiresAt ?? 0) - (first?.admittedAt ?? 0)).toBeGreaterThan(3 * 400);
    for (const probe of probes) probe.failure('timeout', 1);
    expect(b.status().hold?.cause).toBe('latency');
  });

  it('[B67] without latency rules nothing holds', () => {
    const b = learned(
      withRecovery(R, { admission: whole, latency: null, maxInFlight: 9, minimumSuccesses: 5 }),
    );
    const hanging = b.acq();
    for (let i = 0; i < 5; i++) {
      b.adv(100);
      b.acq().success(5_000);
    }
    b.breaker.noteLoopDelay(5_000);
    b.adv(15_000);
    hanging.success();
    b.breaker.tick();
    expect(b.types()).not.toContain('hold');
    expect(b.breaker.state).toBe('closed');
  });
});
