import { describe, expect, it } from 'vitest';
import { settle } from '@/tests/services/support';
import { auditOf, openConsole, person, root, visit, Visitor } from './console';

const MINUTE_MS = 60_000;
const body = (token: string | undefined, name = 'ada') => ({
  token: token ?? '',
  ...person(name),
  grants: undefined,
});

async function setUp(console: Awaited<ReturnType<typeof openConsole>>, name = 'ada', headers = {}) {
  const { grants: _grants, ...rest } = body(console.tokens[0], name);
  return new Visitor(console).post('/api/setup', rest, headers);
}

describe('[S-02] the first set-up', () => {
  it('takes the token of the log, makes an admin, and signs that one in', async () => {
    const console = await openConsole({ isNew: true });
    expect(console.tokens).toHaveLength(1);
    // 160 bits, 5 a character.
    expect(console.tokens[0]?.replaceAll('-', '')).toMatch(/^[0-9a-hjkmnp-tv-z]{32}$/);
    const visitor = new Visitor(console);
    const { grants: _grants, ...rest } = body(console.tokens[0]);
    expect((await visitor.post('/api/setup', rest)).json()).toEqual({ state: 'signed_in' });
    expect((await visitor.learn()).person.grants).toEqual([
      { role: 'admin', environment: '*', service: '*' },
    ]);
    expect((await visitor.get('/api/sign-in')).json()).toMatchObject({ needsSetup: false });
  });

  it('two at once: one wins, the other hears that the code is not good', async () => {
    const console = await openConsole({ isNew: true });
    const answers = await Promise.all([setUp(console, 'ada'), setUp(console, 'mallory')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
    expect(await console.store.people.listPeople()).toHaveLength(1);
    expect((await auditOf(console, 'console.set_up')).map(({ outcome }) => outcome).sort()).toEqual(
      ['done', 'refused'],
    );
  });

  it('stays closed when all people are gone: a stored fact decides, not an empty list', async () => {
    const console = await openConsole({ isNew: true });
    expect((await setUp(console)).status).toBe(200);
    const where = [{ field: 'email', operator: 'ne', value: '', connector: 'AND' }] as const;
    await console.store.people.auth.remove({ model: 'user', where }, null);
    expect(await console.store.people.listPeople()).toEqual([]);
    expect((await setUp(console, 'mallory')).status).toBe(403);
    expect(await console.services.entry.renewSetupToken()).toBeNull();
    // Not even with a good code, should one have come about.
    const audit = {
      at: 1,
      actor: 'x',
      action: 'x',
      subject: 'x',
      outcome: 'done',
      details: {},
    } as const;
    const code = { id: 'c', kind: 'setup', personId: null, name: null, email: null } as const;
    const times = { grants: [], createdAt: 0, expiresAt: 9e15 };
    await console.store.people.putCode({ ...code, ...times }, 'hash', audit);
    const redeemed = await console.store.people.redeemForPerson({
      hash: 'hash',
      kind: 'setup',
      person: { id: 'u', name: 'm', email: 'm@example.test', passwordHash: 'x', grants: [] },
      at: 1,
      audit,
    });
    expect(redeemed).toBeNull();
  });

  it('does not take the token twice, a made-up one, or one of 16 minutes ago', async () => {
    const console = await openConsole({ isNew: true });
    const visitor = new Visitor(console);
    const { grants: _grants, ...rest } = body('0'.repeat(32));
    expect((await visitor.post('/api/setup', rest)).status).toBe(403);
    console.clock.fake.jump(16 * MINUTE_MS);
    expect((await setUp(console)).status).toBe(403);
    // A restart makes another one; the old one is no good with it either.
    const renewed = await console.services.entry.renewSetupToken();
    expect(renewed?.token).not.toBe(console.tokens[0]);
    expect((await setUp(console)).status).toBe(403);
    const again = await visitor.post('/api/setup', { ...rest, token: renewed?.token });
    expect(again.status).toBe(200);
    expect((await visitor.post('/api/setup', { ...rest, token: renewed?.token })).status).toBe(403);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ])('is refused from %s', async (_what, headers, status) => {
    const console = await openConsole({ isNew: true });
    expect((await setUp(console, 'ada', headers)).status).toBe(status);
    expect((await setUp(console)).status).toBe(200);
  });

  it('guessing is limited like a sign-in', async () => {
    const console = await openConsole({ isNew: true });
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess += 1) {
      const { grants: _grants, ...rest } = body(`guess-${guess}`);
      statuses.push((await new Visitor(console).post('/api/setup', rest)).status);
      console.clock.fake.jump(5_000);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429]);
  });

  it('[S-01] makes no account by itself, and no common pair of words opens it', async () => {
    const console = await openConsole({ isNew: true });
    expect(await console.store.people.listPeople()).toEqual([]);
    for (const [email, password] of [
      ['admin@admin.com', 'admin'],
      ['admin@example.com', 'password'],
      ['root@localhost.localdomain', 'root'],
    ]) {
      console.clock.fake.jump(MINUTE_MS);
      const answer = await new Visitor(console).post('/api/sign-in', { email, password });
      expect(answer.status).toBe(401);
    }
  });
});

describe('[S-02] recovery', () => {
  it('is a code made on the machine: new password, no other factor, no session', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const { code } = await console.services.entry.recover(root.email);
    const password = 'another-quiet-harbour';
    const fresh = new Visitor(console);
    expect((await fresh.post('/api/redeem', { code, password })).status).toBe(200);
    expect((await visitor.get('/api/me')).status).toBe(401);
    console.clock.fake.jump(MINUTE_MS);
    expect((await new Visitor(console).signIn(root)).status).toBe(401);
    expect((await new Visitor(console).post('/api/redeem', { code, password })).status).toBe(403);
    const [row] = await auditOf(console, 'person.recovered');
    expect(row).toMatchObject({ outcome: 'done' });
    await settle();
  });

  it('no code comes of it over HTTP, and none for somebody unknown', async () => {
    const console = await openConsole();
    expect((await new Visitor(console).post('/api/recover', { email: root.email })).status).toBe(
      404,
    );
    await expect(console.services.entry.recover('nobody@example.test')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
