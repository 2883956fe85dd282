import { BreakerOptionError, CircuitBreaker } from '@/lib/breaker';
import type { BreakerConfig, BreakerOptions } from '@/lib/breaker';

export function configOf(options: unknown): BreakerConfig {
  return new CircuitBreaker('x', { clock: () => 0, ...(options as BreakerOptions) }).config;
}

/** The error that the options cause; fails when there is none. */
export function refusal(options: unknown): BreakerOptionError {
  return refusalOf({ clock: () => 0, ...Object(options) });
}

export function refusalOf(options: unknown): BreakerOptionError {
  try {
    void new CircuitBreaker('x', options as BreakerOptions);
  } catch (error) {
    if (error instanceof BreakerOptionError) return error;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(options)}`);
}
