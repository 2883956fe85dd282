import Database from 'better-sqlite3';

export type StoreErrorCode =
  | 'in_use'
  | 'engine_too_old'
  | 'schema_too_new'
  | 'migration_failed'
  | 'not_writable'
  | 'disk_full'
  | 'corrupt'
  | 'unknown_id'
  | 'closed';

/** `message` is one line that says what to do; what SQLite said is kept as `cause`. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && 'syscall' in thrown;
}

function codeOf(sqliteCode: string): StoreErrorCode | null {
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(sqliteCode)) return 'corrupt';
  if (sqliteCode.startsWith('SQLITE_FULL')) return 'disk_full';
  if (/^SQLITE_(BUSY|LOCKED)/.test(sqliteCode)) return 'in_use';
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|IOERR)/.test(sqliteCode)) return 'not_writable';
  return null;
}

const advice: Partial<Record<StoreErrorCode, string>> = {
  corrupt: 'is damaged or is not a database; restore the newest good backup beside it',
  disk_full: 'cannot grow because the disk is full; free some space',
  in_use: 'is locked by another program; stop that program',
  not_writable: 'cannot be written; check the owner and the permissions of the file and its folder',
};

/** Gives what SQLite or the file system threw a code and a line; anything else passes unchanged. */
export function toStoreError(thrown: unknown, file: string): unknown {
  if (thrown instanceof StoreError) return thrown;
  const code =
    thrown instanceof Database.SqliteError
      ? codeOf(thrown.code)
      : isSystemError(thrown)
        ? systemCode(thrown)
        : null;
  if (code === null) return thrown;
  return new StoreError(code, `The database ${file} ${advice[code] ?? 'failed'}.`, {
    cause: thrown,
  });
}

function systemCode(thrown: NodeJS.ErrnoException): StoreErrorCode {
  return thrown.code === 'ENOSPC' || thrown.code === 'EDQUOT' ? 'disk_full' : 'not_writable';
}
