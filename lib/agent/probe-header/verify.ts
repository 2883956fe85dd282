import { randomBytes, timingSafeEqual } from 'node:crypto';
import { RecloserConfigError } from '../config-error';
import { loadKey, macOf, MIN_SECRET_BYTES, type LoadedKey } from './keys';
import type { ProbeKey } from './probe-key';
import { NonceBook } from './nonces';
import { readRequest, type ProbeRequest } from './request';
import {
  decodeName,
  encodeName,
  formatValue,
  parseValue,
  signedBytes,
  type BoundRequest,
  type HeaderFields,
  type ParsedValue,
} from './value';

const DEFAULT_TOLERANCE_MS = 60_000;
const DEFAULT_MAX_NONCES = 10_000;
/** The one in use and the one before or after it. */
const MAX_KEYS_PER_CALLER = 2;

export const probeReasons = [
  'valid',
  'missing',
  'repeated',
  'malformed',
  'unknown_key',
  'forged',
  'wrong_host',
  'too_old',
  'future',
  'replayed',
  'nonces_full',
] as const;

/** Why a request is or is not a probe. For metrics and logs, not for the answer. */
export type ProbeReason = (typeof probeReasons)[number];

/**
 * May change the priority of a request and its metrics, never who may do what: whoever holds the
 * key can mark any request of its own.
 */
export type ProbeVerdict = {
  readonly probe: boolean;
  /** Name of the caller's breaker; only of a probe. */
  readonly breaker?: string;
  readonly reason: ProbeReason;
};

export type ProbeVerifierOptions = {
  /** Names (`host` or `host:port`) under which callers reach this service. */
  readonly hosts: readonly string[];
  /** One or two keys for each caller: while a key is replaced, the old and the new one. */
  readonly callers: Readonly<Record<string, readonly ProbeKey[]>>;
  /** How far the clocks may be apart, in ms; default 60,000. */
  readonly toleranceMs?: number;
  /** Nonces remembered for each key; default 10,000. While they are all in use, nothing is a probe. */
  readonly maxNonces?: number;
  /** Epoch ms; default `Date.now`. */
  readonly clock?: () => number;
};

type KnownKey = LoadedKey & { readonly nonces: NonceBook };

/** Nonces in the book that stands in; small, because nobody asks it. */
const DECOY_NONCES = 1_000;
const noBound: BoundRequest = { method: '', host: '', path: '' };
/** Stands in for what cannot be read. */
const decoyFields: HeaderFields = {
  keyId: 'none',
  timestampMs: 1_700_000_000_000,
  nonce: 'AAAAAAAAAAAAAAAA',
  breaker: encodeName('inventory'),
};
const decoyValue = formatValue(decoyFields, 'A'.repeat(43));

/** Tells which requests are probes of known callers. Strip the header at the edge all the same. */
export class ProbeVerifier {
  readonly #hosts: ReadonlySet<string>;
  readonly #toleranceMs: number;
  readonly #maxNonces: number;
  readonly #clock: () => number;
  readonly #counters: Record<ProbeReason, number>;
  /** Stands in for keys that nobody has, so that every header costs the same work. */
  readonly #decoy = loadKey('decoy', { id: 'none', secret: randomBytes(MIN_SECRET_BYTES) });
  #decoyNonces = new NonceBook(DECOY_NONCES, 1, 0);
  #decoyCount = 0;
  #keys: ReadonlyMap<string, KnownKey> = new Map();

  /** Throws a `RecloserConfigError` that names the option. */
  constructor(options: ProbeVerifierOptions) {
    this.#hosts = hostNames(options.hosts);
    this.#toleranceMs = positive('toleranceMs', options.toleranceMs ?? DEFAULT_TOLERANCE_MS);
    this.#maxNonces = positive('maxNonces', options.maxNonces ?? DEFAULT_MAX_NONCES);
    this.#clock = options.clock ?? Date.now;
    this.#counters = Object.fromEntries(probeReasons.map((reason) => [reason, 0])) as Record<
      ProbeReason,
      number
    >;
    this.setKeys(options.callers);
  }

  /** Replaces all keys at once. A key that stays keeps its nonces. */
  setKeys(callers: ProbeVerifierOptions['callers']): void {
    const keys = new Map<string, KnownKey>();
    for (const [caller, list] of Object.entries(callers)) {
      const option = `callers.${caller}`;
      if (!Array.isArray(list) || list.length === 0 || list.length > MAX_KEYS_PER_CALLER) {
        throw new RecloserConfigError(option, 'must be a list of one or two keys');
      }
      for (const [i, key] of list.entries()) {
        const loaded = loadKey(`${option}[${i}]`, key);
        if (keys.has(loaded.id)) {
          throw new RecloserConfigError(`${option}[${i}].id`, `"${loaded.id}" is used twice`);
        }
        keys.set(loaded.id, this.#known(loaded));
      }
    }
    this.#keys = keys;
  }

  #known(loaded: LoadedKey): KnownKey {
    const before = this.#keys.get(loaded.id);
    const nonces = before?.secret.equals(loaded.secret)
      ? before.nonces
      : new NonceBook(this.#maxNonces, 2 * this.#toleranceMs, this.#clock());
    return { ...loaded, nonces };
  }

  /** Requests by verdict since the start. */
  get counters(): Readonly<Record<ProbeReason, number>> {
    return { ...this.#counters };
  }

  /** Never throws. What is not a probe is a request like any other. */
  verify(request: ProbeRequest): ProbeVerdict {
    const verdict = this.#judge(request);
    this.#counters[verdict.reason]++;
    return verdict;
  }

  #judge(request: ProbeRequest): ProbeVerdict {
    try {
      const { bound, values } = readRequest(request);
      const [value] = values;
      if (value === undefined) return no('missing');
      if (values.length > 1 || value.includes(',')) return this.#check(bound, null, 'repeated');
      return this.#check(bound, parseValue(value), 'malformed');
    } catch {
      isMac(this.#decoy, noBound, decoyFields, '');
      this.#pretend();
      return no('malformed');
    }
  }

  /** Does all of the work before it looks at any result; only a genuine nonce is written down. */
  #check(bound: BoundRequest, parsed: ParsedValue | null, unread: ProbeReason): ProbeVerdict {
    const { fields, mac } = parsed ?? parseValue(decoyValue) ?? { fields: decoyFields, mac: '' };
    const key = this.#keys.get(fields.keyId);
    const genuine = isMac(key ?? this.#decoy, bound, fields, mac);
    const hostKnown = this.#hosts.has(bound.host);
    const breaker = decodeName(fields.breaker);
    const now = this.#clock();
    const ageMs = now - fields.timestampMs;
    let problem: ProbeReason | null = null;
    if (parsed === null) problem = unread;
    else if (key === undefined) problem = 'unknown_key';
    else if (!genuine) problem = 'forged';
    else if (!hostKnown) problem = 'wrong_host';
    else if (breaker === null) problem = 'malformed';
    else if (!(ageMs <= this.#toleranceMs)) problem = 'too_old';
    else if (!(ageMs >= -this.#toleranceMs)) problem = 'future';
    if (problem !== null || key === undefined || breaker === null) {
      this.#pretend();
      return no(problem ?? unread);
    }
    const used = nonceReasons[key.nonces.use(fields.nonce, fields.timestampMs, now)];
    return used === 'valid' ? { probe: true, breaker, reason: used } : no(used);
  }

  /** What writing a nonce down costs. */
  #pretend(): void {
    const count = this.#decoyCount++;
    if (count % DECOY_NONCES === 0) this.#decoyNonces = new NonceBook(DECOY_NONCES, 1, 0);
    this.#decoyNonces.use(`decoy ${count}`, 0, 0);
  }
}

const nonceReasons = {
  new: 'valid',
  used: 'replayed',
  forgotten: 'too_old',
  full: 'nonces_full',
} as const satisfies Record<string, ProbeReason>;

function isMac(key: LoadedKey, bound: BoundRequest, fields: HeaderFields, mac: string): boolean {
  const expected = Buffer.from(macOf(key.secret, signedBytes(bound, fields)), 'latin1');
  const got = Buffer.alloc(expected.length);
  got.write(mac, 'latin1');
  return timingSafeEqual(expected, got);
}

function no(reason: ProbeReason): ProbeVerdict {
  return { probe: false, reason };
}

function hostNames(hosts: unknown): ReadonlySet<string> {
  const valid =
    Array.isArray(hosts) &&
    hosts.length > 0 &&
    hosts.every((host) => typeof host === 'string' && /^[^\s/@?#]+$/.test(host));
  if (!valid) {
    throw new RecloserConfigError('hosts', 'must be a list of at least one host or host:port');
  }
  return new Set(hosts.map((host: string) => host.toLowerCase()));
}

function positive(option: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new RecloserConfigError(option, `is ${String(value)}; it must be a whole number above 0`);
}
