import { crc32 } from 'node:zlib';
import type { ServiceDeps } from '../deps';

/**
 * `rcl_a_` speaks for an agent, `rcl_u_` for a person's script, `rcl_k_` shows the wall at a screen; no
 * door takes another one's.
 */
export type TokenPrefix = 'rcl_a_' | 'rcl_u_' | 'rcl_k_';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 160 bits. */
const SECRET_LENGTH = 27;
const CHECKSUM_LENGTH = 6;
/** Bytes from here on would favour the first characters of the alphabet. */
const FAIR_BELOW = 256 - (256 % ALPHABET.length);
const HINT_CHARS = 4;

type Random = ServiceDeps['random'];

function drawSecret(random: Random): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    for (const byte of random(SECRET_LENGTH)) {
      if (byte < FAIR_BELOW && secret.length < SECRET_LENGTH) {
        secret += ALPHABET.charAt(byte % ALPHABET.length);
      }
    }
  }
  return secret;
}

/** A mistyped token, or a leak scanner's false hit, is told from a real one without the store. */
function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

export function createToken(
  random: Random,
  prefix: TokenPrefix = 'rcl_a_',
): { token: string; hint: string } {
  const body = prefix + drawSecret(random);
  return { token: body + checksum(body), hint: body.slice(0, prefix.length + HINT_CHARS) };
}

const REST = new RegExp(`^[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** True for a text that could have been issued; says nothing about whether it was. */
export function isToken(text: string, prefix: TokenPrefix): boolean {
  if (!text.startsWith(prefix) || !REST.test(text.slice(prefix.length))) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}
