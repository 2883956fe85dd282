import type { Database } from 'better-sqlite3';
import type { RunBatch, RunResult, StateUpsert } from '../port';
import { Ingest } from './ingest';

/** Where the rows that agents send are written: in this thread, or in one beside it. */
export interface Writer {
  append(batches: readonly RunBatch[]): Promise<readonly RunResult[]>;
  saveStates(states: readonly StateUpsert[]): Promise<void>;
  /** Rows were deleted elsewhere: what was learned of their keys no longer holds. */
  forgetKeys(): void;
  close(): Promise<void>;
}

/** Up to about 5,000 rows a second the work in this thread is not worth another one. */
export function createInlineWriter(client: Database): Writer {
  const ingest = new Ingest(client);
  return {
    append: async (batches) => ingest.append(batches),
    saveStates: async (states) => ingest.saveStates(states),
    forgetKeys: () => ingest.forgetKeys(),
    close: async () => {},
  };
}
