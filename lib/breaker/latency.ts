import { criticalCount } from '../stats/binomial';
import { mixedQuantile } from './baseline';
import type { Baseline, ClassBaseline, Quantile } from './baseline';
import type { LatencyReading, Ledger } from './ledger';
import { stepSketch } from './ledger';

/** Looking after every sample would find something slow sooner or later. */
const LOOKS = new Set([5, 10, 20, 59, 100, 300]);
const LOOK_EVERY = 300;
const ALPHA = 0.001;
/** By definition one healthy answer in a hundred is slower than the P99. */
const BEYOND_P99 = 0.01;
const P99_SAMPLES = 1_000;
/** Fewer say nothing of a step. */
export const FEWEST_SAMPLES = 5;

/** A class of which nothing is known is in no quantile; the first answers of a step are in none either. */
export function recordLatency(
  ledger: Ledger,
  baseline: Baseline | null,
  latencyMs: number,
  floorMs: number,
  idempotent: boolean,
): void {
  if (ledger.coldLeft > 0) {
    ledger.coldLeft--;
    return;
  }
  const known = baseline?.classes[idempotent ? 'idempotent' : 'other'] ?? null;
  if (known === null) {
    ledger.unjudged++;
    return;
  }
  stepSketch(ledger).record(latencyMs);
  if (idempotent) ledger.idempotentLatencies++;
  if (latencyMs > known.p99 && latencyMs > floorMs) ledger.exceeding++;
}

export function isLook(samples: number): boolean {
  return LOOKS.has(samples) || (samples > 0 && samples % LOOK_EVERY === 0);
}

/**
 * The largest quantile that both the step's and the baseline's samples support, beside the same
 * quantile of a normal time with the classes in the step's proportion.
 */
export function readLatency(ledger: Ledger, baseline: Baseline | null): LatencyReading | null {
  const samples = ledger.latency?.count ?? 0;
  const own = ofStep(samples);
  if (baseline === null || ledger.latency === null || own === null) return null;
  const { idempotent, other } = baseline.classes;
  const idempotentCalls = ledger.idempotentLatencies;
  const known = Math.min(
    samplesFor(idempotent, idempotentCalls),
    samplesFor(other, samples - idempotentCalls),
  );
  const supported = ofBaseline(known);
  const quantile = own < supported ? own : supported;
  return {
    quantile,
    samples,
    valueMs: ledger.latency.quantile(quantile),
    baselineMs: mixedQuantile(
      idempotent,
      other,
      idempotentCalls,
      samples - idempotentCalls,
      quantile,
    ),
    exceeded:
      known >= P99_SAMPLES && ledger.exceeding >= criticalCount(samples, BEYOND_P99, ALPHA, 2),
  };
}

export function isAbove(reading: LatencyReading, multiple: number, floorMs: number): boolean {
  return reading.valueMs > multiple * reading.baselineMs && reading.valueMs > floorMs;
}

/** A class that has no calls in the step limits nothing. */
function samplesFor(known: ClassBaseline | null, calls: number): number {
  return known === null || calls === 0 ? Infinity : known.samples;
}

function ofStep(samples: number): Quantile | null {
  if (samples < FEWEST_SAMPLES) return null;
  if (samples < 20) return 0.5;
  if (samples < 59) return 0.9;
  return samples < 300 ? 0.95 : 0.99;
}

function ofBaseline(samples: number): Quantile {
  if (samples < 100) return 0.5;
  if (samples < 300) return 0.9;
  return samples < P99_SAMPLES ? 0.95 : 0.99;
}
