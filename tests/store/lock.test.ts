import { expect, it } from 'vitest';
import { nextLine, startChild } from './children';
import { openStore, temporaryFile } from './support';

it('holds the file alone, names the holder, and lets go when killed (R-29)', async () => {
  const file = temporaryFile();
  const holder = startChild('holder', file);
  expect(await nextLine(holder)).toBe('open');
  expect(() => openStore(file)).toThrow(
    new RegExp(`^The database ${file} is in use by process ${holder.pid} since 2.*; stop it or`),
  );

  await holder.kill();
  const store = openStore(file);
  const refused = startChild('holder', file);
  expect(await nextLine(refused)).toContain(`is in use by process ${process.pid} since`);
  await store.close();
  const next = startChild('holder', file);
  expect(await nextLine(next)).toBe('open');
}, 30_000);

it('refuses a second store of the same process', async () => {
  const file = temporaryFile();
  const store = openStore(file);
  expect(() => openStore(file)).toThrow(`in use by process ${process.pid}`);
  await store.checkWritable();
  await store.close();
  await openStore(file).checkWritable();
});
