import type { ProbePoint } from '@/lib/protocol/views';
import type { RunBatch } from '../port';
import type { IngestStatements, RunRow } from './ingest-statements';
import { encodeSample } from './sample-codec';

type RingWriter = {
  readonly run: RunRow;
  readonly statements: IngestStatements;
  readonly breakerKey: (uid: string) => number;
};

export type RingProgress = {
  readonly samplesSeq: number;
  readonly accepted: number;
  readonly duplicate: number;
  readonly storedProbes: readonly ProbePoint[];
};

/** Seqs of the ring only grow, so that one number tells what was stored before. */
function freshOnly<T>(items: readonly T[], seqOf: (item: T) => number, storedSeq: number): T[] {
  let last = storedSeq;
  return items.filter((item) => {
    const seq = seqOf(item);
    if (seq <= last) return false;
    last = seq;
    return true;
  });
}

function appendSamples({ run, statements, breakerKey }: RingWriter, batch: RunBatch): number {
  const fresh = freshOnly(batch.samples, (item) => item.sample.seq, run.samplesSeq);
  for (const { breakerId, at, sample } of fresh) {
    const body = encodeSample(sample, at);
    statements.sample.run(breakerKey(breakerId), at, run.runId, sample.seq, body);
  }
  return fresh.length;
}

function appendProbes(writer: RingWriter, batch: RunBatch): readonly ProbePoint[] {
  const { run, statements, breakerKey } = writer;
  const fresh = freshOnly(batch.probes, (probe) => probe.seq, run.samplesSeq);
  return fresh.map(({ breakerId, at, step, outcome, latencyMs, idempotent }) => {
    const { lastInsertRowid } = statements.probe.run(
      breakerKey(breakerId),
      at,
      run.runId,
      step,
      outcome,
      latencyMs,
      idempotent ? 1 : 0,
    );
    const id = Number(lastInsertRowid);
    return { id, at, instanceId: run.instanceId, step, outcome, latencyMs, idempotent };
  });
}

export function appendRing(writer: RingWriter, batch: RunBatch): RingProgress {
  const samples = appendSamples(writer, batch);
  const storedProbes = appendProbes(writer, batch);
  const accepted = samples + storedProbes.length;
  return {
    samplesSeq: Math.max(writer.run.samplesSeq, batch.samplesSeq),
    accepted,
    duplicate: batch.samples.length + batch.probes.length - accepted,
    storedProbes,
  };
}
