import type { CallCounts, Sample } from '@/lib/protocol/samples';
import { PackedReader, PackedWriter } from './packed';

/*
 * Body of a stored sample. Position in these lists is part of the file format: append, never
 * reorder. Breaker and seq are in the row's key, `at` is a difference to the key's.
 */
const FORMAT = 1;

const STATES = [
  'closed',
  'open',
  'half_open',
  'forced_open',
  'forced_closed',
  'metrics_only',
  'disabled',
] as const satisfies readonly Sample['state'][];

const CALLS = [
  'success',
  'client_error',
  'timeout',
  'server_error',
  'overload',
  'refused',
  'rejected_local',
  'cancelled',
  'ignored',
  'not_permitted',
] as const satisfies readonly (keyof CallCounts)[];

const TALLIES = ['slow', 'late', 'expired', 'inFlight'] as const;

const Flag = {
  Step: 1,
  Baseline: 2,
  ProbesNotSent: 4,
  Merged: 8,
  /** The histogram counts calls that its buckets do not. */
  OwnCount: 16,
} as const;

const writer = new PackedWriter();

function writeCounts(sample: Sample): void {
  const counts = [...CALLS.map((key) => sample.calls[key]), ...TALLIES.map((key) => sample[key])];
  let mask = 0;
  for (const [position, count] of counts.entries()) if (count > 0) mask |= 1 << position;
  writer.count(mask);
  for (const count of counts) if (count > 0) writer.count(count);
}

function readCounts(reader: PackedReader): Pick<Sample, 'calls' | (typeof TALLIES)[number]> {
  const mask = reader.count();
  let bit = 1;
  const next = (): number => {
    const value = mask & bit ? reader.count() : 0;
    bit <<= 1;
    return value;
  };
  // Read in the order of CALLS and TALLIES.
  return {
    calls: {
      success: next(),
      client_error: next(),
      timeout: next(),
      server_error: next(),
      overload: next(),
      refused: next(),
      rejected_local: next(),
      cancelled: next(),
      ignored: next(),
      not_permitted: next(),
    },
    slow: next(),
    late: next(),
    expired: next(),
    inFlight: next(),
  };
}

function bucketTotal(buckets: Sample['latency']['buckets']): number {
  let total = 0;
  for (const [, count] of buckets) total += count;
  return total;
}

function writeLatency(latency: Sample['latency'], ownCount: boolean): void {
  writer.count(latency.buckets.length);
  let previous = 0;
  for (const [index, count] of latency.buckets) {
    writer.signed(index - previous);
    writer.count(count);
    previous = index;
  }
  if (ownCount) writer.count(latency.count);
  writer.duration(latency.sumMs);
  writer.duration(latency.maxMs);
}

function readLatency(reader: PackedReader, ownCount: boolean): Sample['latency'] {
  const buckets: [number, number][] = [];
  let index = 0;
  for (let left = reader.count(); left > 0; left--) {
    index += reader.signed();
    buckets.push([index, reader.count()]);
  }
  const count = ownCount ? reader.count() : bucketTotal(buckets);
  return { buckets, count, sumMs: reader.duration(), maxMs: reader.duration() };
}

function flagsOf(sample: Sample): number {
  return (
    (sample.step === null ? 0 : Flag.Step) |
    (sample.baseline === undefined ? 0 : Flag.Baseline) |
    (sample.probesNotSent === undefined ? 0 : Flag.ProbesNotSent) |
    (sample.merged === undefined ? 0 : Flag.Merged) |
    (sample.latency.count === bucketTotal(sample.latency.buckets) ? 0 : Flag.OwnCount)
  );
}

function writeBaseline(baseline: NonNullable<Sample['baseline']>): void {
  writer.duration(baseline.p50);
  writer.duration(baseline.p90);
  writer.duration(baseline.p95);
  writer.duration(baseline.p99);
  writer.count(baseline.samples);
}

function readBaseline(reader: PackedReader): NonNullable<Sample['baseline']> {
  return {
    p50: reader.duration(),
    p90: reader.duration(),
    p95: reader.duration(),
    p99: reader.duration(),
    samples: reader.count(),
  };
}

/** `at` is that of the row. */
export function encodeSample(sample: Sample, at: number): Buffer {
  const flags = flagsOf(sample);
  writer.reset();
  writer.byte(FORMAT);
  writer.byte(flags);
  writer.byte(STATES.indexOf(sample.state));
  writer.signed(Math.round(sample.at) - Math.round(at));
  writer.count(Math.round(sample.mono));
  writer.duration(sample.periodMs);
  writer.fraction(sample.share);
  writeCounts(sample);
  writeLatency(sample.latency, (flags & Flag.OwnCount) !== 0);
  if (sample.step !== null) writer.count(sample.step);
  if (sample.baseline !== undefined) writeBaseline(sample.baseline);
  if (sample.probesNotSent !== undefined) writer.count(sample.probesNotSent);
  if (sample.merged !== undefined) writer.count(sample.merged);
  return writer.take();
}

export type SampleKey = { readonly at: number; readonly seq: number; readonly breaker: string };

export function decodeSample(body: Buffer, key: SampleKey): Sample {
  const reader = new PackedReader(body);
  const format = reader.byte();
  if (format !== FORMAT) throw new RangeError(`A sample has the unknown format ${format}`);
  const flags = reader.byte();
  const state = STATES[reader.byte()];
  if (state === undefined) throw new RangeError('A sample has an unknown state');
  return {
    type: 'sample',
    seq: key.seq,
    breaker: key.breaker,
    state,
    at: Math.round(key.at) + reader.signed(),
    mono: reader.count(),
    periodMs: reader.duration(),
    share: reader.fraction(),
    ...readCounts(reader),
    latency: readLatency(reader, (flags & Flag.OwnCount) !== 0),
    step: flags & Flag.Step ? reader.count() : null,
    ...(flags & Flag.Baseline ? { baseline: readBaseline(reader) } : {}),
    ...(flags & Flag.ProbesNotSent ? { probesNotSent: reader.count() } : {}),
    ...(flags & Flag.Merged ? { merged: reader.count() } : {}),
  };
}
