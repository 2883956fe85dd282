import { foldState } from '@/lib/live/fold-state';
import { canonicalStates } from '@/lib/protocol/digest';
import type { ReportedState } from '@/lib/protocol/breaker-state';
import type { StateFrame } from '@/lib/protocol/agent-frames';
import type { StateUpsert } from '../../store/port';
import type { Agents, AgentSession } from '../contract';
import type { Core } from '../core';
import { adoptBreakers, BreakerNames } from './name-breakers';
import type { Connection } from './connections';
import { markWord } from './ingest-events';
import { wakeWaiting } from '../overrides/wake-waiting';
import { runBatch } from './run-batch';

/** The digest over what the console holds about the instance. */
function heldDigest(core: Core, session: AgentSession): string {
  const cells = core.fleet.instances.get(session.instanceId)?.cells.values() ?? [];
  const states = [...cells]
    .filter((cell) => cell.word.epoch === session.epoch)
    .map((cell) => cell.word.state);
  return core.hash(canonicalStates(states));
}

function confirm(core: Core, session: AgentSession, at: number): void {
  const { fleet } = core;
  for (const cell of fleet.instances.get(session.instanceId)?.cells.values() ?? []) {
    if (cell.word.epoch !== session.epoch) continue;
    cell.word = { ...cell.word, asOf: Math.max(cell.word.asOf, at) };
    markWord(core, cell.breakerId, cell.instanceId, false);
  }
}

/** All states once every part is there; null before. Part 1 begins a new set. */
function collect(connection: Connection, frame: StateFrame): readonly ReportedState[] | null {
  const { breakers = [], part = 1, parts = 1 } = frame;
  if (parts === 1) return breakers;
  if (part === 1) connection.stateParts = new Map();
  connection.stateParts.set(part, breakers);
  if (connection.stateParts.size < parts) return null;
  const whole = [...connection.stateParts.values()].flat();
  connection.stateParts = new Map();
  return whole;
}

function drop(core: Core, session: AgentSession, kept: ReadonlySet<string>): void {
  const cells = core.fleet.instances.get(session.instanceId)?.cells.values() ?? [];
  const gone = [...cells].filter((cell) => !kept.has(cell.breakerId));
  for (const cell of gone) {
    core.fleet.removeCell(cell);
    core.feed.mark('breakers', cell.breakerId, true);
  }
}

async function replaceStates(
  core: Core,
  session: AgentSession,
  states: readonly ReportedState[],
  at: number,
): Promise<void> {
  const { fleet } = core;
  const { instanceId, epoch } = session;
  const names = new BreakerNames(core, session, at);
  const told = new Map<string, ReportedState>();
  for (const state of states) {
    const breakerId = names.idOf(state.breaker, 1, state.target);
    if (breakerId !== null) told.set(breakerId, state);
  }
  const upserts = [...told].map(([breakerId, state]): StateUpsert => {
    const word = foldState(fleet.cell(breakerId, instanceId)?.word, { state, at, epoch });
    return { breakerId, instanceId, state, since: word.since, at };
  });
  const batch = runBatch(session, at, { breakers: names.upserts, states: upserts });
  await core.commit.submit(batch, () => {
    adoptBreakers(core, names.upserts);
    for (const [breakerId, state] of told) {
      const before = fleet.cell(breakerId, instanceId)?.word;
      fleet.putWord(breakerId, instanceId, foldState(before, { state, at, epoch }));
      markWord(core, breakerId, instanceId, before?.state.state !== state.state);
    }
    wakeWaiting(core, instanceId, [...told.keys()]);
    drop(core, session, new Set(told.keys()));
  });
}

/** The whole truth of one instance, or only its digest to compare with what is held. */
export function createIngestState(core: Core): Agents['state'] {
  return async (session, frame, receivedAt) => {
    const connection = core.connections.of(session);
    if (frame.breakers === undefined) {
      if (heldDigest(core, session) !== frame.digest) return 'need_state';
      confirm(core, session, receivedAt);
      return 'ok';
    }
    const states = collect(connection, frame);
    if (states !== null) await replaceStates(core, session, states, receivedAt);
    return 'ok';
  };
}
