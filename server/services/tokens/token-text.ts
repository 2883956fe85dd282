import type { ServiceDeps } from '../deps';

const PREFIX = 'rcl_a_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 166 bits. */
const SECRET_LENGTH = 28;
const CHECK_LENGTH = 6;
/** The largest multiple of 62 in a byte: bytes from there on would favour some characters. */
const FAIR_BELOW = 248;
const HINT_LENGTH = PREFIX.length + 4;

type Deps = Pick<ServiceDeps, 'random' | 'hash'>;

function drawSecret(random: Deps['random']): string {
  let secret = '';
  while (secret.length < SECRET_LENGTH) {
    for (const byte of random(SECRET_LENGTH * 2)) {
      if (byte < FAIR_BELOW && secret.length < SECRET_LENGTH) secret += ALPHABET[byte % 62];
    }
  }
  return secret;
}

/** So that a mistyped token, or a random text in a leak scan, is told apart without the store. */
function checksum(secret: string, hash: Deps['hash']): string {
  let left = BigInt(`0x${hash(`${PREFIX}${secret}`).slice(0, 16)}`);
  let text = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    text += ALPHABET[Number(left % 62n)];
    left /= 62n;
  }
  return text;
}

export function createToken({ random, hash }: Deps): { token: string; hint: string } {
  const secret = drawSecret(random);
  const token = `${PREFIX}${secret}${checksum(secret, hash)}`;
  return { token, hint: token.slice(0, HINT_LENGTH) };
}

const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`);

export function isWellFormed(token: string, hash: Deps['hash']): boolean {
  const match = FORM.exec(token);
  return match !== null && checksum(match[1] ?? '', hash) === match[2];
}
