/* oxlint-disable no-restricted-globals -- `Date.parse` reads no clock */

/** The three forms of an HTTP date; `Date.parse` alone would also take "soon 5". */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}(?: GMT| \d{4})$/i;

/**
 * The wait that an HTTP `Retry-After` asks for, in ms: seconds, or a date against `wallMs` (epoch
 * ms); a date that has passed is 0. undefined: neither of them.
 */
export function retryAfterMs(value: unknown, wallMs: number): number | undefined {
  const waitMs = typeof value === 'number' ? value * 1_000 : ofText(value, wallMs);
  return waitMs >= 0 && waitMs < Infinity ? waitMs : undefined;
}

function ofText(value: unknown, wallMs: number): number {
  if (typeof value !== 'string') return Number.NaN;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  if (!HTTP_DATE.test(text)) return Number.NaN;
  // The oldest form names no zone and means GMT all the same.
  return Math.max(0, Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`) - wallMs);
}
