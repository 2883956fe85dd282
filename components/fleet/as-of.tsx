'use client';

import { useServerNow } from '@/lib/client/use-live';
import { formatAge, formatInstant } from '../ui/format';
import { useZone } from '../ui/zone-context';

/** How old the last word about a row is. */
export function AsOf({ at }: { at: number }) {
  const now = useServerNow();
  const zone = useZone();
  if (now === null) return null;
  return <span title={`As of ${formatInstant(at, zone)}`}>{formatAge(now - at)}</span>;
}
