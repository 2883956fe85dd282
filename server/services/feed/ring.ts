import type { LivePatch } from '@/lib/protocol/live-frames';

export type RingLimits = {
  readonly revisions: number;
  readonly ageMs: number;
  readonly bytes: number;
};

type Kept = { readonly patch: LivePatch; readonly mono: number; readonly bytes: number };

/** The newest patches, as far back as all three limits allow. */
export class PatchRing {
  readonly #limits: RingLimits;
  #kept: Kept[] = [];
  /** Index of the oldest one; the front is cut off in large pieces. */
  #start = 0;
  #bytes = 0;

  constructor(limits: RingLimits) {
    this.#limits = limits;
  }

  push(patch: LivePatch, mono: number): void {
    const bytes = roughBytes(patch);
    this.#kept.push({ patch, mono, bytes });
    this.#bytes += bytes;
    this.#trim(mono);
  }

  /** Null when a revision after `revision` is no longer here. */
  after(revision: number): LivePatch[] | null {
    const oldest = this.#kept[this.#start]?.patch;
    if (oldest === undefined || oldest.fromRevision > revision + 1) return null;
    const skip = revision + 1 - oldest.fromRevision;
    return this.#kept.slice(this.#start + skip).map((kept) => kept.patch);
  }

  #trim(mono: number): void {
    const { revisions, ageMs, bytes } = this.#limits;
    for (let first = this.#kept[this.#start]; first; first = this.#kept[this.#start]) {
      const count = this.#kept.length - this.#start;
      if (count <= revisions && this.#bytes <= bytes && mono - first.mono <= ageMs) break;
      this.#bytes -= first.bytes;
      this.#start++;
    }
    if (this.#start > 1_000 && this.#start * 2 > this.#kept.length) {
      this.#kept = this.#kept.slice(this.#start);
      this.#start = 0;
    }
  }
}

const FIELD = 24;
const ROW = 400;

/** Close enough for a bound, without serializing. */
function roughBytes(patch: LivePatch): number {
  let bytes = 200;
  for (const breaker of patch.breakers ?? []) {
    bytes += Object.keys(breaker).length * FIELD + (breaker.spark?.length ?? 0) * 8;
  }
  bytes += ((patch.services?.length ?? 0) + (patch.instances?.length ?? 0)) * ROW;
  for (const override of patch.overrides ?? []) bytes += ROW + override.targets.length * 200;
  for (const detail of Object.values(patch.detail ?? {})) {
    const rows = [detail.instances, detail.events, detail.points, detail.probes];
    bytes += rows.reduce((sum, list) => sum + (list?.length ?? 0) * ROW, 0);
  }
  return bytes;
}
