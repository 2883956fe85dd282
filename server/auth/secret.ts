import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const FILE = 'auth-secret';
const MIN_LENGTH = 32;

/** Its message is fit to be the last line of a refused start. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/** The key of now, and those before it that something may still be encrypted under. */
export type Secrets = { readonly current: string; readonly previous: readonly string[] };

/**
 * [S-26] Which key something is encrypted under: 31 bits of its SHA-256, as the sign-in library wants
 * a number. They tell keys apart and say nothing about them.
 */
export const keyIdOf = (secret: string): number =>
  createHash('sha256').update(`recloser key id\0${secret}`).digest().readUInt32BE() >>> 1;

function readKeys(path: string): Secrets {
  const [current = '', ...previous] = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if ([current, ...previous].some((key) => key.length < MIN_LENGTH)) {
    throw new SecretError(
      `${path} holds one key a line, the one of now first, each of at least ${MIN_LENGTH} characters; put it back as it was.`,
    );
  }
  return { current, previous };
}

const newKey = (): string => randomBytes(32).toString('base64url');

/**
 * Signs cookies and encrypts the secrets of authenticator apps: from the environment, else made once
 * and kept in the data folder, readable by the owner only. `isNeeded`: the database holds secrets that
 * are encrypted already, and a new key would open none of them. Throws a `SecretError`.
 */
export function loadSecrets(
  dataDir: string,
  [current, ...previous]: readonly string[],
  isNeeded: boolean,
): Secrets {
  if (current !== undefined) return { current, previous };
  const path = join(dataDir, FILE);
  if (isNeeded && !existsSync(path)) {
    throw new SecretError(
      `${path} is missing, and authenticator apps are encrypted under it: put it back, or set RECLOSER_SECRET. ` +
        'If it is lost, "recloser secret lost" takes those apps away.',
    );
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, `${newKey()}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(path, 0o600);
  }
  return readKeys(path);
}

/**
 * A new key before those of the file, for the next start. `announce` is told the ids first, and
 * nothing is written when it fails. Throws a `SecretError` when there is no file.
 */
export async function rotateSecret(
  dataDir: string,
  announce: (keyIds: { readonly from: number; readonly to: number }) => Promise<unknown>,
): Promise<void> {
  const path = join(dataDir, FILE);
  if (!existsSync(path)) {
    throw new SecretError(
      `There is no ${FILE} in the data folder: the key comes from RECLOSER_SECRET, or nothing has been started yet. ` +
        'There, put the new one before the old one, with a comma.',
    );
  }
  const { current, previous } = readKeys(path);
  const next = newKey();
  await announce({ from: keyIdOf(current), to: keyIdOf(next) });
  const beside = `${path}.new`;
  rmSync(beside, { force: true });
  writeFileSync(beside, [next, current, ...previous, ''].join('\n'), { flag: 'wx', mode: 0o600 });
  renameSync(beside, path);
}
