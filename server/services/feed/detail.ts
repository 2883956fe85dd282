import { Aggregator } from '@/lib/live/aggregate';
import type { BreakerDetailPatch } from '@/lib/protocol/live-frames';
import type { Sample } from '@/lib/protocol/samples';
import type { HistoryEvent, ProbePoint } from '@/lib/protocol/views';
import type { Fleet } from '../fleet/fleet';
import { rowOf } from './views';

const POINT_MS = 1_000;
/** A sample this late changes the stored series, not the live one. */
const LATE_MS = 60_000;

/** What somebody looks at closely: rows, events, probes and points of one breaker since the last flush. */
export class WatchedBreaker {
  readonly #id: string;
  readonly #points = new Aggregator(POINT_MS);
  readonly #changedPoints = new Set<number>();
  readonly #changedRows = new Set<string>();
  #events: HistoryEvent[] = [];
  #probes: ProbePoint[] = [];
  /** From this revision on nothing of the detail is missing. */
  readonly sinceRevision: number;

  constructor(id: string, sinceRevision: number) {
    this.#id = id;
    this.sinceRevision = sinceRevision;
  }

  addRow(instanceId: string): void {
    this.#changedRows.add(instanceId);
  }

  addEvent(event: HistoryEvent): void {
    this.#events.push(event);
  }

  addProbe(probe: ProbePoint): void {
    this.#probes.push(probe);
  }

  addSample(instanceId: string, at: number, sample: Sample, now: number): void {
    if (at < now - LATE_MS) return;
    for (const start of this.#points.add({ instanceId, at, sample }))
      this.#changedPoints.add(start);
  }

  /** Null when nothing changed. */
  take(fleet: Fleet, now: number): BreakerDetailPatch | null {
    this.#points.dropBefore(now - 2 * LATE_MS);
    const rows = [...this.#changedRows].flatMap((id) => {
      const cell = fleet.cell(this.#id, id);
      return cell === undefined ? [] : [rowOf(fleet, cell, now)];
    });
    const points = [...this.#changedPoints]
      .sort((a, b) => a - b)
      .flatMap((at) => this.#points.point(at) ?? []);
    const detail: BreakerDetailPatch = {
      ...(rows.length > 0 ? { instances: rows } : {}),
      ...(this.#events.length > 0 ? { events: this.#events } : {}),
      ...(points.length > 0 ? { points } : {}),
      ...(this.#probes.length > 0 ? { probes: this.#probes } : {}),
    };
    this.#changedRows.clear();
    this.#changedPoints.clear();
    this.#events = [];
    this.#probes = [];
    return Object.keys(detail).length > 0 ? detail : null;
  }
}
