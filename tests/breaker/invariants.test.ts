import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inFull, runs } from '@/tests/support/runs';
import { history, options } from './histories';
import { checkShares, Invariants } from './invariants';
import { Player } from './player';

const seed = fc.integer({ min: 0, max: 2 ** 31 });

describe('over random histories', () => {
  const total: Record<string, number> = {};

  it.each([
    ['calls alone', false],
    ['calls and operators', true],
  ])(
    '[case 16] [case 41] [case 44] [I1-I8 I10-I19 I23 I26 I32] hold with %s',
    (_, control) => {
      fc.assert(
        fc.property(options, history(control), seed, (config, commands, s) => {
          const invariants = new Invariants();
          const player = new Player(config, s, invariants);
          invariants.start(player);
          player.play(commands);
          checkShares(player, invariants.steps);
          for (const [type, count] of Object.entries(invariants.tally)) {
            total[type] = (total[type] ?? 0) + count;
          }
          // [I7]: without new admissions everything comes home.
          for (const handle of player.handles) handle.release();
          player.now += config.callTimeoutMs ?? 30_000;
          expect(player.breaker.status()).toMatchObject({ inFlight: 0 });
        }),
        { numRuns: runs(70) },
      );
    },
    60_000,
  );

  it.runIf(inFull)('the histories reach every part of the machine', () => {
    const rare = [
      'opened',
      'half_open',
      'step',
      'closed',
      'hold',
      'release',
      'starved',
      'forced',
      'resumed',
      'reset',
      'would_trip',
      'would_recover',
      'probe_expired',
      'late_result',
    ].filter((type) => (total[type] ?? 0) === 0);
    expect(rare).toEqual([]);
    expect(total['closed'] ?? 0).toBeGreaterThan(50);
  });
});
