import type { Clock } from '../services/contract';
import type { Flow } from './flow';
import { createTokenBucket } from './token-bucket';

/** Counts messages; past the rate the socket is not read until the debt is paid. Nothing is dropped. */
export type RateGate = { charge(): void; stop(): void };

export function createRateGate(
  clock: Clock,
  flow: Flow,
  rate: { readonly perSecond: number; readonly burst: number },
): RateGate {
  const bucket = createTokenBucket(clock, rate);
  let timer: { cancel(): void } | null = null;
  return {
    charge() {
      const waitMs = bucket.charge();
      if (waitMs === 0) return;
      flow.hold('rate');
      timer?.cancel();
      timer = clock.after(waitMs, () => flow.release('rate'));
    },
    stop: () => timer?.cancel(),
  };
}
