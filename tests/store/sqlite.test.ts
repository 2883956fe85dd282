import { join } from 'node:path';
import { openSqliteStore } from '@/server/store/sqlite/open';
import { storeContract } from '../contracts/store.contract';
import { makeFolder, MIGRATIONS, removeFolder } from './support';

storeContract('SQLite in a file', async () => {
  const folder = makeFolder();
  const open = () =>
    openSqliteStore({ file: join(folder, 'recloser.sqlite'), migrationsFolder: MIGRATIONS });
  let store = open();
  return {
    store,
    reopen: async () => {
      await store.close();
      store = open();
      return store;
    },
    dispose: async () => {
      await store.close();
      removeFolder(folder);
    },
  };
});
