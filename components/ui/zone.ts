/** Time zones by their IANA name. `UTC` is one of them; an offset is minutes east of it. */
export const UTC = 'UTC';

const MINUTE_MS = 60_000;
/** Every change of an offset in use since 1970 falls on a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const MAX_CACHED = 4_096;
const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::\d{2})?)?$/;

type Reader = { format: Intl.DateTimeFormat; byQuarter: Map<number, number> };
const readers = new Map<string, Reader | null>();

function readerOf(zone: string): Reader | null {
  const held = readers.get(zone);
  if (held !== undefined) return held;
  let reader: Reader | null = null;
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    reader = { format, byQuarter: new Map() };
  } catch {
    // Not a zone of this browser.
  }
  readers.set(zone, reader);
  return reader;
}

export const isZone = (zone: string): boolean => zone === UTC || readerOf(zone) !== null;

function readOffset(format: Intl.DateTimeFormat, at: number): number {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = OFFSET.exec(name) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -size : size;
}

/** Minutes east of UTC at that instant; 0 for a zone that this browser does not know. */
export function offsetMinutes(zone: string, at: number): number {
  if (zone === UTC) return 0;
  const reader = readerOf(zone);
  if (reader === null || !Number.isFinite(at)) return 0;
  const quarter = Math.floor(at / QUARTER_MS);
  const held = reader.byQuarter.get(quarter);
  if (held !== undefined) return held;
  if (reader.byQuarter.size >= MAX_CACHED) reader.byQuarter.clear();
  const offset = readOffset(reader.format, quarter * QUARTER_MS);
  reader.byQuarter.set(quarter, offset);
  return offset;
}

export type ZoneChange = { readonly at: number; readonly before: number; readonly after: number };

const STEP_MS = 12 * 60 * MINUTE_MS;

/** Where the clocks of a zone step within a range, for a mark on a chart. Oldest first. */
export function zoneChanges(zone: string, from: number, to: number): ZoneChange[] {
  if (zone === UTC || !(to > from)) return [];
  const changes: ZoneChange[] = [];
  for (let start = from; start < to; start += STEP_MS) {
    const end = Math.min(start + STEP_MS, to);
    const before = offsetMinutes(zone, start);
    const after = offsetMinutes(zone, end);
    if (before !== after) changes.push({ at: bisect(zone, start, end), before, after });
  }
  return changes;
}

/** The first quarter of an hour with the new offset. */
function bisect(zone: string, start: number, end: number): number {
  const before = offsetMinutes(zone, start);
  let low = Math.floor(start / QUARTER_MS);
  let high = Math.ceil(end / QUARTER_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMinutes(zone, middle * QUARTER_MS) === before) low = middle;
    else high = middle;
  }
  return high * QUARTER_MS;
}

/** What this browser calls the zone it stands in. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A zone as it is kept (`utc`, `browser` or a name), as a name; UTC for one that is not known. */
export function resolveZone(kept: string, browser: string): string {
  const zone = kept === 'browser' ? browser : kept === 'utc' ? UTC : kept;
  return isZone(zone) ? zone : UTC;
}
