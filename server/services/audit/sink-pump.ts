/**
 * Copies rows and checkpoints to the second sink, in order, after they were committed. What the sink
 * holds decides where it goes on, so nothing is left out or written twice. A sink that fails is
 * tried again and never holds up a command.
 */
import { checkpointLine, rowLine } from '@/lib/audit/lines';
import type { AuditCheckpoint } from '@/lib/protocol/audit';
import type { AuditRecord } from '../../store/port';
import type { Core } from '../core';
import { gapRow } from './gap-rows';
import type { AuditSink, SinkPosition } from './parts';

const BATCH_ROWS = 200;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

export type SinkState = {
  readonly name: string;
  readonly state: 'ok' | 'failing';
  /** Rows that are stored and not there yet, and the age of the oldest of them. */
  readonly lagRows: number;
  readonly lagMs: number;
  readonly failingSince: number | null;
};

type Line = { readonly text: string; readonly position: SinkPosition };

const utc = (at: number): string => new Date(at).toISOString();

/** Each checkpoint follows the last row that it covers. */
function linesOf(
  from: SinkPosition,
  chainId: string | null,
  rows: readonly AuditRecord[],
  checkpoints: readonly AuditCheckpoint[],
): Line[] {
  const lines: Line[] = [];
  let position: SinkPosition = { ...from, chainId };
  let next = 0;
  const addCheckpoints = (upTo: number) => {
    for (let one = checkpoints[next]; one && one.toRow <= upTo; one = checkpoints[++next]) {
      position = { ...position, checkpoint: one.number };
      lines.push({ text: checkpointLine(one), position });
    }
  };
  addCheckpoints(position.row);
  for (const row of rows) {
    position = { ...position, row: row.id, hash: row.hash };
    lines.push({ text: rowLine(row, chainId, utc(row.at)), position });
    addCheckpoints(row.id);
  }
  return lines;
}

/** The last row and checkpoint of the database when the console started. */
export type SinkStart = { readonly chainId: string | null } & Pick<
  SinkPosition,
  'row' | 'checkpoint'
>;

export async function sinkStart({ store }: Core): Promise<SinkStart> {
  const { chain, row } = await store.auditHead();
  const checkpoint = (await store.newestCheckpoint())?.number ?? 0;
  return { chainId: chain?.chainId ?? null, row, checkpoint };
}

const NOTHING: SinkPosition = { chainId: null, row: 0, hash: null, checkpoint: 0 };

/**
 * It goes on after what both it and the database held at the start. A sink that is ahead saw rows
 * that a restore took away: their numbers are used again, and so written again.
 */
function firstPosition(start: SinkStart, found: SinkPosition | null): SinkPosition {
  if (found === null || found.chainId !== start.chainId) return NOTHING;
  return {
    ...found,
    row: Math.min(found.row, start.row),
    checkpoint: Math.min(found.checkpoint, start.checkpoint),
  };
}

type SinkOptions = {
  readonly sink: AuditSink;
  readonly start: SinkStart;
  /** A row about the sink is a gap, and signed at once. */
  readonly signNow: () => Promise<void>;
};

export class SinkPump {
  readonly #core: Core;
  readonly #sink: AuditSink;
  readonly #signNow: () => Promise<void>;
  /** Null until the sink could be read, and after a failure: what got through is for it to say. */
  #known: SinkPosition | null = null;
  #resume: (found: SinkPosition | null) => SinkPosition;
  #failing: { readonly since: number; readonly row: number } | null = null;
  #retryMs = FIRST_RETRY_MS;
  #retryAt = Number.NEGATIVE_INFINITY;

  constructor(core: Core, { sink, start, signNow }: SinkOptions) {
    this.#core = core;
    this.#sink = sink;
    this.#signNow = signNow;
    this.#resume = (found) => firstPosition(start, found);
  }

  async tick(): Promise<void> {
    if (this.#core.clock.mono() < this.#retryAt) return;
    try {
      // eslint-disable-next-line no-await-in-loop -- in order
      while (await this.#batch());
    } catch (thrown) {
      await this.#failed(thrown);
      return;
    }
    await this.#recovered();
  }

  async state(): Promise<SinkState> {
    const { store, clock } = this.#core;
    const written = this.#known?.row ?? this.#failing?.row ?? 0;
    const [oldest] = await store.readAudit({ after: written, limit: 1 });
    const { row } = await store.auditHead();
    return {
      name: this.#sink.name,
      state: this.#failing === null ? 'ok' : 'failing',
      lagRows: row - written,
      lagMs: oldest === undefined ? 0 : Math.max(0, clock.wall() - oldest.at),
      failingSince: this.#failing?.since ?? null,
    };
  }

  async #position(): Promise<SinkPosition> {
    if (this.#known !== null) return this.#known;
    this.#known = this.#resume(await this.#sink.position());
    this.#resume = (found) => found ?? NOTHING;
    return this.#known;
  }

  /** True while there may be more. */
  async #batch(): Promise<boolean> {
    const { store } = this.#core;
    const position = await this.#position();
    const { chain } = await store.auditHead();
    const rows = await store.readAudit({ after: position.row, limit: BATCH_ROWS });
    const checkpoints = await store.listCheckpoints({
      after: position.checkpoint,
      limit: BATCH_ROWS,
    });
    const lines = linesOf(position, chain?.chainId ?? null, rows, checkpoints);
    const last = lines.at(-1);
    if (last === undefined) return false;
    await this.#sink.append(
      lines.map((line) => line.text),
      last.position,
    );
    this.#known = last.position;
    return rows.length === BATCH_ROWS;
  }

  async #failed(thrown: unknown): Promise<void> {
    const { store, clock, log } = this.#core;
    this.#retryAt = clock.mono() + this.#retryMs;
    this.#retryMs = Math.min(LAST_RETRY_MS, this.#retryMs * 2);
    const lastRow = this.#known?.row ?? this.#failing?.row ?? 0;
    this.#known = null;
    if (this.#failing !== null) return;
    this.#failing = { since: clock.wall(), row: lastRow };
    const { name } = this.#sink;
    log.error({ err: thrown, sink: name }, 'the second audit sink does not take rows');
    const details = { name, lastRow };
    await store.appendAudit(gapRow(clock.wall(), 'audit.sink_failed', details, 'failed'));
    await this.#signNow();
  }

  async #recovered(): Promise<void> {
    if (this.#failing === null) return;
    const { store, clock } = this.#core;
    const { since, row } = this.#failing;
    this.#failing = null;
    this.#retryMs = FIRST_RETRY_MS;
    const details = { name: this.#sink.name, lateFrom: row + 1, failedAt: since };
    await store.appendAudit(gapRow(clock.wall(), 'audit.sink_resumed', details));
    await this.#signNow();
  }
}
