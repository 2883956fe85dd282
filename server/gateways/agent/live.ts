/** What a connection does once its agent is welcomed. */
import type { AgentFrame } from '@/lib/protocol/agent-frames';
import type { Desired, ServerFrame } from '@/lib/protocol/server-frames';
import type { Agents, AgentSession } from '../../services/contract';
import type { Batch } from './batches';
import { splitDesired } from './desired-parts';
import { ingest, type Refused } from './ingest';

export async function sendDesired(
  agents: Agents,
  session: AgentSession,
  reply: (frame: Desired) => void,
): Promise<void> {
  const desired = await agents.desired(session);
  for (const part of splitDesired(desired)) reply(part);
}

/** [S-32] The newest signed state of the audit trail: an agent that knows a larger one says so. */
export async function sendCheckpoint(
  agents: Agents,
  reply: (frame: ServerFrame) => void,
): Promise<void> {
  const checkpoint = await agents.checkpoint();
  if (checkpoint !== null) reply({ type: 'checkpoint', checkpoint });
}

export function tellHeard(
  agents: Agents,
  session: AgentSession,
  frame: AgentFrame,
  receivedAt: number,
  roundTripMs: number | null,
): void {
  if (frame.type === 'pong' && roundTripMs !== null) {
    agents.heard(session, receivedAt, { reading: frame.clock, roundTripMs });
  } else {
    agents.heard(session, receivedAt);
  }
}

export async function serveBatch(
  agents: Agents,
  session: AgentSession,
  batch: Exclude<Batch, { kind: 'hello' }>,
  receivedAt: number,
  on: {
    reply(frame: ServerFrame): void;
    /** Called with each ack: these frames are no longer owed. */
    acknowledged(frames: number): void;
    refused(item: Refused): void;
    shouldAskResend(lastIndex: number): boolean;
    goodbye(): void;
  },
): Promise<void> {
  if (batch.kind === 'ingest') {
    const { ack, resendFrom, refused } = await ingest(agents, session, batch, receivedAt);
    on.acknowledged(batch.frames);
    on.reply(ack);
    for (const item of refused) on.refused(item);
    if (resendFrom !== null && on.shouldAskResend(batch.lastIndex)) {
      on.reply({ type: 'resend', from: resendFrom });
    }
    return;
  }
  const { frame } = batch;
  switch (frame.type) {
    case 'applied':
      await agents.applied(session, frame, receivedAt);
      return;
    case 'state':
      if ((await agents.state(session, frame, receivedAt)) === 'need_state') {
        on.reply({ type: 'need_state' });
      }
      return;
    case 'rollback_alarm':
      await agents.alarm(session, frame);
      return;
    default:
      on.goodbye();
  }
}
