import { describe, expect, it } from 'vitest';
import { chain } from '@/lib/breaker';
import { bench, D, R, withRecovery } from './support';

const by = { reason: 'test', actor: 'ann' };
const callsPerMs = (b: ReturnType<typeof bench>) => b.breaker.snapshot().baseline.callsPerMs;

/** The second breaker turns half-open only when it is asked, so that the listener runs in between. */
function between(first: ReturnType<typeof bench>, onEvent: () => void) {
  const second = bench(D);
  second.breaker.limitProbes({ forMs: 0, againAfterMs: 1e9, sharedBy: 1, afterwardsSharedBy: 1 });
  second.trip();
  second.breaker.on(({ type }) => {
    if (type === 'half_open') onEvent();
  });
  second.adv(10_000);
  const answer = chain(first.breaker, second.breaker).tryAcquire();
  expect(answer).toMatchObject({ granted: false, reason: 'share' });
}

describe('[B111] what happens between leave and refusal stays', () => {
  it('an override: the permit is of another time, and late', () => {
    const first = bench(D);
    between(first, () => first.breaker.override('forced_closed', by));
    expect(first.status().counters).toMatchObject({ admitted: 1, late: 1 });
    expect(first.of('late_result')).toMatchObject([{ data: { outcome: 'rejected_local' } }]);
  });

  it('an override or the end, with a call under way: nothing is counted twice', () => {
    for (const end of ['override', 'dispose'] as const) {
      const first = bench(D);
      const under = first.acq();
      between(first, () => {
        if (end === 'dispose') first.breaker.dispose();
        else first.breaker.override('forced_closed', by);
      });
      expect(first.status()).toMatchObject({ inFlight: 0, counters: { admitted: 2, late: 1 } });
      expect(under.success(1)).toBe('late');
      expect(first.status().inFlight).toBe(0);
    }
  });

  it('an answer of another probe: the books go on, the place is free', () => {
    const first = bench(withRecovery(R, { admission: { kind: 'percent', share: 1 } }));
    first.trip();
    first.adv(10_000);
    const earlier = first.acq();
    between(first, () => earlier.success(1));
    const { counters, ledger, inFlight } = first.status();
    expect(ledger).toMatchObject({ successes: 1 });
    expect(counters).toMatchObject({ admitted: 6, probes: 2, settled: { rejected_local: 1 } });
    expect(inFlight).toBe(0);
  });

  it('a step on: the permit is of the step before', () => {
    const first = bench(
      withRecovery(R, {
        admission: { kind: 'ramp', steps: [1, 1] },
        stepMs: 0,
        minimumSuccesses: [1, 9],
      }),
    );
    first.trip();
    first.adv(10_000);
    const earlier = first.acq();
    between(first, () => earlier.success(1));
    const { step, ledger, counters } = first.status();
    expect(step).toBe(1);
    expect(ledger).toMatchObject({ admitted: 0, successes: 0 });
    expect(counters).toMatchObject({ admitted: 6, probes: 2, settled: { rejected_local: 1 } });
  });

  it('nothing: no trace', () => {
    const first = bench(withRecovery(R, { admission: { kind: 'percent', share: 1 } }));
    first.trip();
    first.adv(10_000);
    const before = first.status();
    between(first, () => undefined);
    expect(first.status()).toEqual(before);
  });
});

describe('[B98] leave of a chain', () => {
  it.each(['forced_closed', 'metrics_only', 'disabled'] as const)(
    'under %s is no part of the normal load',
    (kind) => {
      const b = bench(D);
      b.breaker.override(kind, by);
      for (let i = 0; i < 60; i++) {
        const permit = chain(b.breaker).tryAcquire();
        if (permit.granted) permit.success(5);
        b.adv(10);
      }
      expect(callsPerMs(b)).toBe(0);
    },
  );

  it('is counted once in shadow mode, as in any other', () => {
    const [b, alone] = [bench({ ...D, mode: 'shadow' }), bench({ ...D, mode: 'shadow' })];
    for (let i = 0; i < 60; i++) {
      const permit = chain(b.breaker).tryAcquire();
      if (permit.granted) permit.success(5);
      alone.acq().success(5);
      for (const one of [b, alone]) one.adv(10);
    }
    expect(callsPerMs(b)).toBeCloseTo(0.1, 10);
    expect(callsPerMs(alone)).toBeCloseTo(0.1, 10);
  });

  it('[B113] does not count a health check', () => {
    const b = bench(D);
    for (let i = 0; i < 60; i++) {
      b.acq().success(5);
      const check = chain(b.breaker).tryAcquire({ healthCheck: true });
      if (check.granted) check.success(5);
      b.adv(10);
    }
    expect(callsPerMs(b)).toBeCloseTo(0.1, 10);
  });

  it.each([
    { kind: 'disabled', admitted: 0 },
    { kind: 'forced_closed', admitted: 0 },
  ] as const)('[B111] handed back under $kind leaves no count', ({ kind, admitted }) => {
    const first = bench(D);
    first.breaker.override(kind, by);
    const before = first.status();
    const second = bench(D);
    second.trip();
    expect(chain(first.breaker, second.breaker).tryAcquire()).toMatchObject({ reason: 'open' });
    expect(first.status()).toEqual(before);
    expect(first.status().counters.admitted).toBe(admitted);
  });

  it('[B111] handed back under an override that hides a recovery takes nothing from it', () => {
    const first = bench(R);
    first.trip();
    first.adv(10_000);
    first.breaker.tick();
    first.breaker.override('forced_closed', by);
    const before = first.status();
    const second = bench(D);
    second.trip();
    expect(chain(first.breaker, second.breaker).tryAcquire()).toMatchObject({ reason: 'open' });
    expect(first.status()).toEqual(before);
  });
});
