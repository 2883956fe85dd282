import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAllowed } from '@/server/notices/destination';
import { createWebhook, signatureOf } from '@/server/notices/webhook';
import { testConfig } from '@/tests/server/fakes/server';

const SECRET = 'a-secret-that-only-the-receiver-knows';
const OLD = 'the-secret-before-it-was-changed-yesterday';
const NOW = 1_800_000_000_000;

const notice = {
  id: 'rev_1',
  type: 'break_glass',
  at: NOW,
  commandId: 'cmd_1',
  kind: 'force_open',
  environment: 'production',
  actor: 'ada <!channel>\r\nBcc: x',
  reason: '{{7*7}} everybody is asleep',
  reviewDueAt: NOW + 1,
} as const;

type Got = {
  readonly headers: IncomingMessage['headers'];
  readonly url: string;
  readonly body: string;
};

async function receiver(answer: (response: ServerResponse) => void) {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      got.push({ headers: request.headers, url: request.url ?? '', body });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { got, port: (server.address() as AddressInfo).port };
}

const settings = (url: string, allowed = ['127.0.0.1']) => ({
  url,
  secrets: [SECRET, OLD],
  allowed,
});
const world = { now: () => NOW };

describe('[S-25] a notice', () => {
  it('is signed over id, time and body, with both secrets', async () => {
    const { got, port } = await receiver((response) => response.end('thanks'));
    await createWebhook(settings(`http://127.0.0.1:${port}/hook?team=a`), world)(notice);
    const [{ headers, url, body } = { headers: {}, url: '', body: '' }] = got;
    expect(url).toBe('/hook?team=a');
    expect(JSON.parse(body)).toEqual(notice);
    expect(headers).toMatchObject({ 'recloser-id': 'rev_1', 'recloser-timestamp': '1800000000' });
    const signed = (secret: string, id: string, at: number, text: string) =>
      String(headers['recloser-signature'])
        .split(' ')
        .includes(signatureOf(secret, id, at, text));
    expect(signed(SECRET, 'rev_1', 1_800_000_000, body)).toBe(true);
    expect(signed(OLD, 'rev_1', 1_800_000_000, body)).toBe(true);
    // Altered, of another time, under another id, with another secret.
    expect(signed(SECRET, 'rev_1', 1_800_000_000, `${body} `)).toBe(false);
    expect(signed(SECRET, 'rev_1', 1_800_000_301, body)).toBe(false);
    expect(signed(SECRET, 'rev_2', 1_800_000_000, body)).toBe(false);
    expect(signed('x'.repeat(32), 'rev_1', 1_800_000_000, body)).toBe(false);
  });

  it.each([500, 404, 302])('was not taken when the answer is %i', async (status) => {
    const { got, port } = await receiver((response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
    });
    const send = createWebhook(settings(`http://127.0.0.1:${port}/hook`), world);
    await expect(send(notice)).rejects.toThrow(`answered ${status}`);
    expect(got.map(({ url }) => url)).toEqual(['/hook']);
  });
});

describe('[S-17] where a notice may go', () => {
  it('an endless answer is not read, a silent receiver is given up after 5 s', async () => {
    const endless = await receiver((response) => {
      response.writeHead(200);
      const more = () => {
        if (!response.destroyed && response.write('x'.repeat(65_536))) setImmediate(more);
      };
      more();
    });
    await createWebhook(settings(`http://127.0.0.1:${endless.port}/`), world)(notice);
    const silent = await receiver(() => undefined);
    const began = performance.now();
    const send = createWebhook(settings(`http://127.0.0.1:${silent.port}/`), world);
    await expect(send(notice)).rejects.toThrow(/timeout|aborted/i);
    expect(performance.now() - began).toBeGreaterThan(4_500);
  }, 30_000);

  it.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1:6379/_x',
    'ftp://hook.example/',
    'javascript:alert(1)',
    'http://hook.example@169.254.169.254/',
    'http://hook.example:secret@169.254.169.254/',
    'http://169.254.169.254#hook.example',
    'http://hook.example/#@169.254.169.254/',
    'http:// hook.example',
    'hook.example',
  ])('%s is no address for the configuration', (url) => {
    const environment = { RECLOSER_WEBHOOK_URL: url, RECLOSER_WEBHOOK_SECRET: SECRET };
    expect(() => testConfig(environment)).toThrow('RECLOSER_WEBHOOK_URL');
    const good = { ...environment, RECLOSER_WEBHOOK_URL: 'https://hook.example/path?team=a' };
    expect(testConfig(good).webhook?.url).toBe(good.RECLOSER_WEBHOOK_URL);
  });

  it('a gzip bomb is not unpacked, not even read', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const cut: Promise<unknown>[] = [];
    const { port } = await receiver((response) => {
      cut.push(new Promise((resolve) => void response.once('close', () => resolve('cut'))));
      response.writeHead(200, { 'content-encoding': 'gzip' });
      // Never ended: only the console can hang up.
      response.write(bomb);
    });
    const before = process.memoryUsage().rss;
    await createWebhook(settings(`http://127.0.0.1:${port}/`), world)(notice);
    expect(await Promise.all(cut)).toEqual(['cut']);
    expect(process.memoryUsage().rss - before).toBeLessThan(32 * 1024 * 1024);
  });

  it.each(['http://169.254.169.254/latest/meta-data', 'file:///etc/passwd', '//10.0.0.7/'])(
    'is never where an answer sends it: %s',
    async (location) => {
      const { got, port } = await receiver((response) => {
        response.writeHead(307, { location }).end();
      });
      const asked: string[] = [];
      const resolve = async (host: string) => {
        asked.push(host);
        return [{ address: '127.0.0.1', family: 4 as const }];
      };
      const send = createWebhook(settings(`http://hook.example:${port}/`), { ...world, resolve });
      await expect(send(notice)).rejects.toThrow('answered 307');
      expect({ asked, got: got.length }).toEqual({ asked: ['hook.example'], got: 1 });
    },
  );

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://[fd00:ec2::254]/',
    'http://[64:ff9b::7f00:1]/',
    'http://0.0.0.0/',
    'http://10.0.0.7/',
    'http://192.168.1.1/',
  ])('%s is refused unless it is listed, and metadata always', async (url) => {
    await expect(createWebhook(settings(url, []), world)(notice)).rejects.toThrow('not allowed');
  });

  it('a name is refused when any of its addresses is, and connected to as it was checked', async () => {
    const { got, port } = await receiver((response) => response.end());
    const answers = [
      [{ address: '127.0.0.1', family: 4 }],
      [
        { address: '127.0.0.1', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ],
    ];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? [];
    const send = createWebhook(settings(`http://hook.example:${port}/`), { ...world, resolve });
    await send(notice);
    expect(got[0]?.headers.host).toBe(`hook.example:${port}`);
    // The second answer of the name would be another place; the third is none.
    await expect(send(notice)).rejects.toThrow('not allowed');
    await expect(send(notice)).rejects.toThrow('not allowed');
    expect({ asked, got: got.length }).toEqual({ asked: 3, got: 1 });
  });

  it('listing a range never opens link-local addresses, and disguises are seen through', () => {
    expect(isAllowed('169.254.169.254', ['0.0.0.0/0'])).toBe(false);
    expect(isAllowed('fd00:ec2::254', ['::/0'])).toBe(false);
    expect(isAllowed('fe80::1', ['::/0'])).toBe(false);
    expect(isAllowed('10.1.2.3', ['10.1.0.0/16'])).toBe(true);
    expect(isAllowed('10.2.2.3', ['10.1.0.0/16'])).toBe(false);
    expect(isAllowed('::ffff:10.2.2.3', ['10.1.0.0/16'])).toBe(false);
    expect(isAllowed('2002:a00:1::', [])).toBe(false);
    expect(isAllowed('93.184.216.34', [])).toBe(true);
    expect(isAllowed('2606:2800:220:1::1', [])).toBe(true);
  });
});
