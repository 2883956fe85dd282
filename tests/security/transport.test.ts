import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:https';
import { createConnection, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type SecureVersion } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClientAddresses } from '@/server/auth/client-address';
import { routes } from '@/server/http/routes';
import { examples } from '@/tests/http/examples';
import { ask, speak, type Answer } from '@/tests/server/fakes/server';
import { auditOf, openConsole, root, visit, Visitor } from './console';

const PROXY = { RECLOSER_BEHIND_TLS_PROXY: '127.0.0.1', RECLOSER_URL: 'https://console.example' };
const wrong = { email: root.email, password: 'wrong-wrong-wrong' };

const from = (remoteAddress: string, headers: Record<string, string> = {}) => ({
  socket: { remoteAddress },
  headers,
});

describe('[S-15] the address of a client', () => {
  it('is that of the connection, whatever a header says, and what says so is counted', () => {
    const addresses = createClientAddresses([]);
    expect(addresses.of(from('::ffff:10.0.0.9'))).toBe('10.0.0.9');
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-client-ip']) {
      expect(addresses.of(from('10.0.0.9', { [header]: '8.8.8.8' }))).toBe('10.0.0.9');
    }
    expect(addresses.ignored).toBe(4);
  });

  it('is what a trusted proxy has heard: the last hop that is none of ours', () => {
    const addresses = createClientAddresses(['10.0.0.1', '10.0.0.2', 'fd00::1']);
    const of = (remote: string, value: string) =>
      addresses.of(from(remote, { 'x-forwarded-for': value }));
    expect(of('10.0.0.1', '203.0.113.7')).toBe('203.0.113.7');
    expect(of('::ffff:10.0.0.1', '6.6.6.6, 203.0.113.7, 10.0.0.2')).toBe('203.0.113.7');
    expect(of('fd00::1', '2001:db8::7')).toBe('2001:db8::7');
    expect(of('10.0.0.1', 'not an address')).toBe('10.0.0.1');
    expect(of('10.0.0.1', '')).toBe('10.0.0.1');
    // Not a proxy of ours: no word of it.
    expect(of('10.0.0.3', '203.0.113.7')).toBe('10.0.0.3');
    expect(addresses.ignored).toBe(1);
  });

  it('spoofed is said in the log, at most once a minute', async () => {
    const console = await openConsole();
    const said = () =>
      console.log.lines.filter(({ message }) => message.startsWith('ignored headers')).length;
    const spoof = { 'x-forwarded-for': '203.0.113.7' };
    for (let time = 0; time < 3; time += 1) await new Visitor(console).get('/api/fleet', spoof);
    expect(said()).toBe(1);
    console.clock.fake.jump(60_000);
    await new Visitor(console).get('/api/fleet', spoof);
    expect(said()).toBe(2);
  });

  it('plain HTTP from elsewhere than the proxy is not let in', () => {
    const addresses = createClientAddresses(['10.0.0.1']);
    expect(addresses.mayConnect(from('10.0.0.1'))).toBe(true);
    expect(addresses.mayConnect(from('127.0.0.1'))).toBe(true);
    expect(addresses.mayConnect(from('10.0.0.2'))).toBe(false);
    expect(createClientAddresses([]).mayConnect(from('10.0.0.2'))).toBe(true);
  });

  it('is in the audit as the rule says', async () => {
    const spoof = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-user': 'root' };
    const open = await openConsole();
    await new Visitor(open).post('/api/sign-in', wrong, spoof);
    expect((await auditOf(open, 'session.refused'))[0]).toMatchObject({ who: { ip: '127.0.0.1' } });
    const proxied = await openConsole({ environment: PROXY });
    await new Visitor(proxied).post('/api/sign-in', wrong, spoof);
    const [row] = await auditOf(proxied, 'session.refused');
    expect(row).toMatchObject({ who: { ip: '203.0.113.7', kind: 'anonymous' } });
  });

  it.each([
    'x-forwarded-user',
    'x-remote-user',
    'remote-user',
    'x-user',
    'x-admin',
    'x-auth-request-email',
  ])('no header makes anybody somebody: %s', async (header) => {
    const console = await openConsole({ environment: PROXY });
    const visitor = new Visitor(console);
    const answer = await visitor.get('/api/me', {
      [header]: root.email,
      'user-agent': 'Nacos-Server',
    });
    expect(answer.status).toBe(401);
  });
});

const get = (port: number, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, path: '/livez', headers, rejectUnauthorized: false },
      (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers });
      },
    )
      .on('error', reject)
      .end();
  });

const speakOld = (port: number, version: SecureVersion) =>
  new Promise<string>((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      rejectUnauthorized: false,
      minVersion: version,
      maxVersion: version,
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    socket.on('secureConnect', () => {
      socket.destroy();
      resolve('connected');
    });
    socket.on('error', () => resolve('refused'));
  });

/** Makes the certificate; a machine without it skips these tests. */
const tool = 'openssl';
const hasOpenssl = spawnSync(tool, ['version']).status === 0;

describe.skipIf(!hasOpenssl)('[S-36] TLS', () => {
  let folder = '';
  let files = { RECLOSER_TLS_CERT: '', RECLOSER_TLS_KEY: '' };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'recloser-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    files = { RECLOSER_TLS_CERT: cert, RECLOSER_TLS_KEY: key };
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const out = ['-keyout', key, '-out', cert, '-days', '2'];
    await promisify(execFile)(tool, ['req', '-x509', ...curve, ...subject, ...out]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const open = () =>
    openConsole({ environment: { ...files, RECLOSER_URL: 'https://console.example' } });

  it('is spoken with HSTS for a year, under the names that are ours', async () => {
    const { port } = await open();
    const answer = await get(port, { host: 'console.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=31536000/);
    expect((await get(port, { host: 'evil.example' })).status).toBe(403);
  });

  it.each(['TLSv1', 'TLSv1.1'] as const)('refuses %s', async (version) => {
    const { port } = await open();
    expect(await speakOld(port, version)).toBe('refused');
    // The same words reach a server that is less strict.
    const [cert, key] = [files.RECLOSER_TLS_CERT, files.RECLOSER_TLS_KEY].map((file) =>
      readFileSync(file),
    );
    const lax = createServer({
      ...(cert && key ? { cert, key } : {}),
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    lax.listen(0, '127.0.0.1');
    await once(lax, 'listening');
    const { port: laxPort } = lax.address() as AddressInfo;
    expect(await speakOld(laxPort, version)).toBe('connected');
    lax.close();
  });

  it('answers no plain HTTP', async () => {
    const { port } = await open();
    const heard = await new Promise<string>((resolve) => {
      let text = '';
      const socket = createConnection(port, '127.0.0.1', () =>
        socket.write('GET /livez HTTP/1.1\r\nHost: console.example\r\n\r\n'),
      );
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
      socket.on('error', () => undefined);
    });
    expect(heard).not.toContain('200 OK');
    expect(heard).not.toContain('live');
  });
});

const REQUIRED: Record<string, RegExp> = {
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^no-referrer$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'cache-control': /^no-store$/,
  'x-frame-options': /^DENY$/,
};

function lacking(answer: Answer): string[] {
  return Object.entries(REQUIRED)
    .filter(([name, value]) => !value.test(String(answer.headers[name] ?? '')))
    .map(([name]) => name);
}

describe('[S-38] [S-39] the headers', () => {
  it('are on every route, refused, signed in, and gone wrong', async () => {
    const console = await openConsole();
    const outside = new Visitor(console);
    const inside = await visit(console);
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      const { path = '', body } = examples[name] ?? {};
      // A sign-out would end what the others need.
      const callers = /sign-out|end-others|setup|redeem/.test(path) ? [outside] : [outside, inside];
      for (const caller of callers) {
        const answer =
          route.method === 'get' ? await caller.get(path) : await caller.post(path, body);
        expect({ name, lacking: lacking(answer) }).toEqual({ name, lacking: [] });
        if (route.method === 'get') continue;
        const broken = await caller.post(path, { unknown: true });
        expect({ name, lacking: lacking(broken) }).toEqual({ name, lacking: [] });
      }
    }
    for (const path of ['/api/nothing', '/api/fleet/%zz', '/healthz', '/nothing', '/']) {
      expect({ path, lacking: lacking(await outside.get(path)) }).toEqual({ path, lacking: [] });
    }
  });

  it('[S-45] say nothing about the program: neither version nor names', async () => {
    const { port } = await openConsole();
    for (const path of ['/livez', '/healthz', '/api/fleet', '/api/nothing']) {
      const answer = await ask(port, path);
      for (const name of ['server', 'x-powered-by', 'via']) {
        expect(answer.headers[name]).toBeUndefined();
      }
      expect(answer.text).not.toMatch(/\d+\.\d+\.\d+|recloser|node/i);
    }
  });

  it('[S-41] an error in any layer says neither where nor how', async () => {
    const console = await openConsole();
    const answers = [
      await new Visitor(console).post('/api/sign-in', { email: 'x', password: 'y' }),
      await new Visitor(console).post('/api/sign-in', '{{'),
      await new Visitor(console).post('/api/sign-in/passkey', { response: { id: "' OR 1=1 --" } }),
      await new Visitor(console).get('/api/auth/callback/oidc?code=%00&state='),
    ];
    for (const answer of answers) {
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toMatch(
        /node_modules|\.m?[jt]s:|at \w+ \(|SQLITE|select |better-auth/i,
      );
    }
    expect(await speak(console.port, 'GET / HTTP/9.9\r\n\r\n')).not.toMatch(/stack|node/i);
  });
});
