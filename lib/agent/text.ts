const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/** One line of plain text of bounded length: what the wire's free text accepts. */
export function plainText(value: string, maxLength = 500): string {
  return value
    .slice(0, maxLength * 2)
    .replace(CONTROL, ' ')
    .normalize('NFC')
    .slice(0, maxLength);
}

/** A count for the wire: a whole number, never negative. */
export function wireCount(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0;
}

/** A duration for the wire in ms, never negative. */
export function wireMs(value: number): number {
  return Number.isFinite(value) ? Math.min(1e13, Math.max(0, value)) : 0;
}

/** A fraction for the wire, 0 to 1. */
export function wireFraction(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}
