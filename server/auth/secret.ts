import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'auth-secret';

/**
 * Signs cookies and encrypts the secrets of authenticator apps: from the environment, else made once
 * and kept in the data folder, readable by the owner only.
 */
export function loadSecret(dataDir: string, given: string): string {
  if (given !== '') return given;
  const path = join(dataDir, FILE);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    chmodSync(path, 0o600);
  }
  return readFileSync(path, 'utf8').trim();
}
