import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'auth-secret';

/** Its message is fit to be the last line of a refused start. */
export class SecretError extends Error {
  override readonly name = 'SecretError';
}

/**
 * Signs cookies and encrypts the secrets of authenticator apps: from the environment, else made once
 * and kept in the data folder, readable by the owner only. `isNeeded`: the database holds secrets that
 * are encrypted already, and a new key would open none of them. Throws a `SecretError`.
 */
export function loadSecret(dataDir: string, given: string, isNeeded: boolean): string {
  if (given !== '') return given;
  const path = join(dataDir, FILE);
  if (isNeeded && !existsSync(path)) {
    throw new SecretError(
      `${path} is missing, and authenticator apps are encrypted under it: put it back, or set RECLOSER_SECRET. ` +
        'If it is lost, put 32 characters of your own there, and give those people a code with "recloser user recover".',
    );
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(path, 0o600);
  }
  return readFileSync(path, 'utf8').trim();
}
