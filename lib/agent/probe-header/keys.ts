import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { RecloserConfigError } from '../config-error';
import type { ProbeKey } from './probe-key';

export const MIN_SECRET_BYTES = 32;

export type LoadedKey = { readonly id: string; readonly secret: KeyObject };

/** Throws, naming the option, for a key that could not protect anything. */
export function loadKey(option: string, key: ProbeKey): LoadedKey {
  if (typeof key !== 'object' || key === null) {
    throw new RecloserConfigError(option, 'must be an object with id and secret');
  }
  if (typeof key.id !== 'string' || !/^[A-Za-z0-9_-]{1,32}$/.test(key.id)) {
    throw new RecloserConfigError(
      `${option}.id`,
      'must be 1 to 32 of the characters A-Z a-z 0-9 _ -',
    );
  }
  const bytes = secretBytes(`${option}.secret`, key.secret);
  if (bytes.length < MIN_SECRET_BYTES) {
    throw new RecloserConfigError(
      `${option}.secret`,
      `has ${bytes.length} bytes; at least ${MIN_SECRET_BYTES} random ones are needed, for example from "openssl rand -base64 32"`,
    );
  }
  return { id: key.id, secret: createSecretKey(bytes) };
}

function secretBytes(option: string, secret: unknown): Uint8Array {
  if (secret instanceof Uint8Array) return secret;
  if (typeof secret !== 'string') {
    throw new RecloserConfigError(option, 'must be bytes, or a string in base64 or base64url');
  }
  if (!/^(?:[A-Za-z0-9+/]+|[A-Za-z0-9_-]+)={0,2}$/.test(secret)) {
    throw new RecloserConfigError(option, 'is not base64 or base64url');
  }
  return Buffer.from(secret, 'base64');
}

export function macOf(secret: KeyObject, bytes: Uint8Array): string {
  return createHmac('sha256', secret).update(bytes).digest('base64url');
}
