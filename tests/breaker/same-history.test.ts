import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BreakerOptions } from '@/lib/breaker';
import { runs } from '@/tests/support/runs';
import { history, options } from './histories';
import { Player, story } from './player';

const RUNS = runs(80);
const seed = fc.integer({ min: 0, max: 2 ** 31 });

/** Multiplies every number whose name ends in `Ms`. */
function scaled<T>(value: T, factor: number): T {
  if (Array.isArray(value)) return value.map((inner) => scaled(inner, factor)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) =>
    key.endsWith('Ms') && typeof inner === 'number'
      ? [key, inner * factor]
      : [key, scaled(inner, factor)],
  );
  return Object.fromEntries(entries);
}

/** Defaults do not scale, so that every duration is set. */
const complete: BreakerOptions = {
  permitGraceMs: 0,
  slowMs: 1_000,
  maxLoopDelayMs: 200,
};

describe('the same history', () => {
  it('[B5] [I21] whether anybody looks in between or not', () => {
    fc.assert(
      fc.property(options, history(true), seed, (config, commands, s) => {
        const lazy = new Player(config, s).play(commands);
        const eager = new Player(config, s, {}, 1, true).play(commands);
        lazy.breaker.tick();
        expect(eager.log).toEqual(lazy.log);
        expect(story(eager)).toEqual(story(lazy));
        expect(eager.breaker.status()).toEqual(lazy.breaker.status());
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  it('[case 77] [W18] [I20] whatever the wall clock does', () => {
    fc.assert(
      fc.property(options, history(true), seed, (config, commands, s) => {
        const steady = new Player(config, s).play(commands.filter((c) => c.do !== 'wall'));
        const shifted = new Player(config, s).play(commands);
        expect(shifted.log).toEqual(steady.log);
        expect(story(shifted)).toEqual(story(steady));
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    );
  }, 60_000);

  it('[I27] with listeners that throw and call back', () => {
    fc.assert(
      fc.property(options, history(true), seed, (config, commands, s) => {
        const quiet = new Player(config, s).play(commands);
        const noisy = new Player(config, s);
        const seen: number[] = [];
        noisy.breaker.on((event) => {
          seen.push(event.seq);
          noisy.breaker.tick();
          expect(noisy.breaker.status().epoch).toBeGreaterThanOrEqual(event.epoch);
          throw new Error('listener');
        });
        noisy.play(commands);
        expect(noisy.log).toEqual(quiet.log);
        expect(story(noisy)).toEqual(story(quiet));
        expect(seen).toEqual(noisy.events.map((event) => event.seq));
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    );
  }, 60_000);

  it('[I22] at twice the pace', () => {
    fc.assert(
      fc.property(options, history(false), seed, (config, commands, s) => {
        const timed = {
          ...complete,
          ...config,
          open: {
            minMs: 500,
            stableForMs: 60_000,
            decayEveryMs: 60_000,
            maxHintMs: 1,
            maxMs: 64_000,
            ...config.open,
          },
          recovery: {
            pendingLimitMs: 1_000,
            maxStepWaitMs: 60_000,
            probeFloorMs: 100,
            idempotentWaitMs: 2_000,
            ...config.recovery,
            ...(config.recovery?.latency
              ? { latency: { floorMs: 20, ...config.recovery.latency } }
              : {}),
          },
        } as BreakerOptions;
        if (timed.open?.kind === 'fixed') Reflect.deleteProperty(timed.open, 'maxMs');
        const once = new Player(timed, s).play(commands);
        once.breaker.tick();
        // The burst of the rate cap is 100 ms at any pace, so that only runs without one compare.
        fc.pre(once.breaker.status().baseline === null);
        const twice = new Player(scaled(timed, 2), s, {}, 2).play(commands);
        twice.breaker.tick();
        expect(twice.log).toEqual(once.log);
        expect(twice.events.map((e) => [e.type, e.monoMs / 2, e.reason])).toEqual(
          once.events.map((e) => [e.type, e.monoMs, e.reason]),
        );
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    );
  }, 60_000);
});
