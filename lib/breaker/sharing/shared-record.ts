const VERSION = 1;

/** free: nothing agreed. open: one has tripped. probing: one holds the lease. ramping: one is past its first step. */
export type SharedPhase = 'free' | 'open' | 'probing' | 'ramping';

/** What the instances agree on. Durations count from the writing; the store knows how long ago that was. */
export type SharedRecord = {
  readonly phase: SharedPhase;
  /** Names the last shared opening, so that each is adopted once; empty before the first. */
  readonly opening: string;
  /** The instance that wrote it; in `probing` the one that holds the lease. */
  readonly by: string;
  readonly level: number;
  /** open: until the retry. probing: the length of the lease. Else 0. */
  readonly forMs: number;
};

const phases: readonly unknown[] = ['free', 'open', 'probing', 'ramping'];

export const nothingShared: SharedRecord = {
  phase: 'free',
  opening: '',
  by: '',
  level: 0,
  forMs: 0,
};

export function encodeRecord(record: SharedRecord): string {
  return JSON.stringify({ v: VERSION, ...record });
}

/** null: written by something else, or by a version that we do not know. */
export function decodeRecord(value: string | null): SharedRecord | null {
  if (value === null) return nothingShared;
  try {
    // What is no object becomes one without these fields.
    const read: object = Object(JSON.parse(value));
    return isRecord(read) ? read : null;
  } catch {
    return null;
  }
}

function isRecord(read: object): read is SharedRecord {
  const numbers = ['level', 'forMs'].map((name): unknown => Reflect.get(read, name));
  return (
    Reflect.get(read, 'v') === VERSION &&
    phases.includes(Reflect.get(read, 'phase')) &&
    typeof Reflect.get(read, 'by') === 'string' &&
    typeof Reflect.get(read, 'opening') === 'string' &&
    numbers.every((value) => Number.isFinite(value) && Number(value) >= 0)
  );
}
