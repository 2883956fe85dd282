import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Recloser, type GuardedBreaker } from '@/lib/agent';
import { runCli } from '@/server/cli/run';
import {
  createToken,
  eventually,
  startServerProcess,
  type ServerProcess,
} from '@/tests/support/server-process';
import { person, seedPeople, signIn, type Session } from '@/tests/support/sign-in';

const dataDir = mkdtempSync(join(tmpdir(), 'recloser-cli-'));
const other = person('other', [{ role: 'operator', environment: 'elsewhere', service: '*' }]);
let server: ServerProcess;
let admin: Session;
let recloser: Recloser;
let breaker: GuardedBreaker;
let operatorToken: string;

type Made = { token: string; view: { id: string } };

async function post<T>(path: string, body: unknown, session: Session): Promise<[number, T]> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...session.headers },
    body: JSON.stringify(body),
  });
  return [response.status, (await response.json()) as T];
}

async function makeToken(role: string, environment = '*'): Promise<Made> {
  const grants = [{ role, environment, service: '*' }];
  const body = { name: `${role} script`, grants };
  const [status, made] = await post<Made>('/api/api-tokens', body, admin);
  if (status !== 201) throw new Error(JSON.stringify(made));
  return made;
}

type Ran = { code: number; out: string; error: string };

async function cli(
  args: string,
  options: { token?: string; answer?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  const out: string[] = [];
  const error: string[] = [];
  const words = [...args.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
  const { answer } = options;
  const code = await runCli(words, {
    environment: {
      RECLOSER_URL: server.url,
      RECLOSER_TOKEN: options.token ?? operatorToken,
      RECLOSER_DATA_DIR: dataDir,
      ...options.env,
    },
    out: (line) => out.push(line),
    error: (line) => error.push(line),
    ask: answer === undefined ? null : async () => answer,
    now: Date.now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))),
    fetch,
    newKey: () => crypto.randomUUID(),
    readFile: () => `${operatorToken}\n`,
    rootDir: process.cwd(),
  });
  return { code, out: out.join('\n'), error: error.join('\n') };
}

beforeAll(async () => {
  server = await startServerProcess(dataDir);
  admin = await signIn(server.url);
  await seedPeople(dataDir, [other]);
  ({ token: operatorToken } = await makeToken('operator'));
  recloser = new Recloser({
    service: 'shop',
    environment: 'test',
    instance: 'shop-1',
    url: server.url,
    token: await createToken(server.url),
  });
  breaker = recloser.breaker('stock', { target: 'stock-db' });
  await eventually('the breaker in the fleet', async () => {
    const { out, error } = await cli('status --json');
    if (error !== '') throw new Error(error);
    return out.includes('"shop"') ? true : undefined;
  });
}, 60_000);

afterAll(async () => {
  await recloser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const REASON = '--reason "the database is being moved"';

describe('recloser on the command line', () => {
  it('shows the fleet for people and as JSON', async () => {
    const { code, out } = await cli('status');
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toMatch(/^BREAKER +STATE +INSTANCES/);
    expect(out).toMatch(/test\/shop\/stock +closed +1 live/);
    const { out: text } = await cli('status stock --json');
    expect(JSON.parse(text)).toMatchObject({ breakers: [{ name: 'stock', state: 'closed' }] });
    expect(await cli('status --trouble')).toMatchObject({
      code: 0,
      out: 'Every breaker is closed.',
    });
  });

  it('forces open, says who obeyed, and returns to automatic', async () => {
    const forced = await cli(`force open shop/stock ${REASON} --lease 5m --yes`);
    expect(forced.error).toBe('');
    expect(forced.code).toBe(0);
    expect(forced.out).toMatch(/shop-1 +applied/);
    expect(forced.out).toContain('Applied on 1 of 1.');
    expect(breaker.state).toBe('forced_open');
    expect((await cli('status')).out).toMatch(/force_open by operator script \(root\)/);

    const released = await cli('release stock');
    expect(released).toMatchObject({ code: 0, out: 'Returned to automatic: test/shop/stock.' });
    await eventually('automatic again', async () => breaker.state !== 'forced_open' || undefined);
    const { out } = await cli('history stock --since 1h --types transition');
    expect(out).toMatch(/transition +closed > forced_open/);
    expect((await cli('release stock')).out).toContain('it had no override');
  });

  it('shows what it would hit and does nothing without a yes', async () => {
    const asked = await cli(`force open stock ${REASON}`, { answer: 'no' });
    expect(asked.error).toContain('1 live instances');
    expect(asked).toMatchObject({ code: 1 });
    expect(asked.error).toContain('Nothing was changed.');
    const unasked = await cli(`force open stock ${REASON}`);
    expect(unasked).toMatchObject({
      code: 2,
      error: 'Nobody is there to ask: add --yes to go on.',
    });
    expect(breaker.state).not.toBe('forced_open');
  });

  it.each([
    ['status nowhere', 'No breaker is called nowhere.'],
    ['force sideways stock', 'force takes open, closed or reset, not sideways.'],
    ['force open stock --yes', 'Say why with --reason'],
    [`force open ${REASON} --yes`, 'Name one breaker, or give --service or --target.'],
    [`force open stock ${REASON} --lease soon --yes`, '--lease is "soon", but must be like'],
    ['status --colour', 'There is no option --colour.'],
    ['status stock more', 'Too many words: more'],
    ['history stock --limit many', '--limit must be a whole number'],
    ['fly', 'Unknown command'],
  ])('%s: says what is wrong', async (args, message) => {
    const { code, error } = await cli(args);
    expect(error).toContain(message);
    expect(code).toBe(2);
  });

  it('[S-18] takes no token from the command line and none that is not an API token', async () => {
    const none = await cli('status', { token: '' });
    expect(none).toMatchObject({ code: 2 });
    expect(none.error).toContain('RECLOSER_TOKEN');
    const agent = await cli('status', { token: await createToken(server.url) });
    expect(agent.error).toContain('rcl_u_');
    const url = await cli('status', { env: { RECLOSER_URL: 'ftp://x' } });
    expect(url.error).toContain('RECLOSER_URL');
  });

  it('says so when nobody answers', async () => {
    const { code, error } = await cli('status', { env: { RECLOSER_URL: 'http://127.0.0.1:1' } });
    expect({ code, error }).toEqual({ code: 1, error: 'No answer from http://127.0.0.1:1.' });
  });
});

describe('API tokens', () => {
  it('[S-11] can do no more than their role and scope', async () => {
    const { token } = await makeToken('viewer');
    expect(await cli('status', { token })).toMatchObject({ code: 0 });
    const refused = await cli(`force open stock ${REASON} --yes`, { token });
    expect(refused.code).toBe(1);
    expect(breaker.state).not.toBe('forced_open');
    const foreign = await makeToken('operator', 'elsewhere');
    const beyond = await cli(`force open stock ${REASON} --yes`, { token: foreign.token });
    expect(beyond.code).toBe(1);
    expect(breaker.state).not.toBe('forced_open');
  });

  it('cannot be given what their owner does not hold, nor a role that approves or manages', async () => {
    const session = await signIn(server.url, other);
    const grants = [{ role: 'operator', environment: '*', service: '*' }];
    const body = { name: 'too much', grants };
    const [status] = await post('/api/api-tokens', body, session);
    expect(status).toBe(403);
    for (const role of ['admin', 'approver']) {
      const asked = { name: 'x', grants: [{ role, environment: '*', service: '*' }] };
      // oxlint-disable-next-line no-await-in-loop -- one after the other is plainer
      const [code] = await post('/api/api-tokens', asked, admin);
      expect(code).toBe(400);
    }
  });

  it('end at once when they are revoked', async () => {
    const { token, view } = await makeToken('viewer');
    expect((await cli('status', { token })).code).toBe(0);
    const [status] = await post(`/api/api-tokens/${view.id}/revoke`, {}, admin);
    expect(status).toBe(200);
    const after = await cli('status', { token });
    expect(after.code).toBe(1);
    expect(after.error).toContain('unknown, expired or revoked');
  });

  it('[S-12] open none of the doors that are for people', async () => {
    const { token } = await makeToken('operator');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const made = { name: 'x', grants: [{ role: 'viewer', environment: '*', service: '*' }] };
    const again = await fetch(`${server.url}/api/api-tokens`, {
      method: 'POST',
      headers,
      body: JSON.stringify(made),
    });
    expect(again.status).toBe(403);
    for (const path of ['/api/people', '/api/profile', '/api/audit']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is plainer
      const { status } = await fetch(`${server.url}${path}`, { headers });
      expect([path, status]).toEqual([path, 403]);
    }
  });

  it('[S-08] are kept as a hash only', async () => {
    const { token } = await makeToken('viewer');
    const copy = join(dataDir, 'scan.db');
    expect(await cli(`backup ${copy}`)).toMatchObject({ code: 0 });
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(copy).includes(token)).toBe(false);
  });
});

describe('recloser on the data folder', () => {
  it('verifies the audit trail and backs up beside a running server', async () => {
    const target = join(dataDir, 'copy.db');
    expect(await cli(`backup ${target}`)).toMatchObject({ code: 0, error: '' });
    expect(existsSync(target)).toBe(true);
    expect((await cli(`backup ${target}`)).error).toContain('exists; a backup is a new file');
    const verified = await cli(`audit verify ${target}`);
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.out).toMatch(/rows?, \d+ checkpoint/);
    writeFileSync(join(dataDir, 'noise'), 'not a database');
    expect((await cli(`audit verify ${join(dataDir, 'noise')}`)).code).toBe(1);
  });

  it('[S-02] gives a code to somebody who is locked out', async () => {
    const { code, out } = await cli(`user recover ${other.email}`);
    expect(code).toBe(0);
    const oneTime = /One-time code: (\S+)/.exec(out)?.[1];
    const password = 'another-quiet-harbour-9';
    const answer = await fetch(`${server.url}/api/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: oneTime, password }),
    });
    expect(answer.ok).toBe(true);
    await signIn(server.url, { ...other, password });
    expect((await cli('user list')).out).toContain('operator@elsewhere');
    expect((await cli('setup token')).error).toContain('Set-up has been done');
    const lost = await cli('user list --data-dir /nowhere');
    expect(lost).toMatchObject({ code: 2 });
  }, 60_000);
});
