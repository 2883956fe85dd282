import { useSyncExternalStore } from 'react';

export type Heights = { readonly ramp: number; readonly latency: number; readonly backoff: number };

/** What stands around the charts on a small laptop, header and bars included. */
const AROUND_PX = 432;
const LEAST_PX = 336;
const MOST_PX = 560;

/** All three above the fold on 1366×768; taller where the window has room. */
export function heightsFor(windowHeight: number): Heights {
  const all = Math.min(Math.max(windowHeight - AROUND_PX, LEAST_PX), MOST_PX);
  const backoff = Math.round(all * 0.3);
  const ramp = Math.round((all - backoff) / 2);
  return { ramp, latency: ramp, backoff };
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

export function useHeights(): Heights {
  const height = useSyncExternalStore(
    subscribe,
    () => window.innerHeight,
    () => 768,
  );
  return heightsFor(height);
}
