/**
 * What this agent still owes the server, within a fixed bound.
 *
 * Events are kept in order until the server acknowledges their seq, so sending twice is safe and
 * losing one is not silent. When the bound is reached, samples go first, oldest first; then
 * events, oldest first, and one gap record with exact counts stands in their place. Adding costs
 * one serialization and never waits.
 */
import type { Entry, Recorded } from './entry';
import { EventLog } from './event-log';
import { SampleLog } from './sample-log';

export type OutboxLimits = {
  readonly maxItems: number;
  readonly maxBytes: number;
  /** Part of `maxItems` that samples may never take; the same part of the bytes is kept too. */
  readonly reservedForEvents: number;
  /** Largest record that still fits a frame. */
  readonly maxRecordBytes: number;
};

export const DEFAULT_OUTBOX: OutboxLimits = {
  maxItems: 10_000,
  maxBytes: 8 * 1024 * 1024,
  reservedForEvents: 2_000,
  maxRecordBytes: 60 * 1024,
};

export class Outbox {
  readonly events = new EventLog();
  readonly samples = new SampleLog();
  readonly #limits: OutboxLimits;
  readonly #onEventLost: (entry: Entry) => void;
  #eventCost = 0;

  constructor(limits: OutboxLimits, onEventLost: (entry: Entry) => void) {
    this.#limits = limits;
    this.#onEventLost = onEventLost;
  }

  get items(): number {
    return this.events.length + this.samples.length;
  }
  get bytes(): number {
    return this.#eventCost + this.samples.cost;
  }

  /** The seq given to the event, or null when it is too large for any frame. */
  addEvent(record: Recorded): number | null {
    const entry = this.events.add(record, this.#limits.maxRecordBytes);
    if (entry === null) return null;
    this.#eventCost += entry.cost;
    this.#makeRoom();
    return entry.seq;
  }

  addSample(record: Recorded): void {
    this.samples.add(record);
    const { maxItems, maxBytes, reservedForEvents } = this.#limits;
    const share = 1 - reservedForEvents / maxItems;
    while (
      this.samples.length > maxItems - reservedForEvents ||
      this.samples.cost > maxBytes * share
    ) {
      this.samples.dropOldest();
    }
    this.#makeRoom();
  }

  acknowledge(eventSeq: number, sampleSeq: number): void {
    this.#eventCost -= this.events.acknowledge(eventSeq);
    this.samples.acknowledge(sampleSeq);
  }

  restart(eventSeq: number, sampleSeq: number): void {
    this.#eventCost -= this.events.restart(eventSeq);
    this.samples.restart(sampleSeq);
  }

  #makeRoom(): void {
    while (this.items > this.#limits.maxItems || this.bytes > this.#limits.maxBytes) {
      if (this.samples.dropOldest() !== undefined) continue;
      const lost = this.events.dropOldest();
      if (lost === undefined) return;
      this.#eventCost -= lost.cost;
      this.#onEventLost(lost);
    }
  }
}
