import { closeSync, openSync } from 'node:fs';
import type { Connection } from './connection';

/** A whole, consistent copy in a new file, made while others read and write. Throws when it exists. */
export function copyInto({ client }: Connection, target: string): void {
  // VACUUM INTO takes an empty file; made first so that nobody else may read it.
  closeSync(openSync(target, 'wx', 0o600));
  client.prepare('VACUUM INTO ?').run(target);
}
