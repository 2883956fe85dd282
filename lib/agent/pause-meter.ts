/** Ticks may be this late without meaning that the process stood still. */
const TOLERANCE_MS = 2_000;

/**
 * Notices that the process was stopped. Timers run before sockets are read, so a tick that comes
 * late by N ms tells that what is read until the next tick may have waited up to N ms.
 */
export class PauseMeter {
  readonly #periodMs: number;
  #lastTickAt: number | null = null;
  lateMs = 0;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  tick(now: number): void {
    const late = this.#lastTickAt === null ? 0 : now - this.#lastTickAt - this.#periodMs;
    this.#lastTickAt = now;
    this.lateMs = late > TOLERANCE_MS ? late : 0;
  }
}
