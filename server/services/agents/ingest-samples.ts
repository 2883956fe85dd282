import { foldSample } from '@/lib/live/fold-state';
import { firstWord, UNKNOWN_CONFIG, type Word } from '@/lib/live/word';
import type { SampleItem } from '@/lib/protocol/samples';
import type { ProbeInsert, RunResult, SampleInsert } from '../../store/port';
import type { Agents, AgentSession } from '../contract';
import type { Core } from '../core';
import { windowOf } from '../diagnosis/gather';
import { adoptBreakers, BreakerNames } from './name-breakers';
import type { Connection } from './connections';
import { markWord } from './ingest-events';
import { runBatch } from './run-batch';

type Prepared = {
  readonly names: BreakerNames;
  readonly samples: readonly SampleInsert[];
  readonly probes: readonly ProbeInsert[];
};

function prepare(
  core: Core,
  connection: Connection,
  items: readonly SampleItem[],
  receivedAt: number,
): Prepared {
  const names = new BreakerNames(core, connection.session, receivedAt);
  const samples: SampleInsert[] = [];
  const probes: ProbeInsert[] = [];
  for (const item of items) {
    const breakerId = names.idOf(item.breaker, item.seq);
    if (breakerId === null) continue;
    const at = connection.clock.sampleAt(item.mono, receivedAt);
    if (item.type === 'sample') samples.push({ breakerId, at, sample: item });
    else {
      const { seq, step, outcome, latencyMs, idempotent } = item;
      probes.push({ breakerId, at, seq, step, outcome, latencyMs, idempotent });
    }
  }
  return { names, samples, probes };
}

/** A sample may be the first word about a breaker whose `registered` was lost. */
function wordFor(session: AgentSession, before: Word | undefined, told: SampleInsert): Word {
  if (before !== undefined) return foldSample(before, told);
  const { sample, at } = told;
  const { breaker } = sample;
  const { epoch } = session;
  const word = firstWord({ breaker, target: breaker, configHash: UNKNOWN_CONFIG, epoch, at });
  const { state, step, share, inFlight } = sample;
  return foldSample({ ...word, state: { ...word.state, state, step, share, inFlight } }, told);
}

function tellSample(core: Core, session: AgentSession, told: SampleInsert): void {
  const { fleet, feed } = core;
  const { breakerId, at, sample } = told;
  const { instanceId } = session;
  const word = wordFor(session, fleet.cell(breakerId, instanceId)?.word, told);
  const cell = fleet.putWord(breakerId, instanceId, word);
  const breaker = fleet.breakers.get(breakerId);
  if (cell === null || breaker === undefined) return;
  cell.window.add(sample, at);
  breaker.spark.add(sample, at);
  if (at >= (breaker.tallyFrom ?? 0)) breaker.tally.add(instanceId, at, sample, windowOf(cell));
  fleet.busyCells.add(cell);
  fleet.busySparks.add(breaker);
  for (const detail of feed.counting(breakerId, instanceId)) {
    detail.addSample(instanceId, at, sample, core.clock.wall());
  }
  markWord(core, breakerId, instanceId, false);
}

/** In the order of the commits, so that what is at or below `samplesSeq` was told before. */
function tell(core: Core, connection: Connection, prepared: Prepared, result: RunResult): void {
  adoptBreakers(core, prepared.names.upserts);
  const toldSeq = connection.samplesSeq;
  connection.samplesSeq = Math.max(toldSeq, result.samplesSeq);
  for (const sample of prepared.samples) {
    if (sample.sample.seq > toldSeq) tellSample(core, connection.session, sample);
  }
  const probes = prepared.probes.filter((probe) => probe.seq > toldSeq);
  if (result.storedProbes.length !== probes.length) return;
  probes.forEach(({ breakerId }, at) => {
    const stored = result.storedProbes[at];
    if (stored) core.feed.watched(breakerId)?.addProbe(stored);
  });
}

function countDropped(core: Core, instanceId: string, dropped: number): void {
  const instance = core.fleet.instances.get(instanceId);
  if (!instance || dropped === 0) return;
  const { record } = instance;
  instance.record = { ...record, droppedSamples: record.droppedSamples + dropped };
  core.feed.mark('instances', instanceId, false);
}

/** Sums, not facts: holes are allowed, repeats are left out by their seq. */
export function createIngestSamples(core: Core): Agents['samples'] {
  return async (session, items, dropped, receivedAt) => {
    const connection = core.connections.of(session);
    const prepared = prepare(core, connection, items, receivedAt);
    const { names, samples, probes } = prepared;
    const batch = runBatch(session, receivedAt, {
      breakers: names.upserts,
      samples,
      probes,
      samplesSeq: Math.max(0, ...items.map((item) => item.seq)),
      droppedSamples: dropped,
    });
    const result = await core.commit.submit(batch, (stored) => {
      const isNew = stored.samplesSeq > connection.samplesSeq;
      tell(core, connection, prepared, stored);
      countDropped(core, session.instanceId, isNew ? dropped : 0);
    });
    return {
      ackedSeq: result.ackedSeq,
      samplesSeq: result.samplesSeq,
      accepted: result.accepted,
      duplicate: result.duplicate,
      resendFrom: null,
      ...(names.refused.length > 0 ? { refused: names.refused } : {}),
    };
  };
}
