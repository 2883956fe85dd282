/**
 * The key that signs the audit trail. It is made once and never leaves the data folder. Moving it to
 * `audit-key.previous.pem` asks for a new one, which the old one vouches for at the next start.
 */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newPrivateKey, readPrivateKey, type Signer } from './ed25519';

const KEY = 'audit-key.pem';
const PREVIOUS = 'audit-key.previous.pem';

export class AuditKeyError extends Error {
  override readonly name = 'AuditKeyError';
}

function readKey(file: string): Signer {
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new AuditKeyError(`${file} may be read by others; chmod 600 it, or make a new key.`);
  }
  try {
    return readPrivateKey(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new AuditKeyError(`${file} holds no Ed25519 key (PEM); move it away to make a new one.`, {
      cause,
    });
  }
}

export type { Signer as Key } from './ed25519';

/** Made when it is missing. Throws `AuditKeyError` for one that cannot be used. */
export function openKey(file: string): Signer {
  if (!existsSync(file)) writeFileSync(file, newPrivateKey(), { mode: 0o600, flag: 'wx' });
  return readKey(file);
}

/** Throws `AuditKeyError` for a key that cannot be used; its message says what to do. */
export function openKeys(dataDir: string): {
  readonly signer: Signer;
  readonly elder: (Signer & { forget(): void }) | null;
} {
  const file = join(dataDir, KEY);
  const previous = join(dataDir, PREVIOUS);
  const signer = openKey(file);
  const elder = existsSync(previous)
    ? { ...readKey(previous), forget: () => rmSync(previous, { force: true }) }
    : null;
  return { signer, elder };
}
