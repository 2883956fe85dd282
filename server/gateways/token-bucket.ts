import type { Clock } from '../services/contract';

export type TokenBucket = {
  /** Takes one if there is one. */
  take(): boolean;
  /** Takes one even on credit; how long to wait until the debt is paid, 0 when there is none. */
  charge(): number;
};

export function createTokenBucket(
  clock: Pick<Clock, 'mono'>,
  { perSecond, burst }: { readonly perSecond: number; readonly burst: number },
): TokenBucket {
  let tokens = burst;
  let filledAt = clock.mono();

  function refill(): void {
    const now = clock.mono();
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
  }

  return {
    take() {
      refill();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    charge() {
      refill();
      tokens -= 1;
      return tokens >= 0 ? 0 : Math.ceil((-tokens / perSecond) * 1000);
    },
  };
}
