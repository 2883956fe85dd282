import { cutShare } from './adaptive';
import { emit } from './core';
import type { Core } from './core';
import type { RecoveryConfig } from './config-types';
import { isAbove, readLatency } from './latency';
import type { Hold, HoldCause, LatencyReading, Ledger } from './ledger';
import type { HalfOpen } from './record';
import type { EventData } from './types';

/** A sub-window of the hold that decides nothing is thrown away at this size. */
const SUB_WINDOW = 20;

type Limits = NonNullable<RecoveryConfig['latency']>;

/** What speaks against going on, strongest first. */
export function holdSignal(core: Core, limits: Limits, ledger: Ledger): HoldCause | null {
  if (core.loopDelayed) return 'self';
  if (isPending(core)) return 'pending';
  const { reading } = ledger;
  if (reading === null) return null;
  return reading.exceeded || isAbove(reading, limits.holdMultiple, limits.floorMs)
    ? 'latency'
    : null;
}

/** More than half of the calls under way have been so for too long. */
function isPending(core: Core): boolean {
  const { flights } = core.record;
  return flights.pending(0) * 2 > flights.size;
}

export function startHold(core: Core, at: number, halfOpen: HalfOpen, cause: HoldCause): void {
  const { ledger } = halfOpen;
  const data = readingData(ledger.reading, halfOpen.probeMs);
  ledger.hold = { sinceMs: at, cause };
  ledger.clockFrom = null;
  forgetLatency(ledger);
  cutShare(core, at, halfOpen);
  core.nextDue = Number.NEGATIVE_INFINITY;
  emit(core, 'hold', at, cause, data);
}

export function endHold(core: Core, at: number, halfOpen: HalfOpen, hold: Hold): void {
  const { ledger } = halfOpen;
  const data = readingData(ledger.reading, halfOpen.probeMs);
  ledger.hold = null;
  ledger.clockFrom = ledger.firstAdmitAt === null ? null : at;
  ledger.dwellSeen = false;
  ledger.judgedAt = at;
  ledger.goodSince = null;
  forgetLatency(ledger);
  core.nextDue = Number.NEGATIVE_INFINITY;
  emit(core, 'release', at, hold.cause, { ...data, tookMs: at - hold.sinceMs });
}

/** A hold ends when no signal is left and, if latency caused it, new samples say so. */
export function reviewHold(core: Core, at: number, halfOpen: HalfOpen, limits: Limits): void {
  const { ledger } = halfOpen;
  const { hold } = ledger;
  if (hold === null || core.loopDelayed || isPending(core)) return;
  if (hold.cause !== 'latency') {
    endHold(core, at, halfOpen, hold);
    return;
  }
  const { reading } = ledger;
  if (reading === null) return;
  if (!reading.exceeded && !isAbove(reading, limits.releaseMultiple, limits.floorMs)) {
    endHold(core, at, halfOpen, hold);
  } else if (reading.samples >= SUB_WINDOW) forgetLatency(ledger);
}

export function lookAtLatency(halfOpen: HalfOpen): void {
  halfOpen.ledger.reading = readLatency(halfOpen.ledger, halfOpen.baseline);
}

export function forgetLatency(ledger: Ledger): void {
  ledger.latency?.reset();
  ledger.idempotentLatencies = 0;
  ledger.exceeding = 0;
  ledger.reading = null;
}

/** A timeout is known only to have taken longer than the probe's life. */
function readingData(reading: LatencyReading | null, probeMs: number): EventData {
  if (reading === null) return {};
  const { quantile, samples, baselineMs } = reading;
  return { quantile, samples, valueMs: Math.min(reading.valueMs, probeMs), baselineMs };
}
