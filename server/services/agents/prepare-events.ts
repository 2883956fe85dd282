import type { AgentEvent, GapEvent, NumberedEvent } from '@/lib/protocol/events';
import type { ConfigUpsert, EventInsert, GapInsert, RunBatch } from '../../store/port';
import type { AgentSession } from '../contract';
import type { Core } from '../core';
import { BreakerNames, type Refused } from './name-breakers';
import { runBatch } from './run-batch';
import type { RunClock } from './run-clock';

export type Told = {
  readonly event: NumberedEvent;
  readonly breakerId: string;
  readonly at: number;
};

export type PreparedEvents = {
  readonly batch: RunBatch;
  readonly told: ReadonlyMap<number, Told>;
  readonly refused: readonly Refused[];
  /** Repeats within the call itself. */
  readonly repeated: number;
  /** First seq that is missing within the call; what follows it was left out. */
  readonly missingFrom: number | null;
};

/** Stored in place of an event that was refused, so that history shows the hole and why. */
function refusedGap(event: NumberedEvent, at: number, reason: string): GapInsert {
  return {
    fromSeq: event.seq,
    toSeq: event.seq,
    at,
    agentAt: event.at,
    agentMono: event.mono,
    counts: { [event.type]: 1 },
    reason,
  };
}

function gapInsert(gap: GapEvent, at: number): GapInsert {
  const { fromSeq, toSeq, counts, reason } = gap;
  return { fromSeq, toSeq, at, agentAt: gap.at, agentMono: gap.mono, counts, reason };
}

class Preparation {
  readonly names: BreakerNames;
  readonly events: EventInsert[] = [];
  readonly gaps: GapInsert[] = [];
  readonly configs = new Map<string, ConfigUpsert>();
  readonly told = new Map<number, Told>();
  readonly #session: AgentSession;

  constructor(core: Core, session: AgentSession, receivedAt: number) {
    this.#session = session;
    this.names = new BreakerNames(core, session, receivedAt);
  }

  add(event: NumberedEvent, at: number): void {
    const { type, seq, at: agentAt, mono: agentMono, breaker, ...data } = event;
    const target = event.type === 'registered' ? event.target : undefined;
    const breakerId = this.names.idOf(breaker, seq, target);
    if (breakerId === null) {
      const reason = this.names.refused.at(-1)?.message ?? 'refused';
      this.gaps.push(refusedGap(event, at, reason));
      return;
    }
    this.events.push({ seq, type, breakerId, at, agentAt, agentMono, data });
    this.told.set(seq, { event, breakerId, at });
    if (event.type !== 'registered') return;
    const { config, configHash } = event;
    const { instanceId } = this.#session;
    this.configs.set(breakerId, { breakerId, instanceId, configHash, config });
  }
}

/** What a run brings, put on the server's clock, up to the first hole. */
export function prepareEvents(
  core: Core,
  session: AgentSession,
  clock: RunClock,
  events: readonly AgentEvent[],
  receivedAt: number,
): PreparedEvents {
  const preparation = new Preparation(core, session, receivedAt);
  let expected: number | null = null;
  let missingFrom: number | null = null;
  let repeated = 0;
  for (const event of events) {
    const [from, to] = event.type === 'gap' ? [event.fromSeq, event.toSeq] : [event.seq, event.seq];
    if (expected !== null && from > expected) {
      missingFrom = expected;
      break;
    }
    if (expected !== null && to < expected) {
      repeated++;
      continue;
    }
    const at = clock.eventAt(to, event.mono, receivedAt);
    if (event.type === 'gap') preparation.gaps.push(gapInsert(event, at));
    else preparation.add(event, at);
    expected = to + 1;
  }
  const { names, gaps, told } = preparation;
  const batch = runBatch(session, receivedAt, {
    breakers: names.upserts,
    configs: [...preparation.configs.values()],
    gaps,
    events: preparation.events,
  });
  return { batch, told, refused: names.refused, repeated, missingFrom };
}
