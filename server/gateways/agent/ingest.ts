import type { Ack } from '@/lib/protocol/server-frames';
import type { Agents, AgentSession, EventsAck } from '../../services/contract';
import type { Ingest } from './batches';

/** An item that was acknowledged but will never be stored. */
export type Refused = NonNullable<EventsAck['refused']>[number];

/** Both rings join the same commit; the answer comes after it. */
export async function ingest(
  agents: Agents,
  session: AgentSession,
  batch: Ingest,
  receivedAt: number,
): Promise<{ ack: Ack; resendFrom: number | null; refused: Refused[] }> {
  const calls: Promise<EventsAck>[] = [];
  if (batch.events.length > 0) calls.push(agents.events(session, batch.events, receivedAt));
  if (batch.samples.length > 0) {
    calls.push(agents.samples(session, batch.samples, batch.dropped, receivedAt));
  }
  const results = await Promise.all(calls);
  const sum = (pick: (one: EventsAck) => number) =>
    results.reduce((total, one) => total + pick(one), 0);
  return {
    ack: {
      type: 'ack',
      epoch: session.epoch,
      // The ring that was not touched reports what it had, which can be older.
      seq: Math.max(...results.map((one) => one.ackedSeq)),
      accepted: sum((one) => one.accepted),
      duplicate: sum((one) => one.duplicate),
      samplesSeq: Math.max(...results.map((one) => one.samplesSeq)),
      frames: batch.frames,
    },
    resendFrom: results.find((one) => one.resendFrom !== null)?.resendFrom ?? null,
    refused: results.flatMap((one) => one.refused ?? []),
  };
}
