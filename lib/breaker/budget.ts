import { criticalCount } from '../stats/binomial';
import type { RecoveryConfig } from './config-types';

/** Chance at which a healthy target may be sent back by bad luck. */
const ALPHA = 0.001;
const LOWEST_ERROR_RATE = 0.001;

/** The number of failures that falls back, in a step with `settled` counted probes. */
export function failureBudget(
  recovery: RecoveryConfig,
  step: number,
  settled: number,
  errorRate: number,
): number {
  const { failureBudget } = recovery;
  if (failureBudget === 'strict') return 1;
  if (failureBudget !== 'statistical') return failureBudget[step] ?? 1;
  if (step === 0) return 1;
  return criticalCount(settled, Math.max(errorRate, LOWEST_ERROR_RATE), ALPHA, 2);
}
