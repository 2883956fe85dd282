import type { RunBatch, RunResult, Store } from '../store/port';
import type { Clock, Logger } from './contract';
import { RecloserError } from './errors';

/** Rows that arrive within this time share a commit; the first after a quiet time goes at once. */
const GATHER_MS = 20;
const FULL_ROWS = 1_000;
/** About 64 MB of parsed rows. Agents keep what is not acknowledged, so refusing loses nothing. */
const MAX_QUEUED_ROWS = 50_000;

type Waiting = {
  readonly batch: RunBatch;
  readonly rows: number;
  readonly apply: (result: RunResult) => void;
  readonly resolve: (result: RunResult) => void;
  readonly reject: (error: unknown) => void;
};

type Deps = {
  readonly store: Pick<Store, 'appendBatches'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Once after each commit, when every result of it has been applied. */
  readonly afterCommit: () => void;
};

const rowsOf = (batch: RunBatch): number =>
  batch.events.length +
  batch.samples.length +
  batch.probes.length +
  batch.gaps.length +
  batch.states.length +
  1;

/**
 * One durable commit for many callers. `apply` runs after the commit and before the caller goes on,
 * in the order of submission; nobody is answered before the data is on disk.
 */
export class GroupCommit {
  readonly #deps: Deps;
  #queue: Waiting[] = [];
  #queuedRows = 0;
  #startedMono = -Infinity;
  #timer: { cancel(): void } | null = null;
  #running: Promise<void> | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async submit(batch: RunBatch, apply: (result: RunResult) => void): Promise<RunResult> {
    const rows = rowsOf(batch);
    if (this.#queuedRows > 0 && this.#queuedRows + rows > MAX_QUEUED_ROWS) {
      throw new RecloserError('not_ready', 'the store cannot keep up; send it again later');
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ batch, rows, apply, resolve, reject });
      this.#queuedRows += rows;
      if (this.#queuedRows >= FULL_ROWS) this.#commit();
      else this.#arm();
    });
  }

  /** Commits all that was submitted. */
  async drain(): Promise<void> {
    for (;;) {
      if (this.#running === null) this.#commit();
      if (this.#running === null) return;
      // eslint-disable-next-line no-await-in-loop -- one commit at a time
      await this.#running;
    }
  }

  #arm(): void {
    if (this.#running !== null || this.#timer !== null || this.#queue.length === 0) return;
    const due = this.#startedMono + GATHER_MS - this.#deps.clock.mono();
    // Never straight on: between two commits of a backlog the sockets get their turn.
    const wait = this.#queuedRows >= FULL_ROWS ? 0 : Math.max(0, due);
    this.#timer = this.#deps.clock.after(wait, () => this.#commit());
  }

  #commit(): void {
    this.#timer?.cancel();
    this.#timer = null;
    if (this.#running !== null || this.#queue.length === 0) return;
    const taken = this.#take();
    this.#startedMono = this.#deps.clock.mono();
    this.#running = this.#run(taken).finally(() => {
      this.#running = null;
      this.#arm();
    });
  }

  #take(): Waiting[] {
    let rows = 0;
    let count = 0;
    for (const one of this.#queue) {
      if (count > 0 && rows + one.rows > FULL_ROWS) break;
      rows += one.rows;
      count++;
    }
    this.#queuedRows -= rows;
    return this.#queue.splice(0, count);
  }

  async #run(taken: readonly Waiting[]): Promise<void> {
    try {
      await this.#store(taken);
    } catch (error) {
      if (taken.length === 1) {
        taken[0]?.reject(error);
        return;
      }
      // One run's rows must not keep the others from the disk: find out whose they were.
      this.#deps.log.error(
        { err: error, batches: taken.length },
        'a commit failed; trying one by one',
      );
      for (const one of taken) {
        // eslint-disable-next-line no-await-in-loop -- one commit at a time
        await this.#store([one]).catch(one.reject);
      }
    } finally {
      this.#deps.afterCommit();
    }
  }

  async #store(taken: readonly Waiting[]): Promise<void> {
    const results = await this.#deps.store.appendBatches(taken.map((one) => one.batch));
    taken.forEach((one, at) => {
      const result = results[at];
      if (result === undefined) {
        one.reject(new RecloserError('internal', 'the store gave no result'));
        return;
      }
      this.#apply(one, result);
      one.resolve(result);
    });
  }

  /** What is stored stays acknowledged, whatever becomes of the view of it. */
  #apply(one: Waiting, result: RunResult): void {
    try {
      one.apply(result);
    } catch (error) {
      this.#deps.log.error({ err: error, runId: result.runId }, 'stored rows could not be shown');
    }
  }
}
