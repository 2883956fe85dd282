/** Opens the database and holds it until it is killed. Prints `open`, or the refusal. */
import { writeSync } from 'node:fs';
import { openSqliteStore } from '@/server/store/sqlite/open';

const [file = '', migrationsFolder = ''] = process.argv.slice(2);
try {
  openSqliteStore({ file, migrationsFolder });
  writeSync(1, 'open\n');
  // Nothing refers to the store any more: the file stays held all the same.
  setInterval(() => {}, 60_000);
} catch (thrown) {
  writeSync(1, `${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
}
