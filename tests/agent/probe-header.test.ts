import { createHmac, hkdfSync } from 'node:crypto';
import type * as crypto from 'node:crypto';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProbeSigner, ProbeVerifier, RecloserConfigError, stripProbeHeader } from '@/lib/agent';
import type { ProbeKey, ProbeVerdict, ProbeVerifierOptions } from '@/lib/agent';
import { signedBytes } from '@/lib/agent/probe-header/value';

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>();
  return { ...real, createHmac: vi.fn<typeof real.createHmac>(real.createHmac) };
});
const hmac = vi.mocked(createHmac);

const start = 1_700_000_000_000;
const url = 'http://stock.internal:8080/items/7?color=red';
const base = { method: 'GET', url, breaker: 'stock' };

function secret(seed: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', seed, '', 'test', 32));
}

const key = (id: string): ProbeKey => ({ id, secret: secret(id) });

function setup(options: Partial<ProbeVerifierOptions> = {}) {
  const time = { now: start };
  const clock = () => time.now;
  let drawn = 0;
  const random = (bytes: number) => {
    drawn++;
    return Uint8Array.from({ length: bytes }, (_, i) => (drawn >> (8 * (i % 4))) & 255);
  };
  const signer = new ProbeSigner({ key: key('k1'), clock, random });
  const verifier = new ProbeVerifier({
    hosts: ['stock.internal:8080'],
    callers: { checkout: [key('k1')] },
    clock,
    ...options,
  });
  return { time, clock, random, signer, verifier };
}

function node(value: string | string[] | undefined, over: object = {}) {
  return {
    method: 'GET',
    url: '/items/7?color=red',
    headers: {
      host: 'stock.internal:8080',
      ...(value === undefined ? {} : { 'x-probe-request': value }),
    },
    ...over,
  };
}

const refused = (reason: string) => ({ probe: false, reason });

afterEach(() => hmac.mockClear());

describe('[S-35] X-Probe-Request', () => {
  it('a signed probe is one, with the name of its breaker, over Node and over fetch', () => {
    const { signer, verifier } = setup();
    const verdict = { probe: true, breaker: 'stock', reason: 'valid' };
    expect(verifier.verify(node(signer.sign(base)))).toEqual(verdict);
    const headers = { 'x-probe-request': signer.sign(base) };
    expect(verifier.verify(new Request(url, { headers }))).toEqual(verdict);
    expect(verifier.counters).toMatchObject({ valid: 2, forged: 0 });
  });

  it('the value is version, key id, time, 96-bit nonce, breaker and HMAC, all ASCII', () => {
    const { signer } = setup();
    const [version, id, time, nonce, breaker, mac, ...more] = signer
      .sign({ ...base, breaker: 'Lager Süd – 1' })
      .split('.');
    expect([version, id, time, more]).toEqual(['v1', 'k1', String(start), []]);
    expect(Buffer.from(nonce ?? '', 'base64url')).toHaveLength(12);
    expect(Buffer.from(breaker ?? '', 'base64url').toString()).toBe('Lager Süd – 1');
    expect(Buffer.from(mac ?? '', 'base64url')).toHaveLength(32);
  });

  it('two nonces are never equal by default', () => {
    const signer = new ProbeSigner({ key: key('k1') });
    const nonces = Array.from({ length: 100 }, () => signer.sign(base).split('.')[3]);
    expect(new Set(nonces).size).toBe(100);
  });

  it('moving a character from one field to the next changes the bytes under the MAC', () => {
    const fields = { keyId: 'k1', timestampMs: 12, nonce: 'n', breaker: 'b' };
    const bytes = (host: string, path: string, over: object = {}) =>
      Buffer.from(signedBytes({ method: 'GET', host, path }, { ...fields, ...over })).toString(
        'hex',
      );
    const all = [
      bytes('a', 'b/c'),
      bytes('ab', '/c'),
      bytes('ab/', 'c'),
      bytes('a', 'b/', { keyId: 'ck1' }),
      bytes('a', 'b/c', { keyId: 'k', timestampMs: 112 }),
      bytes('a', 'b/c', { timestampMs: 1, nonce: '2n' }),
      bytes('a', 'b/c', { nonce: 'nb', breaker: '' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('no two requests have the same bytes under the MAC', () => {
    const text = fc.string({ maxLength: 6 });
    const one = fc.record({
      method: text,
      host: text,
      path: text,
      keyId: text,
      nonce: text,
      breaker: text,
    });
    fc.assert(
      fc.property(one, one, (a, b) => {
        const bytes = [a, b].map((x) =>
          Buffer.from(signedBytes(x, { ...x, timestampMs: 1 })).toString('hex'),
        );
        // Lone surrogates become the replacement character in UTF-8, so that they may be equal.
        const plain = [a, b].map((x) =>
          JSON.stringify(Object.values(x).map((v) => Buffer.from(v))),
        );
        expect(bytes[0] === bytes[1]).toBe(plain[0] === plain[1]);
      }),
    );
  });
});

describe('[S-35] attacks', () => {
  it('missing: a request without the header is an ordinary one', () => {
    const { verifier } = setup();
    expect(verifier.verify(node(undefined))).toEqual(refused('missing'));
    expect(hmac).not.toHaveBeenCalled();
  });

  it('forged: every changed character of the value is found out', () => {
    const { signer, verifier } = setup();
    const value = signer.sign(base);
    for (let i = 0; i < value.length; i++) {
      const other = value[i] === 'A' ? 'B' : 'A';
      const forged = value.slice(0, i) + other + value.slice(i + 1);
      expect(verifier.verify(node(forged)).probe, `character ${i}`).toBe(false);
    }
    expect(verifier.verify(node(value)).probe).toBe(true);
  });

  it('forged: signed with a key of the same id and another secret', () => {
    const { clock, verifier } = setup();
    const thief = new ProbeSigner({ key: { id: 'k1', secret: secret('guess') }, clock });
    expect(verifier.verify(node(thief.sign(base)))).toEqual(refused('forged'));
  });

  it('replayed: a value is good once', () => {
    const { signer, verifier, time } = setup();
    const value = signer.sign(base);
    expect(verifier.verify(node(value)).probe).toBe(true);
    expect(verifier.verify(node(value))).toEqual(refused('replayed'));
    time.now += 60_000;
    expect(verifier.verify(node(value))).toEqual(refused('replayed'));
    time.now += 1;
    expect(verifier.verify(node(value))).toEqual(refused('too_old'));
  });

  it('replayed: also after the nonce is forgotten and the wall clock set back', () => {
    const { signer, verifier, time } = setup();
    const value = signer.sign(base);
    verifier.verify(node(value));
    time.now += 120_001;
    expect(verifier.verify(node(signer.sign(base))).probe).toBe(true);
    time.now = start;
    expect(verifier.verify(node(value))).toEqual(refused('too_old'));
  });

  it('replayed: into a process that has just started', () => {
    const { signer, clock, time } = setup();
    const value = signer.sign(base);
    time.now += 5_000;
    const restarted = new ProbeVerifier({
      hosts: ['stock.internal:8080'],
      callers: { checkout: [key('k1')] },
      clock,
    });
    expect(restarted.verify(node(value))).toEqual(refused('too_old'));
    expect(restarted.verify(node(signer.sign(base))).probe).toBe(true);
  });

  it('future-dated: more than 60 s ahead or behind is refused, 60 s is not', () => {
    const { clock, signer, verifier, time } = setup();
    time.now = start + 3_600_000;
    const at = (shiftMs: number) => {
      const now = time.now;
      time.now = now + shiftMs;
      const value = signer.sign(base);
      time.now = now;
      return verifier.verify(node(value)).reason;
    };
    expect([at(60_001), at(60_000), at(-60_000), at(-60_001)]).toEqual([
      'future',
      'valid',
      'valid',
      'too_old',
    ]);
    expect(clock()).toBe(start + 3_600_000);
  });

  it('future-dated: a nonce is remembered for as long as its time is good', () => {
    const { signer, verifier, time } = setup();
    time.now += 60_000;
    const value = signer.sign(base);
    time.now = start;
    expect(verifier.verify(node(value)).probe).toBe(true);
    time.now = start + 120_000;
    expect(verifier.verify(node(value))).toEqual(refused('replayed'));
  });

  it.each([
    ['another path', { url: '/items/8?color=red' }],
    ['another query', { url: '/items/7?color=blue' }],
    ['no query', { url: '/items/7' }],
    ['another method', { method: 'DELETE' }],
  ])('other path: the value moved to %s', (_, over) => {
    const { signer, verifier } = setup();
    expect(verifier.verify(node(signer.sign(base), over))).toEqual(refused('forged'));
  });

  it('other path: a router that shortens the address does not matter', () => {
    const { signer, verifier } = setup();
    const mounted = { url: '/7?color=red', originalUrl: '/items/7?color=red' };
    expect(verifier.verify(node(signer.sign(base), mounted)).probe).toBe(true);
  });

  it('other callee: the value sent to another host, and to one that pretends', () => {
    const { signer, clock } = setup();
    const other = new ProbeVerifier({
      hosts: ['price.internal'],
      callers: { checkout: [key('k1')] },
      clock,
    });
    const value = signer.sign(base);
    const elsewhere = { headers: { host: 'price.internal', 'x-probe-request': value } };
    expect(other.verify(node(value, elsewhere))).toEqual(refused('forged'));
    expect(other.verify(node(value))).toEqual(refused('wrong_host'));
  });

  it('old key after rotation: both are good during it, only the new one after it', () => {
    const { signer, verifier } = setup();
    const used = signer.sign(base);
    expect(verifier.verify(node(used)).probe).toBe(true);
    verifier.setKeys({ checkout: [key('k2'), key('k1')] });
    expect(verifier.verify(node(used))).toEqual(refused('replayed'));
    expect(verifier.verify(node(signer.sign(base))).probe).toBe(true);
    const late = signer.sign(base);
    signer.useKey(key('k2'));
    expect(verifier.verify(node(signer.sign(base))).probe).toBe(true);
    verifier.setKeys({ checkout: [key('k2')] });
    expect(verifier.verify(node(late))).toEqual(refused('unknown_key'));
    expect(verifier.verify(node(signer.sign(base))).probe).toBe(true);
  });

  it('old key after rotation: brought back, it does not bring its used nonces back', () => {
    const { signer, verifier, time } = setup();
    const used = signer.sign(base);
    verifier.verify(node(used));
    verifier.setKeys({ checkout: [key('k2')] });
    time.now += 10;
    verifier.setKeys({ checkout: [key('k2'), key('k1')] });
    expect(verifier.verify(node(used))).toEqual(refused('too_old'));
  });

  it('cache flood: a full cache grants nothing, grows no more and forgets nothing early', () => {
    const { signer, verifier, time } = setup({ maxNonces: 100 });
    const values = Array.from({ length: 100 }, () => signer.sign(base));
    expect(values.every((value) => verifier.verify(node(value)).probe)).toBe(true);
    for (let i = 0; i < 1_000; i++) {
      expect(verifier.verify(node(signer.sign(base)))).toEqual(refused('nonces_full'));
    }
    expect(values.map((value) => verifier.verify(node(value)).reason)).toEqual(
      values.map(() => 'replayed'),
    );
    expect(verifier.counters).toMatchObject({ valid: 100, nonces_full: 1_000, replayed: 100 });
    time.now += 120_001;
    expect(verifier.verify(node(signer.sign(base))).probe).toBe(true);
  });

  it('cache flood: without a key nothing enters the cache', () => {
    const { signer, verifier, clock } = setup({ maxNonces: 10 });
    const thief = new ProbeSigner({ key: { id: 'k1', secret: secret('guess') }, clock });
    for (let i = 0; i < 100; i++) verifier.verify(node(thief.sign(base)));
    expect(verifier.verify(node(signer.sign(base))).probe).toBe(true);
  });

  it('cache flood: one caller does not fill the cache of another', () => {
    const callers = { checkout: [key('k1')], search: [key('s1')] };
    const { signer, verifier, clock } = setup({ maxNonces: 10, callers });
    for (let i = 0; i < 50; i++) verifier.verify(node(signer.sign(base)));
    const search = new ProbeSigner({ key: key('s1'), clock });
    expect(verifier.verify(node(search.sign(base))).probe).toBe(true);
  });

  it('header twice: neither counts, joined, as a list or raw', () => {
    const { signer, verifier } = setup();
    const [one, two] = [signer.sign(base), signer.sign(base)];
    const raw = ['Host', 'stock.internal:8080', 'X-Probe-Request', one, 'x-PROBE-request', two];
    const headers = new Headers([
      ['x-probe-request', one],
      ['x-probe-request', two],
    ]);
    const forms = [
      node(`${one}, ${two}`),
      node([one, two]),
      node(one, { rawHeaders: raw }),
      new Request(url, { headers }),
    ];
    expect(forms.map((form) => verifier.verify(form))).toEqual(
      forms.map(() => refused('repeated')),
    );
    expect(verifier.verify(node(one)).probe).toBe(true);
  });

  it('oversized: a value beyond 1,024 characters is not read', () => {
    const { signer, verifier } = setup();
    const value = signer.sign(base);
    for (const length of [1_025, 100_000]) {
      expect(verifier.verify(node(value.padEnd(length, 'A')))).toEqual(refused('malformed'));
    }
    expect(signer.sign({ ...base, breaker: '名'.repeat(128) }).length).toBeLessThan(1_024);
    expect(() => signer.sign({ ...base, breaker: '名'.repeat(400) })).toThrow(RecloserConfigError);
    expect(() => signer.sign({ ...base, breaker: '' })).toThrow(RecloserConfigError);
  });

  it.each(['é', '\u0000', ' ', '\u2028', '😀'])(
    'non-ASCII: %j anywhere in the value',
    (strange) => {
      const { signer, verifier } = setup();
      const value = signer.sign(base);
      for (const at of [0, 5, value.length - 1, value.length]) {
        const spoilt = value.slice(0, at) + strange + value.slice(at);
        expect(verifier.verify(node(spoilt))).toEqual(refused('malformed'));
      }
    },
  );

  it('verify never throws and never grants, whatever it is given', () => {
    const { verifier } = setup();
    const hostile = [
      null,
      undefined,
      7,
      {},
      { headers: null },
      { headers: { get: () => 5 } },
      {
        get headers() {
          throw new Error('no');
        },
      },
      { headers: { 'x-probe-request': { toString: null } } },
      { headers: { 'x-probe-request': 'v1' }, rawHeaders: 'no' },
    ] as unknown[];
    for (const request of hostile) {
      expect(verifier.verify(request as Parameters<typeof verifier.verify>[0]).probe).toBe(false);
    }
    fc.assert(
      fc.property(fc.anything(), fc.string(), (thing, value) => {
        const request = { method: 'GET', url: thing, headers: { 'x-probe-request': value } };
        const verdict: ProbeVerdict = verifier.verify(request as ReturnType<typeof node>);
        expect(verdict.probe).toBe(false);
      }),
    );
  });

  it('a clock that fails makes a probe an ordinary request', () => {
    const { signer } = setup();
    let broken = false;
    const clock = () => {
      if (broken) throw new Error('no time');
      return start;
    };
    const { verifier } = setup({ clock });
    broken = true;
    expect(verifier.verify(node(signer.sign(base)))).toEqual(refused('malformed'));
  });

  it('the same work: exactly one HMAC on every path with a header', () => {
    const { signer, verifier, clock, time } = setup({ maxNonces: 1 });
    const thief = new ProbeSigner({ key: { id: 'k1', secret: secret('guess') }, clock });
    const stranger = new ProbeSigner({ key: key('zz'), clock });
    const value = signer.sign(base);
    time.now += 200_000;
    const ahead = signer.sign(base);
    time.now = start;
    const attempts: Record<string, unknown> = {
      valid: node(value),
      replayed: node(value),
      nonces_full: node(signer.sign(base)),
      forged: node(thief.sign(base)),
      unknown_key: node(stranger.sign(base)),
      future: node(ahead),
      malformed: node('x'),
      repeated: node(`${value},${value}`),
    };
    const work: Record<string, number> = {};
    for (const [reason, request] of Object.entries(attempts)) {
      hmac.mockClear();
      expect(verifier.verify(request as ReturnType<typeof node>).reason).toBe(reason);
      work[reason] = hmac.mock.calls.length;
    }
    expect(Object.values(work)).toEqual(Object.keys(attempts).map(() => 1));
  });
});

describe('[S-35] keys', () => {
  it.each([
    ['too short', { id: 'k1', secret: secret('x').slice(0, 31) }, 'key.secret": has 31 bytes'],
    ['short text', { id: 'k1', secret: 'aGVsbG8=' }, 'has 5 bytes'],
    ['no base64', { id: 'k1', secret: 'pass phrase with blanks' }, 'is not base64'],
    ['empty', { id: 'k1', secret: '' }, 'is not base64'],
    ['no secret', { id: 'k1' }, 'must be bytes'],
    ['bad id', { id: 'a.b', secret: secret('x') }, 'key.id": must be'],
    ['nothing', null, 'must be an object'],
  ])('%s: a clear error', (_, bad, message) => {
    const make = () => new ProbeSigner({ key: bad as ProbeKey });
    expect(make).toThrow(RecloserConfigError);
    expect(make).toThrow(message);
  });

  it('a secret as base64 and as base64url is the same as its bytes', () => {
    const { clock, verifier } = setup();
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.from(secret('k1')).toString(encoding);
      const signer = new ProbeSigner({ key: { id: 'k1', secret: text }, clock });
      expect(verifier.verify(node(signer.sign(base))).probe).toBe(true);
    }
  });

  it.each([
    ['three keys', { a: [key('1'), key('2'), key('3')] }, 'one or two keys'],
    ['no key', { a: [] }, 'one or two keys'],
    ['one id twice', { a: [key('1')], b: [key('1')] }, '"1" is used twice'],
  ])('a verifier with %s is refused', (_, callers, message) => {
    expect(() => setup({ callers })).toThrow(message);
  });

  it.each([
    ['hosts', { hosts: [] }],
    ['hosts', { hosts: ['http://stock'] }],
    ['toleranceMs', { toleranceMs: 0 }],
    ['maxNonces', { maxNonces: 1.5 }],
  ])('a verifier with bad %s is refused', (option, options) => {
    expect(() => setup(options)).toThrow(`"${option}"`);
  });

  it('a failed change of keys changes nothing', () => {
    const { signer, verifier } = setup();
    expect(() => verifier.setKeys({ checkout: [{ id: 'k9', secret: 'c2hvcnQ=' }] })).toThrow(
      'has 5 bytes',
    );
    expect(verifier.verify(node(signer.sign(base))).probe).toBe(true);
  });
});

describe('[S-35] the edge strips it', () => {
  it('from headers of fetch, once or twice, and from plain objects', () => {
    const headers = new Headers([
      ['X-Probe-Request', 'a'],
      ['x-probe-request', 'b'],
      ['accept', '*/*'],
    ]);
    expect(stripProbeHeader(headers)).toBe(true);
    expect([...headers.keys()]).toEqual(['accept']);
    expect(stripProbeHeader(headers)).toBe(false);
    const plain = { 'X-PROBE-Request': 'a', accept: '*/*' };
    expect(stripProbeHeader(plain)).toBe(true);
    expect(plain).toEqual({ accept: '*/*' });
  });

  it('from headers that cannot be changed: says so instead of leaving it in', () => {
    const frozen = {
      has: () => true,
      delete: () => {
        throw new TypeError('immutable');
      },
    };
    expect(() => stripProbeHeader(frozen)).toThrow(TypeError);
  });

  it('from a message of Node, in every form in which it can be read', async () => {
    const seen: unknown[] = [];
    const server = createServer((message: IncomingMessage, response) => {
      const read = () => [
        message.headers['x-probe-request'],
        message.headersDistinct['x-probe-request'],
        message.rawHeaders.filter((text) => /probe/i.test(text)).length,
      ];
      seen.push(read(), stripProbeHeader(message), read(), stripProbeHeader(message));
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise<void>((resolve, reject) => {
      const headers = { 'X-Probe-Request': ['one', 'two'] };
      httpRequest({ port, host: '127.0.0.1', headers }, (answer) => {
        answer.resume().on('end', resolve);
      })
        .on('error', reject)
        .end();
    });
    server.closeAllConnections();
    server.close();
    expect(seen).toEqual([['one, two', ['one', 'two'], 2], true, [undefined, undefined, 0], false]);
  });
});
