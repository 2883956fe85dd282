/** From here on a latency is worth a colour. */
const NOTABLE_RATIO = 2;

export function latencyTone(valueMs: number | null, baselineMs: number | null): 'open' | null {
  if (valueMs === null || baselineMs === null || baselineMs <= 0) return null;
  return valueMs / baselineMs >= NOTABLE_RATIO ? 'open' : null;
}
