import type { Desired, DesiredOverride } from '@/lib/protocol/server-frames';
import { LIMITS } from '@/lib/protocol/version';

/** Room for the frame around the entries, and for its signature. */
const ENVELOPE_BYTES = 768;

/** One frame when it fits, else several with `part` of `parts`; the set counts when all are there. */
export function splitDesired(desired: Desired): Desired[] {
  const groups: DesiredOverride[][] = [[]];
  let used = ENVELOPE_BYTES;
  for (const entry of desired.overrides) {
    const bytes = Buffer.byteLength(JSON.stringify(entry)) + 1;
    if (used + bytes > LIMITS.maxFrameBytes) {
      groups.push([]);
      used = ENVELOPE_BYTES;
    }
    groups.at(-1)?.push(entry);
    used += bytes;
  }
  if (groups.length === 1) return [desired];
  return groups.map((overrides, index) => ({
    ...desired,
    overrides,
    part: index + 1,
    parts: groups.length,
  }));
}
