import type { Answer } from './reconcile';

const MAX_COMMANDS = 1000;
const KEEP_MS = 24 * 60 * 60_000;

type Remembered = Pick<Answer, 'generation' | 'outcome' | 'reason' | 'leaseRevision'> & {
  readonly at: number;
};

/** The last 1,000 commands with their results, for a day: a repeat is answered, not repeated. */
export class CommandMemory {
  readonly #byId = new Map<string, Remembered>();

  get answers(): ReadonlyMap<string, Remembered> {
    return this.#byId;
  }

  remember(answer: Answer, now: number): void {
    const { id, generation, outcome, reason, leaseRevision } = answer;
    // An answer to an older generation must not make the newer one forgotten.
    if ((this.#byId.get(id)?.generation ?? 0) > generation) return;
    // Deleting first moves a known id to the young end.
    this.#byId.delete(id);
    this.#byId.set(id, {
      generation,
      outcome,
      leaseRevision,
      at: now,
      ...(reason === undefined ? {} : { reason }),
    });
    this.prune(now);
  }

  prune(now: number): void {
    for (const [id, { at }] of this.#byId) {
      if (this.#byId.size <= MAX_COMMANDS && now - at < KEEP_MS) return;
      this.#byId.delete(id);
    }
  }
}
