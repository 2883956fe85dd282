/** Opens the database, and kills itself when SQLite is about to run text that holds the marker. */
import Database from 'better-sqlite3';
import { openSqliteStore } from '@/server/store/sqlite/open';

const [file = '', migrationsFolder = '', marker = ''] = process.argv.slice(2);

for (const name of ['exec', 'prepare'] as const) {
  const original: (this: Database.Database, sql: string) => unknown = Database.prototype[name];
  Object.defineProperty(Database.prototype, name, {
    value(this: Database.Database, sql: string) {
      if (sql.includes(marker)) process.kill(process.pid, 'SIGKILL');
      return original.call(this, sql);
    },
  });
}
await openSqliteStore({ file, migrationsFolder }).close();
