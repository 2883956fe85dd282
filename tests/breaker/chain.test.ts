import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chain, CircuitBreaker } from '@/lib/breaker';
import type { BreakerEvent, BreakerOptions, Permit } from '@/lib/breaker';
import { inFull, runs } from '@/tests/support/runs';
import { options } from './histories';
import { generator } from './player';
import { bench, D, R, withRecovery } from './support';

const kinds = ['client_error', 'server_error', 'refused', 'cancelled', 'ignored'] as const;
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('arrive'), idempotent: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('blocked'), idempotent: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('succeed'), ms: fc.constantFrom(1, 400) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail'), kind: fc.constantFrom(...kinds) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.constantFrom<number>(1, 300, 1_000) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** One breaker with its clock, its permits and what it said. */
class Side {
  now = 0;
  readonly breaker: CircuitBreaker;
  readonly events: BreakerEvent[] = [];
  readonly out: Permit[] = [];

  constructor(config: BreakerOptions, seed: number) {
    this.breaker = new CircuitBreaker('first', {
      ...config,
      clock: () => this.now,
      wallClock: () => 0,
      random: generator(seed),
    });
    this.breaker.on((event) => this.events.push(event));
  }

  arrive(idempotent: boolean): string {
    const permit = this.breaker.tryAcquire({ idempotent });
    if (permit.granted) this.out.push(permit);
    return permit.granted ? permit.role : permit.reason;
  }

  do(move: Step): string {
    if (move.do === 'arrive') return this.arrive(move.idempotent);
    if (move.do === 'succeed') return this.out.pop()?.success(move.ms) ?? '';
    if (move.do === 'fail') return this.out.pop()?.failure(move.kind) ?? '';
    if (move.do === 'wait') this.now += move.ms;
    return '';
  }

  get story(): unknown {
    return [this.breaker.status(), this.events, this.breaker.snapshot()];
  }
}

/** A breaker before one that always refuses, beside a twin that hears only of its own refusals. */
function compare(config: BreakerOptions, moves: readonly Step[], seed: number): string[] {
  const [chained, alone] = [new Side(config, seed), new Side(config, seed)];
  const shut = new CircuitBreaker('shut', { clock: () => 0 });
  shut.override('forced_open', { reason: 'test', actor: 'ann' });
  const both = chain(chained.breaker, shut);
  const handedBack: string[] = [];
  const trip: Step[] = Array.from({ length: 24 }, (_, i) =>
    i % 2 === 0 ? { do: 'arrive', idempotent: true } : { do: 'fail', kind: 'server_error' },
  );
  for (const move of [...moves, ...trip, { do: 'wait', ms: 15_000 } as const, ...moves]) {
    const answers = [chained.do(move), alone.do(move)];
    if (move.do === 'blocked') {
      const { state } = chained.breaker;
      const { idempotent } = move;
      const answer = both.tryAcquire({ idempotent });
      answers[0] = answer.granted ? 'granted' : answer.reason;
      if (answers[0] === 'forced_open') handedBack.push(state);
      answers[1] = answers[0] === 'forced_open' ? answers[0] : alone.arrive(idempotent);
    }
    expect(answers[0]).toBe(answers[1]);
    expect(chained.story).toEqual(alone.story);
  }
  return handedBack;
}

describe('[case 31] a chain whose later breaker refuses', () => {
  it('[B111] leaves an earlier one as if nobody had come, whatever its admission', () => {
    const total: Record<string, number> = {};
    const moves = fc.array(step, { minLength: 5, maxLength: 60 });
    fc.assert(
      fc.property(options, moves, fc.nat(), (config, list, seed) => {
        for (const state of compare(config, list, seed)) total[state] = (total[state] ?? 0) + 1;
      }),
      { numRuns: runs(120) },
    );
    expect(total['half_open']).toBeGreaterThan(inFull ? 100 : 0);
    expect(total['closed']).toBeGreaterThan(inFull ? 100 : 0);
  }, 60_000);

  it('[B111] keeps the one place, the share and the step clock of a recovery', () => {
    const first = bench(withRecovery(R, { maxInFlight: 1, minProbeIntervalMs: 1e9 }));
    first.trip();
    first.adv(10_000);
    const second = bench();
    second.trip();
    const both = chain(first.breaker, second.breaker);
    const before = first.status();
    for (let i = 0; i < 50; i++) expect(both.tryAcquire()).toMatchObject({ reason: 'open' });
    expect(first.status()).toEqual(before);
    expect(first.reason()).toBe('granted');
    expect(first.reason()).toBe('in_flight');
  });

  it('[B98] what all grant is part of the normal load of each', () => {
    const [first, second, alone] = [bench(D), bench(D), bench(D)];
    const both = chain(first.breaker, second.breaker);
    for (let i = 0; i < 200; i++) {
      const permit = both.tryAcquire();
      if (permit.granted) permit.success(30);
      alone.acq().success(30);
      for (const b of [first, second, alone]) b.adv(20);
    }
    const { baseline } = alone.breaker.snapshot();
    expect(baseline.callsPerMs).toBeCloseTo(0.05, 2);
    expect(first.breaker.snapshot().baseline).toEqual(baseline);
    expect(second.breaker.snapshot().baseline).toEqual(baseline);
  });

  it('[B111] a listener that settles in between makes it an answer without a verdict', () => {
    const first = bench(
      withRecovery(D, {
        maxInFlight: 2,
        admission: { kind: 'percent', share: 1 },
        minimumSuccesses: 5,
      }),
    );
    first.trip();
    first.adv(10_000);
    const held = first.acq();
    const second = bench();
    second.trip();
    second.adv(10_000);
    second.acq();
    // The second breaker becomes half-open within the chain's own look at it.
    const third = bench();
    third.trip();
    third.breaker.on(() => held.success());
    third.clock.jump(10_000);
    const chained = chain(first.breaker, third.breaker, second.breaker);
    expect(chained.tryAcquire()).toMatchObject({ granted: false, reason: 'in_flight' });
    expect(first.status()).toMatchObject({
      inFlight: 0,
      ledger: { admitted: 2, successes: 1 },
      counters: { settled: { rejected_local: 1 } },
    });
  });
});
