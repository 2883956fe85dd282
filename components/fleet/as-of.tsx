'use client';

import { useServerNow } from '@/lib/client/use-live';
import { formatAge, formatInstant } from '../ui/format';

/** How old the last word about a row is. */
export function AsOf({ at }: { at: number }) {
  const now = useServerNow();
  if (now === null) return null;
  return <span title={`As of ${formatInstant(at)}`}>{formatAge(now - at)}</span>;
}
