import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BreakerEvent, BreakerOptions, Permit, Receipt, Settlement } from '@/lib/breaker';
import { acquire } from '@/lib/breaker/acquire';
import { createCore } from '@/lib/breaker/core';
import { advance } from '@/lib/breaker/due';
import type { Settler } from '@/lib/breaker/permit';
import { settle, settleByRule } from '@/lib/breaker/settle';
import { statusOf } from '@/lib/breaker/status';
import { history, options } from './histories';
import type { Command, Result } from './histories';
import { generator } from './player';

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
  return {
    events,
    settlements,
    arrive(idempotent: boolean): void {
      advance(core);
      const permit = acquire(core, settler, { idempotent });
      core.events.flush();
      if (permit.granted) out.push(permit);
    },
    finish(pick: number, outcome: Result, latencyMs: number | undefined): Receipt | null {
      const [permit] = out.splice(Math.floor(pick * (out.length - 1)), 1);
      if (permit === undefined) return null;
      return outcome === 'success' ? permit.success(latencyMs) : permit.failure(outcome, latencyMs);
    },
    picture() {
      advance(core);
      core.events.flush();
      return { status: statusOf(core), baseline: core.learner.save(), epoch: core.record.epoch };
    },
  };
}

function play(both: readonly ReturnType<typeof bare>[], clock: { now: number }, step: Command) {
  switch (step.do) {
    case 'acquire':
      for (const one of both) one.arrive(step.idempotent);
      return;
    case 'settle': {
      const receipts = both.map((one) => one.finish(step.pick, step.outcome, step.latencyMs));
      expect(receipts[0]).toBe(receipts[1]);
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
          expect(short.events).toEqual(long.events);
          expect(short.settlements).toEqual(long.settlements);
          seen.tripped += short.events.filter(({ reason }) => reason === 'slow').length;
          seen.closed += short.settlements.filter(({ probe }) => !probe).length;
        },
      ),
      { numRuns: 150 },
    );
    expect(seen.closed).toBeGreaterThan(1_000);
    expect(seen.tripped).toBeGreaterThan(0);
  }, 60_000);
});
