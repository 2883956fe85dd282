import type { AcquireOptions } from './acquire';
import type { CircuitBreaker } from './breaker';
import type { Permit, Rejection } from './permit';
import type { Failure, Receipt } from './types';

/** Leave of several breakers for one call; its outcome goes to all of them. */
export type ChainPermit = {
  readonly granted: true;
  readonly permits: readonly Permit[];
  success(latencyMs?: number): readonly Receipt[];
  failure(failure: Failure, latencyMs?: number): readonly Receipt[];
  cancel(): readonly Receipt[];
  ignore(): readonly Receipt[];
};

export type BreakerChain = { tryAcquire(options?: AcquireOptions): ChainPermit | Rejection };

/** All or none: what the first breakers gave is handed back when a later one refuses. */
export function chain(...breakers: readonly CircuitBreaker[]): BreakerChain {
  return {
    tryAcquire(options) {
      const permits: Permit[] = [];
      for (const breaker of breakers) {
        const permit = breaker.tryAcquire(options);
        if (!permit.granted) {
          for (const given of permits) given.failure('rejected_local');
          return permit;
        }
        permits.push(permit);
      }
      return {
        granted: true,
        permits,
        success: (latencyMs) => permits.map((permit) => permit.success(latencyMs)),
        failure: (failure, latencyMs) =>
          permits.map((permit) => permit.failure(failure, latencyMs)),
        cancel: () => permits.map((permit) => permit.cancel()),
        ignore: () => permits.map((permit) => permit.ignore()),
      };
    },
  };
}
