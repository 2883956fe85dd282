import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BreakerEvent, BreakerOptions, Permit, Receipt, Settlement } from '@/lib/breaker';
import { acquire } from '@/lib/breaker/acquire';
import { createCore } from '@/lib/breaker/core';
import { advance } from '@/lib/breaker/due';
import type { Settler } from '@/lib/breaker/permit';
import { settle, settleByRule } from '@/lib/breaker/settle';
import { statusOf } from '@/lib/breaker/status';
import { inFull, runs } from '@/tests/support/runs';
import { history, options } from './histories';
import type { Command, Result } from './histories';
import { generator } from './player';
import { bench, D } from './support';

/** A breaker without its shell, so that the way in which permits are settled can be chosen. */
function bare(config: BreakerOptions, seed: number, book: typeof settle, clock: { now: number }) {
  const core = createCore('bare', {
    ...config,
    clock: () => clock.now,
    wallClock: () => 1e12 + clock.now,
    random: generator(seed),
  });
  const events: BreakerEvent[] = [];
  const settlements: Settlement[] = [];
  core.events.add((event) => events.push(event));
  core.settlements.push((settlement) => settlements.push(settlement));
  const settler: Settler = {
    settle(permit, outcome, latencyMs, hintMs) {
      advance(core);
      const receipt = book(core, permit, outcome, latencyMs, hintMs);
      core.events.flush();
      return receipt;
    },
  };
  const out: Permit[] = [];
  const receipts: Receipt[] = [];
  return {
    events,
    receipts,
    settlements,
    arrive(idempotent: boolean): void {
      advance(core);
      const permit = acquire(core, settler, { idempotent });
      core.events.flush();
      if (permit.granted) out.push(permit);
    },
    finish(pick: number, outcome: Result, latencyMs: number | undefined): void {
      const [permit] = out.splice(Math.floor(pick * (out.length - 1)), 1);
      if (permit === undefined) return;
      receipts.push(
        outcome === 'success' ? permit.success(latencyMs) : permit.failure(outcome, latencyMs),
      );
    },
    picture() {
      advance(core);
      core.events.flush();
      return {
        status: statusOf(core),
        baseline: core.learner.save(core.now),
        epoch: core.record.epoch,
      };
    },
  };
}

function play(both: readonly ReturnType<typeof bare>[], clock: { now: number }, step: Command) {
  switch (step.do) {
    case 'acquire':
      for (const one of both) one.arrive(step.idempotent);
      return;
    case 'settle': {
      for (const one of both) one.finish(step.pick, step.outcome, step.latencyMs);
      return;
    }
    case 'stream':
      for (let i = 0; i < step.calls; i++) {
        for (const one of both) one.arrive(true);
        clock.now += step.everyMs;
        for (const one of both) one.finish(1, step.outcome, undefined);
      }
      return;
    case 'advance':
      clock.now += step.ms;
      return;
    default:
  }
}

const pending: BreakerOptions = {
  trip: [
    { kind: 'slow', slowMs: 900, rate: 0.6, minimumCalls: 5, pending: true },
    { kind: 'consecutive', failures: 4 },
  ],
};

describe('the short way of a closed breaker', () => {
  it('[B20] [B23] [B24] books a success as the long way does', () => {
    const seen = { closed: 0, tripped: 0 };
    fc.assert(
      fc.property(
        options,
        fc.boolean(),
        history(false),
        fc.integer({ min: 0, max: 2 ** 31 }),
        (config, pends, commands, seed) => {
          const clock = { now: 0 };
          const all = pends ? { ...config, ...pending } : config;
          const short = bare(all, seed, settle, clock);
          const long = bare(all, seed, settleByRule, clock);
          for (const command of commands) {
            play([short, long], clock, command);
            expect(short.picture()).toEqual(long.picture());
          }
          expect(short.receipts).toEqual(long.receipts);
          expect(short.events).toEqual(long.events);
          expect(short.settlements).toEqual(long.settlements);
          seen.tripped += short.events.filter(({ reason }) => reason === 'slow').length;
          seen.closed += short.settlements.filter(({ probe }) => !probe).length;
        },
      ),
      { numRuns: runs(150) },
    );
    expect(seen.closed).toBeGreaterThan(inFull ? 1_000 : 0);
    expect(seen.tripped).toBeGreaterThan(0);
  }, 60_000);

  it('[B23] a success ends a run of refused connections', () => {
    const b = bench({ ...D, trip: [{ kind: 'refused', failures: 2 }] });
    b.acq().failure('refused');
    b.acq().success();
    b.acq().failure('refused');
    expect(b.breaker.state).toBe('closed');
    b.acq().failure('refused');
    expect(b.breaker.state).toBe('open');
  });

  it('[B25] a success may be the call that gives pending ones their weight', () => {
    const slow = { kind: 'slow', slowMs: 900, rate: 0.6, minimumCalls: 5, pending: true } as const;
    const b = bench({ ...D, trip: [slow] });
    for (let i = 0; i < 4; i++) b.acq();
    b.adv(900);
    expect(b.breaker.state).toBe('closed');
    b.acq().success();
    expect(b.breaker.state).toBe('open');
  });
});
