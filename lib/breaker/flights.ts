/** A call under way. The list's links live in the permit itself, so that a call costs one object. */
export type Flight = {
  readonly admittedAt: number;
  readonly expiresAt: number;
  previous: Flight | null;
  next: Flight | null;
  /** Bit k: older than threshold k. */
  aged: number;
};

type Age = { readonly ms: number; next: Flight | null; count: number };

/**
 * The calls of one epoch that have not settled, oldest first. Every permit of an epoch has the
 * same life, so that the oldest is also the next to expire.
 */
export class Flights {
  #first: Flight | null = null;
  #last: Flight | null = null;
  #size = 0;
  readonly #ages: readonly Age[];
  /** The age at which a call begins to count as pending; Infinity where none does. */
  readonly firstAgeMs: number;

  /** `thresholds`: ages in ms at which calls under way begin to count as pending. */
  constructor(thresholds: readonly number[]) {
    this.#ages = thresholds.map((ms) => ({ ms, next: null, count: 0 }));
    this.firstAgeMs = Math.min(...thresholds, Infinity);
  }

  get size(): number {
    return this.#size;
  }

  get oldest(): Flight | null {
    return this.#first;
  }

  /** For a flight of this epoch. */
  has(flight: Flight): boolean {
    return flight.previous !== null || this.#first === flight;
  }

  pending(k: number): number {
    return this.#ages[k]?.count ?? 0;
  }

  push(flight: Flight): void {
    flight.previous = this.#last;
    if (this.#last === null) this.#first = flight;
    else this.#last.next = flight;
    this.#last = flight;
    this.#size++;
    if (this.#ages.length > 0) this.#watchAge(flight);
  }

  #watchAge(flight: Flight): void {
    for (let k = 0; k < this.#ages.length; k++) {
      const age = this.#ages[k];
      if (age !== undefined && age.next === null) age.next = flight;
    }
  }

  /** For a flight that was pushed here and not removed since. */
  remove(flight: Flight): void {
    if (this.#ages.length > 0) this.#forgetAge(flight);
    const { previous, next } = flight;
    if (previous === null) this.#first = next;
    else previous.next = next;
    if (next === null) this.#last = previous;
    else next.previous = previous;
    flight.previous = null;
    flight.next = null;
    this.#size--;
  }

  #forgetAge(flight: Flight): void {
    for (let k = 0; k < this.#ages.length; k++) {
      const age = this.#ages[k];
      if (age === undefined) continue;
      if ((flight.aged & (1 << k)) !== 0) age.count--;
      else if (age.next === flight) age.next = flight.next;
    }
  }

  /** When the next call under way reaches threshold `k`. */
  nextAgeAt(k: number): number {
    const age = this.#ages[k];
    return age === undefined || age.next === null ? Infinity : age.next.admittedAt + age.ms;
  }

  get thresholds(): number {
    return this.#ages.length;
  }

  /** Marks the call that `nextAgeAt` spoke of. */
  markAged(k: number): void {
    const age = this.#ages[k];
    if (age === undefined || age.next === null) return;
    age.next.aged |= 1 << k;
    age.next = age.next.next;
    age.count++;
  }
}
