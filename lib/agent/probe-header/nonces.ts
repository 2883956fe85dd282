/**
 * The nonces that one key has used. Nothing is forgotten early to make room: a full book answers
 * `full`, and whatever was forgotten in time can still not come again, because every timestamp up
 * to the newest forgotten one is refused from then on. So neither a flood nor a wall clock that is
 * set back opens the door to a replay.
 */
export class NonceBook {
  readonly #max: number;
  readonly #keepMs: number;
  /** In order of arrival. */
  readonly #seen = new Map<string, { readonly keptAt: number; readonly timestampMs: number }>();
  #refusedBelow: number;

  constructor(max: number, keepMs: number, now: number) {
    this.#max = max;
    this.#keepMs = keepMs;
    // What was signed before this book began may have been used up in another one.
    this.#refusedBelow = now;
  }

  get size(): number {
    return this.#seen.size;
  }

  /** Uses the nonce up. `now` is epoch ms and may go back. */
  use(nonce: string, timestampMs: number, now: number): 'new' | 'used' | 'full' | 'forgotten' {
    this.#forget(now);
    if (this.#seen.has(nonce)) return 'used';
    if (timestampMs < this.#refusedBelow) return 'forgotten';
    if (this.#seen.size >= this.#max) return 'full';
    this.#seen.set(nonce, { keptAt: now, timestampMs });
    return 'new';
  }

  #forget(now: number): void {
    for (const [nonce, { keptAt, timestampMs }] of this.#seen) {
      if (now - keptAt <= this.#keepMs) return;
      this.#seen.delete(nonce);
      this.#refusedBelow = Math.max(this.#refusedBelow, timestampMs + 1);
    }
  }
}
