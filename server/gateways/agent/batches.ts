import type { AgentFrame, Hello } from '@/lib/protocol/agent-frames';
import type { AgentEvent } from '@/lib/protocol/events';
import type { SampleItem } from '@/lib/protocol/samples';

/** A frame as it arrived. `index` counts the acknowledged kind only, from 1. */
export type Received = {
  readonly frame: Exclude<AgentFrame, { type: 'pong' }>;
  readonly receivedAt: number;
  readonly bytes: number;
  readonly index: number;
};

export type Ingest = {
  readonly kind: 'ingest';
  readonly events: AgentEvent[];
  readonly samples: SampleItem[];
  readonly dropped: number;
  readonly frames: number;
  readonly lastIndex: number;
};

export type Batch =
  | Ingest
  | { readonly kind: 'hello'; readonly frame: Hello }
  | {
      readonly kind: 'single';
      readonly frame: Extract<
        AgentFrame,
        { type: 'state' | 'applied' | 'goodbye' | 'rollback_alarm' }
      >;
    };

/** Frames that free a credit when they are acknowledged. */
export function isCredited(frame: AgentFrame): boolean {
  return frame.type === 'events' || frame.type === 'samples';
}

/**
 * Takes what can be handled in one go off the front of the queue. Neighbouring events and samples go
 * into one commit and one ack; everything else keeps its place between them.
 */
export function takeBatch(queue: Received[]): {
  batch: Batch;
  receivedAt: number;
  bytes: number;
} | null {
  const first = queue.shift();
  if (first === undefined) return null;
  const { frame, receivedAt, bytes } = first;
  switch (frame.type) {
    case 'events':
    case 'samples':
      return takeIngest(first, queue);
    case 'hello':
      return { batch: { kind: 'hello', frame }, receivedAt, bytes };
    default:
      return { batch: { kind: 'single', frame }, receivedAt, bytes };
  }
}

function takeIngest(first: Received, queue: Received[]) {
  const taken = [first];
  for (let next = queue[0]; next !== undefined && isCredited(next.frame); next = queue[0]) {
    taken.push(next);
    queue.shift();
  }
  const last = taken.at(-1) ?? first;
  const events: AgentEvent[] = [];
  const samples: SampleItem[] = [];
  let dropped = 0;
  let bytes = 0;
  for (const { frame, bytes: size } of taken) {
    bytes += size;
    if (frame.type === 'events') events.push(...frame.events);
    if (frame.type !== 'samples') continue;
    samples.push(...frame.samples);
    dropped += frame.dropped ?? 0;
  }
  const batch: Ingest = {
    kind: 'ingest',
    events,
    samples,
    dropped,
    frames: taken.length,
    lastIndex: last.index,
  };
  return { batch, receivedAt: last.receivedAt, bytes };
}
