/** [S-37] Real sockets, real certificates: what a token opens only together with its certificate. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { certifiedToken, identityOf } from '@/server/auth/agent-certificate';
import { parseConfig } from '@/server/config';
import { SYSTEM } from '@/server/services/caller';
import { hello } from '@/tests/gateways/agent-frames';
import { tokenRecord } from '@/tests/services/support';
import { hasOpenssl, makeAuthority, type Authority, type Pair } from '@/tests/support/certificates';
import { openConsole, type Console } from './console';

const DAY_MS = 86_400_000;
const uri = (service: string, environment = 'test') => `URI:recloser://${environment}/${service}`;

const tokenFor = async ({ services }: Console, servicePattern: string) => {
  const body = { name: 'a', servicePattern, environment: 'test', expiresInDays: 1 };
  return (await services.tokens.create(SYSTEM, { ...body, abilities: ['publish'] })).token;
};

describe.skipIf(!hasOpenssl)('[S-37] an agent with a certificate', () => {
  let ca: Authority;
  let foreign: Authority;
  let own: Pair;
  const certificates: Record<string, Pair> = {};

  beforeAll(async () => {
    [ca, foreign] = await Promise.all([makeAuthority('ours'), makeAuthority('theirs')]);
    own = await ca.issue('console', 'DNS:localhost', 2);
    certificates['a'] = await ca.issue('a', uri('checkout'));
    certificates['b'] = await ca.issue('b', uri('search'));
    certificates['other environment'] = await ca.issue('prod', uri('checkout', 'production'));
    certificates['two services'] = await ca.issue('two', `${uri('checkout')},${uri('search')}`);
    certificates['no service'] = await ca.issue('none', 'DNS:checkout');
    certificates['lives for long'] = await ca.issue('long', uri('checkout'), 2);
    certificates['another authority'] = await foreign.issue('x', uri('checkout'));
  }, 120_000);
  afterAll(() => {
    ca?.remove();
    foreign?.remove();
  });

  async function open(environment: Record<string, string> = {}) {
    const console = await openConsole({
      environment: {
        RECLOSER_TLS_CERT: own.certFile,
        RECLOSER_TLS_KEY: own.keyFile,
        RECLOSER_URL: 'https://localhost',
        RECLOSER_AGENT_CA: ca.certFile,
        ...environment,
      },
    });
    // Certificates are of today.
    console.clock.wallStep += Date.now() - console.clock.wall();
    return console;
  }

  /** `open`, or the status of the refusal. */
  function come({ port }: Console, token: string, pair: Pair | undefined) {
    const socket = new WebSocket(`wss://localhost:${port}/ws/agent`, 'recloser.agent.v1', {
      headers: { authorization: `Bearer ${token}` },
      ca: ca.pem,
      // The console listens on one loopback address alone.
      family: 4,
      ...(pair && { cert: readFileSync(pair.certFile), key: readFileSync(pair.keyFile) }),
    });
    onTestFinished(() => socket.terminate());
    const answer = new Promise<'open' | number>((resolve, reject) => {
      socket.on('open', () => resolve('open'));
      socket.on('unexpected-response', (request, response) => {
        resolve(response.statusCode ?? 0);
        request.destroy();
      });
      socket.on('error', reject);
    });
    return { socket, answer };
  }

  it('comes in when token and certificate are of one service', async () => {
    const console = await open();
    const token = await tokenFor(console, 'checkout');
    const { socket, answer } = come(console, token, certificates['a']);
    expect(await answer).toBe('open');
    const first = new Promise<string>((resolve) => {
      socket.on('message', (data: Buffer) => resolve(data.toString()));
    });
    socket.send(JSON.stringify(hello()));
    expect(JSON.parse(await first)).toMatchObject({ type: 'welcome' });
  });

  it('is refused with the certificate of A and the token of B, and with any that does not do', async () => {
    const console = await open();
    const [a, b] = [await tokenFor(console, 'checkout'), await tokenFor(console, 'search')];
    expect(await come(console, b, certificates['a']).answer).toBe(403);
    expect(await come(console, a, certificates['b']).answer).toBe(403);
    expect(await come(console, a, undefined).answer).toBe(403);
    for (const [what, pair] of Object.entries(certificates)) {
      const wanted = what === 'a' ? 'open' : 403;
      expect({ what, got: await come(console, a, pair).answer }).toEqual({ what, got: wanted });
    }
    const wrong = `${a.slice(0, -1)}${a.endsWith('x') ? 'y' : 'x'}`;
    expect(await come(console, wrong, certificates['a']).answer).toBe(401);
  });

  it('speaks for the service of its certificate alone, however much the token allows', async () => {
    const console = await open();
    const { socket, answer } = come(console, await tokenFor(console, '*'), certificates['b']);
    expect(await answer).toBe('open');
    const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)));
    socket.send(JSON.stringify(hello({ service: 'checkout' })));
    expect(await closed).toBe(4001);
    expect(await console.services.queries.services()).toEqual([]);
  });

  it('is refused when its certificate has ended, and with a list when that names it', async () => {
    const console = await open();
    const token = await tokenFor(console, 'checkout');
    console.clock.wallStep += DAY_MS - 60_000;
    expect(await come(console, token, certificates['a']).answer).not.toBe(403);
    console.clock.wallStep += 120_000;
    // The token has ended by then as well, so it is made anew.
    const later = await tokenFor(console, 'checkout');
    expect(await come(console, later, certificates['a']).answer).toBe(403);

    const crl = await ca.revoke(certificates['a'] ?? own);
    const listed = await open({ RECLOSER_AGENT_CRL: crl });
    const fresh = await tokenFor(listed, 'checkout');
    expect(await come(listed, fresh, certificates['a']).answer).toBe(403);
    expect(await come(listed, fresh, certificates['lives for long']).answer).toBe('open');
  });

  it('says nothing to a browser, which needs none', async () => {
    const console = await open();
    const { answer, socket } = come(console, 'x', undefined);
    expect(await answer).toBe(401);
    socket.terminate();
  });
});

describe('[S-37] a certificate', () => {
  it.each([
    ['URI:recloser://test/checkout', { environment: 'test', service: 'checkout' }],
    ['DNS:x, URI:recloser://a%2Fb/c%20d', { environment: 'a/b', service: 'c d' }],
    ['URI:recloser://test/checkout/x', null],
    ['URI:recloser://test/', null],
    ['URI:recloser:///checkout', null],
    ['URI:recloser://test/%zz', null],
    ['URI:spiffe://test/checkout', null],
    ['URI:recloser://test/a, URI:recloser://test/b', null],
    // One name of DNS that would like to be two.
    ['DNS:"x, URI:recloser://test/checkout, y"', null],
    ['', null],
  ])('with %s names %o', (text, wanted) => expect(identityOf(text)).toEqual(wanted));

  it('shortens the token to its own end', () => {
    const certificate = {
      trusted: true,
      subjectAltName: 'URI:recloser://prod/checkout',
      validFrom: 0,
      validTo: 20_000,
    };
    const token = { ...tokenRecord(), servicePattern: '*', environment: 'prod', expiresAt: 1e15 };
    const rules = { hasCrl: false, now: 10_000 };
    expect(certifiedToken(token, certificate, rules)).toEqual({
      token: { ...token, servicePattern: 'checkout', expiresAt: 20_000 },
    });
    expect(certifiedToken(token, certificate, { ...rules, now: 20_000 })).toHaveProperty('problem');
    expect(certifiedToken(token, { ...certificate, validTo: NaN }, rules)).toHaveProperty(
      'problem',
    );
    expect(certifiedToken(token, null, rules)).toHaveProperty('problem');
  });

  it('is asked for only where this process speaks TLS itself', () => {
    expect(() => parseConfig({ RECLOSER_AGENT_CA: 'ca.pem' }, '.')).toThrow(/RECLOSER_TLS_CERT/);
    const proxied = {
      RECLOSER_AGENT_CA: 'ca.pem',
      RECLOSER_BEHIND_TLS_PROXY: '127.0.0.1',
      RECLOSER_URL: 'https://console.example',
    };
    expect(() => parseConfig(proxied, '.')).toThrow(/RECLOSER_TLS_CERT/);
    expect(() => parseConfig({ RECLOSER_AGENT_CRL: 'crl.pem' }, '.')).toThrow(/RECLOSER_AGENT_CA/);
  });
});
