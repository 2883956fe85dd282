/** One queued record, serialized once. */
export type Entry = {
  readonly seq: number;
  /** Event type, for the counts of a gap. */
  readonly kind: string;
  readonly breaker: string;
  readonly json: string;
  /** Bytes on the wire. */
  readonly bytes: number;
  /** Estimated bytes in memory, which is what the bound counts. */
  readonly cost: number;
};

/** Entry object, its slot in the queue and the string header, rounded up. */
const OVERHEAD_BYTES = 128;

export type Recorded = { readonly type: string; readonly breaker: string };

export function makeEntry(seq: number, record: Recorded): Entry {
  const json = JSON.stringify({ ...record, seq });
  const bytes = Buffer.byteLength(json);
  // A string with any character beyond Latin-1 takes two bytes for each of its characters.
  const held = bytes === json.length ? bytes : Math.max(bytes, json.length * 2);
  return {
    seq,
    kind: record.type,
    breaker: record.breaker,
    json,
    bytes,
    cost: held + OVERHEAD_BYTES,
  };
}
