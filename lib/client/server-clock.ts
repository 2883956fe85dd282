/** A step of the server's clock bigger than this replaces the estimate at once. */
const STEP_MS = 2_000;
/** How much of a smaller, older estimate is given up with each word; follows slow drift. */
const DRIFT_MS = 1;

/**
 * The server's clock as seen from here. A frame arrives late, never early, so the largest
 * difference heard is the best one.
 */
export class ServerClock {
  #offsetMs: number | null = null;

  hear(serverNow: number, localNow: number): void {
    const heard = serverNow - localNow;
    const held = this.#offsetMs;
    if (held === null || Math.abs(heard - held) > STEP_MS) this.#offsetMs = heard;
    else this.#offsetMs = Math.max(heard, held - DRIFT_MS);
  }

  now(localNow: number): number {
    return localNow + (this.#offsetMs ?? 0);
  }
}
