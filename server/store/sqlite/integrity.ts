import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { MEMORY, type Connection } from './connection';

const driver = createRequire(import.meta.url).resolve('better-sqlite3');

// Text, so that it runs the same from TypeScript, from a bundle and in a test. It answers when its
// connection is closed: the last one that closes folds the WAL into the file, and only ours may write.
const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads');
const Database = require(workerData.driver);
function check() {
  try {
    const client = new Database(workerData.file, { readonly: true, fileMustExist: true });
    try {
      return client.pragma('quick_check(10)').map((row) => row.quick_check);
    } finally {
      client.close();
    }
  } catch (thrown) {
    return [String(thrown && thrown.message)];
  }
}
parentPort.postMessage(check());
`;

export type Check = { readonly done: Promise<string | null>; stop(): Promise<unknown> };

/** Null when sound, else the first faults that SQLite names. */
function verdict(lines: unknown): string | null {
  const texts = Array.isArray(lines) ? lines.map(String) : ['the check gave no answer'];
  return texts.length === 1 && texts[0] === 'ok' ? null : texts.join('; ');
}

/** Reads the whole file on a thread and a connection of its own. */
export function startCheck({ file, client }: Connection): Check {
  if (file === MEMORY) {
    const answer = client.prepare('PRAGMA quick_check(10)').pluck().all();
    return { done: Promise.resolve(verdict(answer)), stop: async () => {} };
  }
  const worker = new Worker(SOURCE, { eval: true, workerData: { driver, file } });
  const done = new Promise<string | null>((resolve) => {
    worker.once('message', (lines: unknown) => resolve(verdict(lines)));
    worker.once('error', (thrown) => resolve(`the check failed: ${String(thrown)}`));
    worker.once('exit', () => resolve('the check was stopped'));
  });
  return { done, stop: () => worker.terminate() };
}
