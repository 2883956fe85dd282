import type { ClockReading } from '@/lib/protocol/primitives';

/** Beyond this the agent's clock was stepped or its host slept: the newest reading wins. */
const STEP_MS = 1_000;
const FORGET_AFTER_MS = 300_000;

type Measure = {
  /** Server wall clock minus the agent's monotonic clock. */
  readonly baseMs: number;
  readonly offsetMs: number;
  readonly roundTripMs: number;
  readonly takenAt: number;
};

/**
 * Puts one run's instants on the server's clock. The agent's monotonic readings give the spacing, so
 * a step of its wall clock moves nothing; the shortest round trip gives the best base.
 */
export class RunClock {
  #best: Measure;
  #last = { seq: 0, at: 0 };

  constructor(reading: ClockReading, receivedAt: number) {
    // The way of a hello is not measured; any round trip is better.
    this.#best = measure(reading, Infinity, receivedAt, receivedAt);
  }

  /** Agent wall clock minus server clock; null until a round trip was measured. */
  get offsetMs(): number | null {
    return this.#best.roundTripMs === Infinity ? null : Math.round(this.#best.offsetMs);
  }

  measured(reading: ClockReading, roundTripMs: number, receivedAt: number): void {
    const next = measure(reading, roundTripMs, receivedAt - roundTripMs / 2, receivedAt);
    const best = this.#best;
    const stepped =
      Math.abs(next.baseMs - best.baseMs) > STEP_MS + roundTripMs ||
      Math.abs(next.offsetMs - best.offsetMs) > STEP_MS + roundTripMs;
    const old = receivedAt - best.takenAt > FORGET_AFTER_MS;
    if (stepped || old || roundTripMs <= best.roundTripMs) this.#best = next;
  }

  /** Never in the future and never backwards within the run. */
  eventAt(seq: number, mono: number, receivedAt: number): number {
    const newer = seq > this.#last.seq;
    const at = Math.max(newer ? this.#last.at : 0, this.sampleAt(mono, receivedAt));
    if (newer) this.#last = { seq, at };
    return at;
  }

  sampleAt(mono: number, receivedAt: number): number {
    return Math.max(0, Math.min(receivedAt, Math.round(mono + this.#best.baseMs)));
  }

  /** An instant of the agent's wall clock. */
  wallAt(agentAt: number, receivedAt: number): number {
    return Math.max(0, Math.min(receivedAt, Math.round(agentAt - this.#best.offsetMs)));
  }
}

function measure(
  reading: ClockReading,
  roundTripMs: number,
  readAt: number,
  takenAt: number,
): Measure {
  return {
    baseMs: readAt - reading.mono,
    offsetMs: reading.at - readAt,
    roundTripMs,
    takenAt,
  };
}
