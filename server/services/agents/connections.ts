import type { AppliedFrame } from '@/lib/protocol/agent-frames';
import type { ReportedState } from '@/lib/protocol/breaker-state';
import { RecloserError } from '../errors';
import type { AgentSession } from '../contract';
import type { RunClock } from './run-clock';

/** The server's side of one live session. */
export type Connection = {
  readonly session: AgentSession;
  readonly clock: RunClock;
  /** When the process started, on the server's clock. */
  readonly startedAt: number;
  readonly onReplaced: () => void;
  /** Highest seq of the samples ring that is stored and shown. */
  samplesSeq: number;
  /** A full state that comes in parts. */
  stateParts: Map<number, readonly ReportedState[]>;
  /** Overrides that were sent to this very session, and its last answer to each. */
  readonly asked: Set<string>;
  readonly answers: Map<string, AppliedFrame['results'][number]>;
};

/** Live sessions by instance. One session per run; another run of the same instance stays beside it. */
export class Connections {
  readonly #bySession = new Map<string, Connection>();
  readonly #byInstance = new Map<string, Map<string, Connection>>();

  /** The connection of the same run that was replaced. */
  add(connection: Connection): Connection | null {
    const { id, instanceId, epoch } = connection.session;
    const runs = this.#byInstance.get(instanceId) ?? new Map<string, Connection>();
    this.#byInstance.set(instanceId, runs);
    const replaced = runs.get(epoch) ?? null;
    runs.set(epoch, connection);
    this.#bySession.set(id, connection);
    return replaced;
  }

  /** False when another session has taken the run over. */
  remove(session: AgentSession): boolean {
    this.#bySession.delete(session.id);
    const runs = this.#byInstance.get(session.instanceId);
    if (runs?.get(session.epoch)?.session.id !== session.id) return false;
    runs.delete(session.epoch);
    if (runs.size === 0) this.#byInstance.delete(session.instanceId);
    return true;
  }

  of(session: AgentSession): Connection {
    const connection = this.#bySession.get(session.id);
    if (connection === undefined) throw new RecloserError('internal', 'the session has ended');
    return connection;
  }

  find(session: AgentSession): Connection | undefined {
    return this.#bySession.get(session.id);
  }

  /** More than one while two processes claim the same instance. */
  ofInstance(instanceId: string): Connection[] {
    return [...(this.#byInstance.get(instanceId)?.values() ?? [])];
  }

  epochsOf(instanceId: string): string[] {
    return [...(this.#byInstance.get(instanceId)?.keys() ?? [])];
  }
}
