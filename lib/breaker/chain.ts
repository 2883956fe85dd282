import type { AcquireOptions } from './acquire';
import type { CircuitBreaker } from './breaker';
import type { Permit, Rejection } from './permit';
import type { Reservation } from './reserve';
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

/**
 * All or none: when a later breaker refuses, the earlier ones are as if nobody had come. Settled
 * together.
 */
export function chain(...breakers: readonly CircuitBreaker[]): BreakerChain {
  return {
    tryAcquire(options) {
      const reserved: Reservation[] = [];
      for (const breaker of breakers) {
        const reservation = breaker.reserve(options);
        if (!reservation.granted) {
          for (const earlier of reserved.toReversed()) earlier.withdraw();
          return reservation;
        }
        reserved.push(reservation);
      }
      for (const reservation of reserved) reservation.confirm();
      const permits = reserved.map(({ permit }) => permit);
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
