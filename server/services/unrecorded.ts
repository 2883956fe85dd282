import { RecloserError } from './errors';

/** What keeps the store from taking a row, by the code of its error. */
const REASONS: Readonly<Record<string, string>> = {
  disk_full: 'the disk is full',
  in_use: 'the database is locked by another program',
  not_writable: 'the database cannot be written',
  corrupt: 'the database is damaged',
  closed: 'the server is stopping',
};

/**
 * [S-29] A change and its audit row are one transaction: when the store takes neither, the change is
 * refused, and this says why. Null for anything that was not the store's.
 */
export function unrecorded(thrown: unknown): RecloserError | null {
  if (!(thrown instanceof Error) || thrown.name !== 'StoreError' || !('code' in thrown))
    return null;
  const reason = REASONS[String(thrown.code)];
  if (reason === undefined) return null;
  return new RecloserError(
    'read_only',
    `Nothing was changed, because it could not be recorded: ${reason}.`,
    { cause: thrown, details: { reason: String(thrown.code) } },
  );
}
