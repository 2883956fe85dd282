export type GapSpan = {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly reason: string;
};

type Unit = { fromSeq: number; toSeq: number; counts: Record<string, number>; reason: string };

const MAX_UNITS = 8192;

function addCounts(into: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [kind, count] of Object.entries(more)) into[kind] = (into[kind] ?? 0) + count;
}

/**
 * What was dropped and is not acknowledged: one contiguous range at the old end of the events.
 *
 * An acknowledgement can land inside the range when dropped events had been sent before. To keep
 * the counts exact then, the range is kept in units that can only be acknowledged as a whole: each
 * event that had been sent, each gap record that had been sent, and everything never sent.
 */
export class GapLog {
  readonly #units: Unit[] = [];
  #sealed = true;

  /** The dropped event follows everything dropped before it. */
  drop(seq: number, kind: string, wasSent: boolean): void {
    const last = this.#units.at(-1);
    if (last !== undefined && !this.#sealed && !wasSent) {
      last.toSeq = seq;
      last.counts[kind] = (last.counts[kind] ?? 0) + 1;
      return;
    }
    this.#units.push({ fromSeq: seq, toSeq: seq, counts: { [kind]: 1 }, reason: 'overflow' });
    this.#sealed = wasSent;
    if (this.#units.length > MAX_UNITS) this.#mergeOldest();
  }

  /** The server asks for what it had acknowledged before, for example after a restored backup. */
  reopen(fromSeq: number, toSeq: number): void {
    const counts = { acknowledged: toSeq - fromSeq + 1 };
    const reason = 'acknowledged before and no longer held';
    this.#units.unshift({ fromSeq, toSeq, counts, reason });
    if (this.#units.length === 1) this.#sealed = true;
  }

  /** The merged range from `seq` on, null when nothing of it is left. Starts at a whole unit. */
  from(seq: number): GapSpan | null {
    const units = this.#units.filter((unit) => unit.toSeq >= seq);
    const [first] = units;
    const last = units.at(-1);
    if (first === undefined || last === undefined) return null;
    const counts: Record<string, number> = {};
    for (const unit of units) addCounts(counts, unit.counts);
    const reason = [...new Set(units.map((unit) => unit.reason))].join('; ');
    return { fromSeq: first.fromSeq, toSeq: last.toSeq, counts, reason };
  }

  /** Everything held so far was sent as a gap record; later drops are counted apart. */
  seal(): void {
    this.#sealed = true;
  }

  trim(ackedSeq: number): void {
    const keep = this.#units.findIndex((unit) => unit.toSeq > ackedSeq);
    this.#units.splice(0, keep === -1 ? this.#units.length : keep);
    const [first] = this.#units;
    if (first !== undefined && first.fromSeq <= ackedSeq) {
      // Only a server that acknowledges half a gap gets here: the rest cannot be told apart.
      first.fromSeq = ackedSeq + 1;
      first.counts = { unknown: first.toSeq - ackedSeq };
    }
    if (this.#units.length === 0) this.#sealed = true;
  }

  #mergeOldest(): void {
    const [first, second] = this.#units;
    if (first === undefined || second === undefined) return;
    addCounts(first.counts, second.counts);
    first.toSeq = second.toSeq;
    this.#units.splice(1, 1);
  }
}
