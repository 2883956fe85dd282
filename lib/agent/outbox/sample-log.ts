import { Deque } from './deque';
import { makeEntry, type Entry, type Recorded } from './entry';

export type SampleBatch = { readonly entries: readonly Entry[]; readonly dropped: number };

/** Samples and probes: numbered on their own, kept until acknowledged, the first to be dropped. */
export class SampleLog {
  readonly #held = new Deque<Entry>();
  #nextSeq = 1;
  #cursor = 1;
  #droppedSinceFrame = 0;
  /** Bytes in memory of what is held. */
  cost = 0;
  dropped = 0;

  get length(): number {
    return this.#held.length;
  }
  get #firstSeq(): number {
    return this.#held.at(0)?.seq ?? this.#nextSeq;
  }
  /** How many wait for their first sending on this connection. */
  get unsent(): number {
    return this.#nextSeq - Math.max(this.#cursor, this.#firstSeq);
  }

  add(record: Recorded): Entry {
    const entry = makeEntry(this.#nextSeq, record);
    this.#nextSeq += 1;
    this.#held.push(entry);
    this.cost += entry.cost;
    return entry;
  }

  dropOldest(): Entry | undefined {
    const entry = this.#shift();
    if (entry === undefined) return undefined;
    this.dropped += 1;
    if (entry.seq >= this.#cursor) this.#droppedSinceFrame += 1;
    return entry;
  }

  acknowledge(seq: number): number {
    const before = this.cost;
    const upTo = Math.min(seq, this.#cursor - 1);
    while (this.#held.length > 0 && this.#firstSeq <= upTo) this.#shift();
    return before - this.cost;
  }

  restart(ackedSeq: number): number {
    const freed = this.acknowledge(ackedSeq);
    this.#cursor = this.#firstSeq;
    return freed;
  }

  take(maxItems: number, maxBytes: number): SampleBatch {
    this.#cursor = Math.max(this.#cursor, this.#firstSeq);
    const entries: Entry[] = [];
    let bytes = 0;
    while (entries.length < maxItems) {
      const entry = this.#held.at(this.#cursor - this.#firstSeq);
      if (entry === undefined) break;
      bytes += entry.bytes + 1;
      if (bytes > maxBytes && entries.length > 0) break;
      entries.push(entry);
      this.#cursor += 1;
    }
    const dropped = this.#droppedSinceFrame;
    if (entries.length > 0) this.#droppedSinceFrame = 0;
    return { entries, dropped };
  }

  #shift(): Entry | undefined {
    const entry = this.#held.shift();
    this.cost -= entry?.cost ?? 0;
    return entry;
  }
}
