/** [S-03] scrypt at 32 MiB and three passes, as OWASP advises; the costs stand in each hash. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Passwords } from '../services/people/contract';

type Costs = { readonly logN: number; readonly r: number; readonly p: number };

const COSTS: Costs = { logN: 15, r: 8, p: 3 };
const KEY_BYTES = 32;
/** Each takes a thread and 32 MiB for a fifth of a second. */
const AT_ONCE = 2;

function derive(password: string, salt: Buffer, { logN, r, p }: Costs): Promise<Buffer> {
  const cost = 2 ** logN;
  return new Promise((resolve, reject) => {
    const options = { N: cost, r, p, maxmem: 256 * cost * r };
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** At most so many tasks at a time, in the order asked for. */
function createGate(limit: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(task: () => Promise<T>): Promise<T> => {
    if (running >= limit) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    }
    running += 1;
    try {
      return await task();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
}

function parse(hash: string): { costs: Costs; salt: Buffer; key: Buffer } | null {
  const [name, logN, r, p, salt, key] = hash.split('$');
  if (name !== 'scrypt' || salt === undefined || key === undefined) return null;
  return {
    costs: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}

export function createPasswords(costs: Costs = COSTS): Passwords {
  const gate = createGate(AT_ONCE);
  return {
    hash: (password) =>
      gate(async () => {
        const salt = randomBytes(16);
        const key = await derive(password, salt, costs);
        const { logN, r, p } = costs;
        return ['scrypt', logN, r, p, salt.toString('base64url'), key.toString('base64url')].join(
          '$',
        );
      }),
    verify: (hash, password) =>
      gate(async () => {
        const parsed = parse(hash);
        if (parsed === null) return false;
        const key = await derive(password, parsed.salt, parsed.costs);
        return key.length === parsed.key.length && timingSafeEqual(key, parsed.key);
      }),
  };
}
