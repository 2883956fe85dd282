import type { RunBatch } from '../../store/port';
import type { AgentSession } from '../contract';

export function runBatch(
  session: AgentSession,
  receivedAt: number,
  brought: Partial<Omit<RunBatch, 'runId' | 'receivedAt'>>,
): RunBatch {
  return {
    runId: session.runId,
    receivedAt,
    breakers: [],
    configs: [],
    gaps: [],
    events: [],
    samples: [],
    probes: [],
    states: [],
    samplesSeq: 0,
    droppedSamples: 0,
    ...brought,
  };
}
