export const REASON_MIN = 10;
export const REASON_MAX = 500;

/** Null when it will do; else what to change. */
export function reasonError(reason: string, least: number = REASON_MIN): string | null {
  const length = reason.trim().length;
  if (length === 0) return 'Say why: it stays in the audit trail.';
  const missing = least - length;
  if (missing > 0) return `${missing} more ${missing === 1 ? 'character' : 'characters'}, please.`;
  if (length > REASON_MAX) return `${length - REASON_MAX} characters too many.`;
  return /\p{Cc}/u.test(reason.trim()) ? 'One line only, please.' : null;
}
