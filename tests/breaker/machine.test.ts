import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BreakerEvent, BreakerOptions, BreakerState } from '@/lib/breaker';
import { machineStates, transitions } from '@/lib/breaker/machine';
import type { MachineState } from '@/lib/breaker/machine';
import { history, options } from './histories';
import { Player } from './player';
import { bench, D, R, withRecovery } from './support';

function drawn(state: BreakerState): MachineState {
  return machineStates.find((known) => known === state) ?? 'forced';
}

const moves = new Set(transitions.map(({ event }) => event));

/** `T5 half_open open fallback` and so on; null for events that are no transitions. */
function edge({ type, from, to, data }: BreakerEvent): string | null {
  if (!moves.has(type)) return null;
  const [start, end] = [drawn(from), drawn(to)];
  const found = transitions.find(
    (transition) =>
      transition.event === type &&
      transition.from.includes(start) &&
      transition.to.includes(end) &&
      transition.causes.some((cause) => cause === data.cause),
  );
  return `${found?.id ?? 'unknown'} ${start} ${end} ${String(data.cause)}`;
}

const edges = (events: readonly BreakerEvent[]) => events.map(edge).filter((one) => one !== null);

const every = transitions.flatMap(({ id, from, to, causes }) =>
  from.flatMap((start) =>
    to.flatMap((end) => causes.map((cause) => `${id} ${start} ${end} ${cause}`)),
  ),
);

type Bench = ReturnType<typeof bench>;

const force = { actor: 'ann', reason: 'test' };
const steps = withRecovery(R, { stepMs: 0, minimumSuccesses: 1, maxInFlight: 100 });
const held = { latency: { maxHoldMs: 1_000 } };

function halfOpen(b: Bench): void {
  b.trip();
  b.adv(10_000);
}

/** Schedules that between them take every edge. */
const schedules: readonly [string, BreakerOptions, (b: Bench) => void][] = [
  ['a probe fails', D, (b) => (halfOpen(b), b.acq().failure('server_error'))],
  ['a whole ramp', steps, (b) => (halfOpen(b), b.healthy('closed', 1_000, 200))],
  [
    'half-open takes too long',
    withRecovery(D, { maxHalfOpenMs: 5_000 }),
    (b) => (halfOpen(b), b.adv(5_000)),
  ],
  [
    'half-open takes too long, then closed',
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the options
    withRecovery(D, { maxHalfOpenMs: 5_000, then: 'closed' }),
    (b) => (halfOpen(b), b.adv(5_000)),
  ],
  [
    'a hold takes too long',
    { ...withRecovery(R, held), slowMs: 100 },
    (b) => (halfOpen(b), b.acq(), b.adv(100), b.adv(1_000)),
  ],
  [
    'one step down',
    { ...withRecovery(steps, { ...held, softFallback: true }), slowMs: 100 },
    (b) => {
      halfOpen(b);
      b.acq().success(1);
      b.adv(1_000);
      b.acq();
      b.adv(1_100);
    },
  ],
  ['reset while closed', D, (b) => b.breaker.reset()],
  ['reset while open', D, (b) => (b.trip(), b.breaker.reset())],
  ['reset while half-open', D, (b) => (halfOpen(b), b.breaker.reset())],
  ['reset while forced', D, (b) => (b.breaker.override('forced_open', force), b.breaker.reset())],
  [
    'forced while open and half-open, and twice',
    D,
    (b) => {
      b.trip();
      const first = b.breaker.override('forced_closed', force);
      b.breaker.override('disabled', force).release();
      first.release();
      halfOpen(b);
      b.breaker.override('metrics_only', { ...force, resume: 'open' }).release();
      b.breaker.override('forced_open', force).release();
    },
  ],
];

function play(settings: BreakerOptions, schedule: (b: Bench) => void): string[] {
  const b = bench(settings);
  schedule(b);
  b.breaker.tick();
  return edges(b.events);
}

describe('the table of transitions', () => {
  it('[I1] no history takes an edge that is not in it', () => {
    fc.assert(
      fc.property(options, history(true), fc.nat(), (settings, commands, seed) => {
        const { events } = new Player(settings, seed).play(commands);
        expect(edges(events).filter((one) => !every.includes(one))).toEqual([]);
      }),
    );
  });

  it('every edge in it is taken', () => {
    const taken = new Set(schedules.flatMap(([, settings, schedule]) => play(settings, schedule)));
    expect(every.filter((one) => !taken.has(one))).toEqual([]);
    expect([...taken].filter((one) => !every.includes(one))).toEqual([]);
  });
});
