import type { Core } from '../core';
import { RecloserError } from '../errors';

/** The range as asked for, but not further than now. */
export function timesOf(
  core: Core,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly from: number; readonly to: number } {
  if (!Number.isFinite(from) || !Number.isFinite(to) || to <= from || from < 0) {
    throw new RecloserError('invalid_input', 'the range must end after it begins');
  }
  return { from, to: Math.max(from + 1, Math.min(to, core.clock.wall() + 1_000)) };
}
