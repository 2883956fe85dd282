import { Deque } from './deque';
import { makeEntry, type Entry, type Recorded } from './entry';
import { GapLog, type GapSpan } from './gap-log';

export type EventBatch = { readonly gap: GapSpan | null; readonly entries: readonly Entry[] };

/**
 * Protected events in the order of their numbers, kept until acknowledged. The held entries and
 * the gap before them are one contiguous range that ends just below `nextSeq`.
 */
export class EventLog {
  readonly #held = new Deque<Entry>();
  readonly #gaps = new GapLog();
  #nextSeq = 1;
  /** Highest seq released by an acknowledgement. */
  #released = 0;
  /** Next seq to put on this connection. */
  #cursor = 1;
  /** Highest seq ever put on any connection: the server may have stored it. */
  #sentUpTo = 0;
  dropped = 0;

  get length(): number {
    return this.#held.length;
  }
  get nextSeq(): number {
    return this.#nextSeq;
  }
  get firstSeq(): number {
    return this.#held.at(0)?.seq ?? this.#nextSeq;
  }
  get hasUnsent(): boolean {
    return this.#cursor < this.#nextSeq;
  }
  get hasUnacked(): boolean {
    return this.#released < this.#nextSeq - 1;
  }

  holds(seq: number): boolean {
    return seq >= this.firstSeq && seq < this.#nextSeq;
  }

  /** Null when the record could never fit a frame. */
  add(record: Recorded, maxBytes: number): Entry | null {
    const entry = makeEntry(this.#nextSeq, record);
    if (entry.bytes > maxBytes) return null;
    this.#nextSeq += 1;
    this.#held.push(entry);
    return entry;
  }

  dropOldest(): Entry | undefined {
    const entry = this.#held.shift();
    if (entry === undefined) return undefined;
    this.#gaps.drop(entry.seq, entry.kind, entry.seq <= this.#sentUpTo);
    this.dropped += 1;
    return entry;
  }

  /** Releases everything up to `seq`; returns the released bytes. */
  acknowledge(seq: number): number {
    // An acknowledgement of what was never sent cannot be true.
    const upTo = Math.min(seq, this.#sentUpTo);
    if (upTo <= this.#released) return 0;
    this.#released = upTo;
    this.#gaps.trim(upTo);
    let freed = 0;
    while (this.#held.length > 0 && this.firstSeq <= upTo) freed += this.#held.shift()?.cost ?? 0;
    this.#cursor = Math.max(this.#cursor, upTo + 1);
    return freed;
  }

  /** A new connection: the server holds everything up to `ackedSeq` and nothing after it. */
  restart(ackedSeq: number): number {
    const freed = this.acknowledge(ackedSeq);
    this.rewind(Math.min(ackedSeq, this.#sentUpTo) + 1);
    return freed;
  }

  /** Sends again from `seq`; what was released already is answered with a gap. */
  rewind(seq: number): void {
    if (seq <= this.#released) {
      this.#gaps.reopen(seq, this.#released);
      this.#released = seq - 1;
    }
    this.#cursor = Math.min(seq, this.#cursor);
  }

  /** The next records within the limits, and moves on as if they were sent. */
  take(maxEvents: number, maxBytes: number): EventBatch {
    const gap = this.#gaps.from(this.#cursor);
    if (gap !== null) {
      this.#cursor = gap.toSeq + 1;
      this.#gaps.seal();
    }
    const entries: Entry[] = [];
    let bytes = gap === null ? 0 : GAP_BYTES;
    let room = maxEvents - (gap === null ? 0 : 1);
    for (; room > 0; room -= 1) {
      const entry = this.#held.at(this.#cursor - this.firstSeq);
      if (entry === undefined) break;
      bytes += entry.bytes + 1;
      if (bytes > maxBytes && entries.length > 0) break;
      entries.push(entry);
      this.#cursor += 1;
    }
    this.#sentUpTo = Math.max(this.#sentUpTo, this.#cursor - 1);
    return { gap, entries };
  }
}

/** More than any gap record takes: a dozen counters and two sentences. */
const GAP_BYTES = 2048;
