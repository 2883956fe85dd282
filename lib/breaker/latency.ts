import { criticalCount } from '../stats/binomial';
import type { Baseline } from './baseline';
import type { LatencyReading, Ledger } from './ledger';
import { stepSketch } from './ledger';

/** Looking after every sample would find something slow sooner or later. */
const LOOKS = new Set([5, 10, 20, 59, 100, 300]);
const LOOK_EVERY = 300;
const ALPHA = 0.001;
/** By definition one healthy answer in a hundred is slower than the P99. */
const BEYOND_P99 = 0.01;
const P99_SAMPLES = 1_000;

export function recordLatency(
  ledger: Ledger,
  baseline: Baseline | null,
  latencyMs: number,
  floorMs: number,
): void {
  const sketch = stepSketch(ledger);
  sketch.record(latencyMs);
  if (baseline !== null && latencyMs > baseline.p99 && latencyMs > floorMs) ledger.exceeding++;
}

export function isLook(samples: number): boolean {
  return LOOKS.has(samples) || (samples > 0 && samples % LOOK_EVERY === 0);
}

/** The largest quantile that both the step's and the baseline's samples support. */
export function readLatency(ledger: Ledger, baseline: Baseline | null): LatencyReading | null {
  const samples = ledger.latency?.count ?? 0;
  if (baseline === null || ledger.latency === null) return null;
  const quantile = Math.min(ofStep(samples), ofBaseline(baseline.samples));
  if (quantile === 0) return null;
  return {
    quantile,
    samples,
    valueMs: ledger.latency.quantile(quantile),
    baselineMs: baselineQuantile(baseline, quantile),
    exceeded:
      baseline.samples >= P99_SAMPLES &&
      ledger.exceeding >= criticalCount(samples, BEYOND_P99, ALPHA, 2),
  };
}

export function isAbove(reading: LatencyReading, multiple: number, floorMs: number): boolean {
  return reading.valueMs > multiple * reading.baselineMs && reading.valueMs > floorMs;
}

function ofStep(samples: number): number {
  if (samples < 5) return 0;
  if (samples < 20) return 0.5;
  if (samples < 59) return 0.9;
  return samples < 300 ? 0.95 : 0.99;
}

function ofBaseline(samples: number): number {
  if (samples < 100) return 0.5;
  if (samples < 300) return 0.9;
  return samples < P99_SAMPLES ? 0.95 : 0.99;
}

function baselineQuantile(baseline: Baseline, quantile: number): number {
  if (quantile === 0.5) return baseline.p50;
  if (quantile === 0.9) return baseline.p90;
  return quantile === 0.95 ? baseline.p95 : baseline.p99;
}
