import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { LIMITS } from '@/lib/protocol/version';
import { hasOpenssl, makeAuthority, type Authority, type Pair } from '@/tests/support/certificates';
import { socketAgent } from './support/harness';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./support/host.ts', import.meta.url));
const tool = 'openssl';

const welcome = JSON.stringify({
  type: 'welcome',
  serverEpoch: 's',
  clock: { at: 0, mono: 0 },
  ackedSeq: 0,
  samplesSeq: 0,
  heartbeatMs: 20_000,
  limits: LIMITS,
});

describe.skipIf(!hasOpenssl)('[S-09] [S-36] the identity of the server', () => {
  let folder = '';
  let server: Server;
  let sockets: WebSocketServer;
  let port = 0;
  const tokens: (string | undefined)[] = [];
  const certificates: (string | undefined)[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'recloser-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', key, '-out', cert, '-days', '2'];
    await run(tool, ['req', '-x509', ...curve, ...subject, ...files]);
    const pair = { key: readFileSync(key), cert: readFileSync(cert) };
    server = createServer({ ...pair, ca: pair.cert, requestCert: true, rejectUnauthorized: false });
    sockets = new WebSocketServer({ server });
    sockets.on('connection', (socket, request) => {
      tokens.push(request.headers.authorization);
      if (request.socket instanceof TLSSocket) {
        certificates.push(request.socket.getPeerX509Certificate()?.subjectAltName);
      }
      socket.on('error', () => undefined);
      socket.send(welcome);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const host = async (url: string, own: Record<string, string> = {}) => {
    const { stdout } = await run(process.execPath, ['--import', 'tsx', program, url, 'connected'], {
      timeout: 60_000,
      env: { ...process.env, ...own, NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') },
    });
    return JSON.parse(stdout) as { connected: boolean };
  };

  it('is refused when nobody vouches for it, before the token is sent', async () => {
    const { agent, nextWait } = socketAgent(`https://localhost:${port}`);
    expect(await nextWait()).toBe(0);
    expect(tokens).toEqual([]);
    await agent.close(0);
  });

  it(
    'is accepted with a private authority, and the host still ends',
    { timeout: 90_000 },
    async () => {
      expect(await host(`https://localhost:${port}`)).toMatchObject({ connected: true });
      expect(tokens).toEqual(['Bearer rcl_a_test']);
    },
  );

  it('is refused under another name', { timeout: 90_000 }, async () => {
    expect(await host(`https://127.0.0.1:${port}`)).toMatchObject({ connected: false });
    expect(tokens).toHaveLength(1);
  });

  it('[S-37] gets a certificate back when the agent has one', { timeout: 90_000 }, async () => {
    expect(certificates).toEqual([undefined]);
    const own = { CLIENT_CERT: join(folder, 'cert.pem'), CLIENT_KEY: join(folder, 'key.pem') };
    expect(await host(`https://localhost:${port}`, own)).toMatchObject({ connected: true });
    expect(certificates[1]).toBe('DNS:localhost');
  });

  it('[S-37] hears nothing from an agent whose certificate cannot be read', async () => {
    const before = tokens.length;
    const clientCertificate = { certFile: join(folder, 'no.pem'), keyFile: join(folder, 'no.key') };
    const { agent, nextWait } = socketAgent(`https://localhost:${port}`, { clientCertificate });
    expect(await nextWait()).toBe(0);
    expect(tokens).toHaveLength(before);
    await agent.close(0);
  });
});

describe.skipIf(!hasOpenssl)('[S-09] [S-36] a console that an agent must not talk to', () => {
  let authority: Authority;
  beforeAll(async () => void (authority = await makeAuthority('ours')), 60_000);
  afterAll(() => authority?.remove());

  /** How many requests got through TLS, and whether the agent took the console for one. */
  async function meet({ certFile, keyFile }: Pair, more: ServerOptions = {}) {
    const pair = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    const server = createServer({ ...pair, ...more });
    const sockets = new WebSocketServer({ server });
    let requests = 0;
    server.on('upgrade', () => (requests += 1));
    sockets.on('connection', (socket) => {
      socket.on('error', () => undefined);
      socket.send(welcome);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const args = ['--import', 'tsx', program, `https://localhost:${port}`, 'connected'];
    const { stdout } = await run(process.execPath, args, {
      timeout: 60_000,
      env: { ...process.env, NODE_EXTRA_CA_CERTS: authority.certFile },
    });
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    const { connected } = JSON.parse(stdout) as { connected: boolean };
    return { requests, connected };
  }

  it('is one with an expired certificate, or one that speaks old TLS only', async () => {
    const good = await authority.issue('good', 'DNS:localhost');
    const expired = await authority.issueExpired('expired', 'DNS:localhost');
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const;
    const outcomes = await Promise.all([
      meet(good),
      meet(expired),
      meet(good, { ...old, ciphers: 'DEFAULT@SECLEVEL=0' }),
    ]);
    const refused = { requests: 0, connected: false };
    expect(outcomes).toEqual([{ requests: 1, connected: true }, refused, refused]);
  }, 120_000);
});
