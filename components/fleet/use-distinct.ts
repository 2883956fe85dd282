'use client';

import { useMemo, useState } from 'react';
import type { BreakerView } from '@/lib/protocol/views';
import { stableOrder } from './hold';

/** Names in the list, sorted; the same array until one comes or goes. */
export function useDistinct(
  list: readonly BreakerView[],
  field: 'environment' | 'service',
): readonly string[] {
  const [stable] = useState(stableOrder);
  return useMemo(() => {
    const names = new Set<string>();
    for (const row of list) names.add(row[field]);
    return stable([...names].sort());
  }, [list, field, stable]);
}
