import type { BreakerPolicy } from '@/lib/agent';
import type { FailureKind, OverrideKind } from '@/lib/breaker/types';

/** What the pretend target answers, `ageMs` after the start of the instance. */
export type Answer = (
  ageMs: number,
  random: () => number,
) => {
  readonly failure?: FailureKind;
  readonly latencyMs: number;
};

export type SimulatedBreaker = {
  readonly name: string;
  readonly policy: BreakerPolicy;
  readonly callsPerSecond: number;
  readonly answer: Answer;
  /** Held so by the service itself, as its operators may. */
  readonly held?: OverrideKind;
};

export type SimulatedInstance = {
  readonly service: string;
  readonly instance: string;
  readonly breakers: readonly SimulatedBreaker[];
  /** `silent` is cut without a word and `gone` says goodbye, both once they have reported. */
  readonly fate: 'stays' | 'silent' | 'gone';
};

const CYCLE_MS = 60_000;
/** Of each cycle: long enough to trip within the slack of the traffic. */
const FAILING_MS = 3_000;

const between = (low: number, high: number, random: () => number): number =>
  low + (high - low) * random();

const healthy: Answer = (_ageMs, random) => ({
  latencyMs: between(28, 46, random),
  ...(random() < 0.004 ? { failure: 'server_error' as const } : {}),
});

const down: Answer = (_ageMs, random) => ({
  failure: random() < 0.7 ? 'server_error' : 'timeout',
  latencyMs: between(80, 900, random),
});

/** Fails at the start of every cycle and is well again when the first probe comes. */
const recovering: Answer = (ageMs, random) => {
  const isDown = ageMs > CYCLE_MS / 6 && (ageMs - CYCLE_MS / 6) % CYCLE_MS < FAILING_MS;
  return isDown ? down(ageMs, random) : healthy(ageMs, random);
};

const TRIP = [{ kind: 'consecutive', failures: 5 }] as const;
const RAMP = {
  admission: { kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] },
  stepMs: 11_000,
  minimumSuccesses: 3,
} as const;

function breaker(
  name: string,
  answer: Answer,
  over: Partial<SimulatedBreaker> = {},
): SimulatedBreaker {
  const policy: BreakerPolicy = {
    trip: TRIP,
    open: { kind: 'exponential', baseMs: 20_000, maxMs: 80_000 },
    recovery: RAMP,
  };
  return { name, policy, callsPerSecond: 12, answer, ...over };
}

const SHOP: readonly SimulatedBreaker[] = [
  breaker('sim-catalog', healthy),
  breaker('sim-payments', recovering, {
    policy: { trip: TRIP, open: { kind: 'fixed', baseMs: 4_000 }, recovery: RAMP },
  }),
  breaker('sim-search', down),
  breaker('sim-shipping', down, { held: 'forced_open' }),
  breaker('sim-tax', down, { held: 'forced_closed', callsPerSecond: 4 }),
  breaker('sim-reviews', healthy, { held: 'disabled' }),
];

/** One of each state that the console can show. */
export const CAST: readonly SimulatedInstance[] = [
  { service: 'sim-shop', instance: 'sim-shop-1', breakers: SHOP, fate: 'stays' },
  { service: 'sim-shop', instance: 'sim-shop-2', breakers: SHOP, fate: 'stays' },
  {
    service: 'sim-stock',
    instance: 'sim-stock-1',
    breakers: [breaker('sim-stock', down)],
    fate: 'silent',
  },
  {
    service: 'sim-mail',
    instance: 'sim-mail-1',
    breakers: [breaker('sim-mail', healthy)],
    fate: 'gone',
  },
];
