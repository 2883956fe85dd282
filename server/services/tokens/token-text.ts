import { crc32 } from 'node:zlib';
import type { ServiceDeps } from '../deps';

const PREFIX = 'rcl_a_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 160 bits. */
const SECRET_LENGTH = 27;
const CHECKSUM_LENGTH = 6;
/** Bytes from here on would favour the first characters of the alphabet. */
const FAIR_BELOW = 256 - (256 % ALPHABET.length);
const HINT_LENGTH = PREFIX.length + 4;

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

export function createToken(random: Random): { token: string; hint: string } {
  const body = PREFIX + drawSecret(random);
  return { token: body + checksum(body), hint: body.slice(0, HINT_LENGTH) };
}

const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** True for a text that could have been issued; says nothing about whether it was. */
export function isAgentToken(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}
