/**
 * [S-09] The key that signs commands to agents, made once and kept in the data folder. Its id is what
 * an agent pins. `command-key.next.pem` is the one after it, made beforehand so that agents can pin
 * both before it takes its place.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../auth/sha256';
import { openKey, type Key } from './key-file';

const KEY = 'command-key.pem';
const NEXT = 'command-key.next.pem';

export type CommandSigner = Key & { readonly keyId: string };

const withId = (key: Key): CommandSigner => ({ ...key, keyId: sha256Hex(key.publicKey) });

/** Throws `AuditKeyError` for a key that cannot be used. */
export const openCommandKey = (dataDir: string): CommandSigner =>
  withId(openKey(join(dataDir, KEY)));

/** The ids to pin: of the key in use, and of the next one when it was made or is to be made. */
export function commandKeyIds(dataDir: string, makeNext: boolean): string[] {
  const next = join(dataDir, NEXT);
  const files = makeNext || existsSync(next) ? [join(dataDir, KEY), next] : [join(dataDir, KEY)];
  return files.map((file) => withId(openKey(file)).keyId);
}
