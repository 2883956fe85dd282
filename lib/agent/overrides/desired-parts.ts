import type { Desired, DesiredOverride } from '../../protocol/server-frames';

const MAX_PARTS = 100;

type Received = { readonly at: number; readonly overrides: readonly DesiredOverride[] };

/** The durations of an entry count from its receipt, also while other parts are awaited. */
function aged(entry: DesiredOverride, ageMs: number): DesiredOverride {
  if (ageMs <= 0) return entry;
  return {
    ...entry,
    deliverWithinMs: Math.max(0, entry.deliverWithinMs - ageMs),
    remainingMs: Math.max(0, entry.remainingMs - ageMs),
  };
}

/** Puts a set together that came in parts; it counts only when all of them are there. */
export class DesiredParts {
  #revision = -1;
  #parts = 0;
  readonly #received = new Map<number, Received>();

  clear(): void {
    this.#received.clear();
    this.#parts = 0;
  }

  /** The whole set, or null while parts are missing. `lateMs`: how long it may have waited unread. */
  add(frame: Desired, now: number, lateMs: number): DesiredOverride[] | null {
    const { part = 1, parts = 1, revision } = frame;
    if (part > parts || parts > MAX_PARTS) return null;
    if (revision !== this.#revision || parts !== this.#parts) this.clear();
    this.#revision = revision;
    this.#parts = parts;
    this.#received.set(part, { at: now - lateMs, overrides: frame.overrides });
    if (this.#received.size < parts) return null;
    const whole = [...this.#received.values()].flatMap(({ at, overrides }) =>
      overrides.map((entry) => aged(entry, now - at)),
    );
    this.clear();
    return whole;
  }
}
