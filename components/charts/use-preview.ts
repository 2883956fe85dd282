import { useCallback, useEffect, useRef, useState } from 'react';
import type { TimeDomain } from '@/lib/series/types';

const REST_MS = 220;
/** A move that nobody took over by then was overtaken by another choice. */
const FORGET_MS = 1_500;

const same = (a: TimeDomain, b: TimeDomain) =>
  Math.round(a.from) === Math.round(b.from) && Math.round(a.to) === Math.round(b.to);

/**
 * What is drawn while the view moves: the new stretch at once, out of what is at hand. Once it has
 * come to rest it is told, so that a turn of the wheel is one question to the server and not forty.
 */
export function usePreview(domain: TimeDomain, told: (domain: TimeDomain) => void) {
  const [preview, setPreview] = useState<TimeDomain | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (preview !== null && same(preview, domain)) setPreview(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  const move = useCallback(
    (next: TimeDomain) => {
      setPreview(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        told(next);
        timer.current = setTimeout(() => setPreview(null), FORGET_MS);
      }, REST_MS);
    },
    [told],
  );
  return { shown: preview ?? domain, move };
}
