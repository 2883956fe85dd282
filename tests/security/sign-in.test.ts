import { describe, expect, it } from 'vitest';
import { passwordProblem } from '@/server/services/people/password-rules';
import { createPasswords } from '@/server/auth/passwords';
import { cheapPasswords } from '@/tests/services/support';
import {
  at,
  auditOf,
  newEmail,
  openConsole,
  person,
  root,
  SECRET,
  visit,
  Visitor,
} from './console';

const MINUTE_MS = 60_000;

/** Counts what costs time. */
function countingPasswords() {
  const counts = { derived: 0 };
  return {
    counts,
    hash: (password: string) => {
      counts.derived += 1;
      return cheapPasswords.hash(password);
    },
    verify: (hash: string, password: string) => {
      counts.derived += 1;
      return cheapPasswords.verify(hash, password);
    },
  };
}

describe('[S-03] a password', () => {
  it.each([
    ['password', 'first that are guessed'],
    ['P@ssw0rd123!', 'first that are guessed'],
    ['qwertyuiop', 'first that are guessed'],
    ['12345678', 'first that are guessed'],
    ['aaaaaaaaaa', 'first that are guessed'],
    ['abcabcabcabc', 'first that are guessed'],
    ['87654321', 'first that are guessed'],
    ['circuit-breaker', 'first that are guessed'],
    ['monitoring2026', 'first that are guessed'],
    ['ada.lovelace', 'little more than your own name'],
    ['recloser1', 'little more than your own name'],
    ['short', 'at least 8'],
    ['x'.repeat(129), 'at most 128'],
  ])('%s is refused: %s', (password, why) => {
    expect(passwordProblem(password, ['Ada Lovelace', 'ada@example.test'])).toContain(why);
  });

  it.each([
    'tundra plover cabinet',
    'ünïcödé-wörter',
    'zx8!kq2v',
    '🦉🦊🐳🐝🦋🐙🦀🐍',
    'y'.repeat(7) + 'z9',
  ])('%s is taken: no rules of composition', (password) => {
    expect(passwordProblem(password, ['Ada'])).toBeNull();
  });

  it('is kept as scrypt with its own salt and costs, and checked after NFKC', async () => {
    const passwords = createPasswords({ logN: 10, r: 8, p: 1 });
    const [one, two] = [await passwords.hash('ﬁne-tundra'), await passwords.hash('ﬁne-tundra')];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^scrypt\$10\$8\$1\$/);
    expect(await passwords.verify(one, 'fine-tundra')).toBe(true);
    expect(await passwords.verify(one, 'fine-tundrb')).toBe(false);
    expect(await passwords.verify('nonsense', 'fine-tundra')).toBe(false);
    expect(await createPasswords().hash('x')).toMatch(/^scrypt\$15\$8\$3\$/);
  });
});

describe('[S-03] signing in', () => {
  it('says the same, and works as hard, for a wrong password, nobody, and somebody disabled', async () => {
    const passwords = countingPasswords();
    const kim = person('kim', at('viewer'));
    const console = await openConsole({ passwords, people: [kim] });
    const disabled = await console.store.people.findPerson({ email: kim.email });
    await console.store.people.setDisabled(disabled?.id ?? '', 1, {
      at: 1,
      actor: 'test',
      action: 'test',
      subject: 'test',
      outcome: 'done',
      details: {},
    });
    const attempts = [
      { email: root.email, password: 'wrong-wrong-wrong' },
      { email: newEmail(), password: 'wrong-wrong-wrong' },
      { email: kim.email, password: kim.password },
      { email: kim.email, password: 'wrong-wrong-wrong' },
    ];
    const seen: unknown[] = [];
    for (const attempt of attempts) {
      passwords.counts.derived = 0;
      const answer = await new Visitor(console).post('/api/sign-in', attempt);
      const { error } = answer.json() as { error: { code: string; message: string } };
      const { derived } = passwords.counts;
      seen.push([answer.status, error.code, error.message, derived, answer.headers['set-cookie']]);
    }
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(seen[0]).toEqual([401, 'not_signed_in', expect.any(String), 1, undefined]);
    expect((await auditOf(console, 'session.refused')).map(({ outcome }) => outcome)).toEqual(
      attempts.map(() => 'refused'),
    );
  });

  it('gives a cookie that scripts and other sites do not get, new at each sign-in', async () => {
    const console = await openConsole();
    const visitor = new Visitor(console);
    const first = await visitor.signIn(root);
    const [line = ''] = first.headers['set-cookie'] ?? [];
    expect(line).toMatch(
      /^recloser\.session_token=[\w%.+-]{60,}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const before = visitor.cookie;
    await visitor.signIn(root);
    expect(visitor.cookie).not.toBe(before);
    // [S-10] The session that this browser had before has ended.
    const old = new Visitor(console);
    old.cookie = before;
    expect((await old.get('/api/me')).status).toBe(401);
  });

  it('[S-10] wears __Host- and Secure where browsers come over TLS', async () => {
    const console = await openConsole({
      environment: {
        RECLOSER_BEHIND_TLS_PROXY: '127.0.0.1',
        RECLOSER_URL: 'https://console.example',
      },
    });
    const answer = await new Visitor(console).signIn(root);
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^__Host-recloser\.session_token=.+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=31536000/);
  });

  it('a copy of the database opens no session', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const rows = await console.store.people.auth.find({ model: 'session', where: [] });
    const stored = String(rows[0]?.['token']);
    expect(stored).toMatch(/^[0-9a-f]{64}$/);
    expect(visitor.cookie).not.toContain(stored);
    const thief = new Visitor(console);
    for (const value of [stored, `${stored}.x`, `${stored}.${SECRET}`]) {
      thief.cookie = `recloser.session_token=${encodeURIComponent(value)}`;
      expect((await thief.get('/api/me')).status).toBe(401);
    }
  });

  it('a planted second cookie of the same name opens nothing', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const twice = `${visitor.cookie}; recloser.session_token=planted`;
    expect((await new Visitor(console).get('/api/me', { cookie: twice })).status).toBe(401);
  });
});

describe('[S-21] attempts', () => {
  it('five a minute for an account, with a wait that grows, and never a lockout', async () => {
    const console = await openConsole();
    const visitor = new Visitor(console);
    const wrong = { email: root.email, password: 'wrong-wrong-wrong' };
    const statuses: number[] = [];
    const waits: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      let answer = await visitor.post('/api/sign-in', wrong);
      if (answer.status === 429) {
        waits.push(Number(answer.headers['retry-after']));
        console.clock.fake.jump(Number(answer.headers['retry-after']) * 1_000);
        answer = await visitor.post('/api/sign-in', wrong);
      }
      statuses.push(answer.status);
    }
    // Every one was looked at in the end, after a wait.
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401]);
    // Two mistakes are free; then the wait doubles, until the minute is full.
    expect(waits).toEqual([1, 2, 57]);
    console.clock.fake.jump(MINUTE_MS);
    expect((await visitor.signIn(root)).status).toBe(200);
  });

  it('twenty a minute from an address, over any number of accounts', async () => {
    const console = await openConsole();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 22; attempt += 1) {
      const guess = { email: newEmail(), password: 'wrong-wrong-wrong' };
      statuses.push((await new Visitor(console).post('/api/sign-in', guess)).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.slice(20)).toEqual([429, 429]);
  });

  it('are written down, the limit too, without the password', async () => {
    const console = await openConsole();
    const wrong = { email: root.email, password: 'canary-in-a-mine' };
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await new Visitor(console).post('/api/sign-in', wrong);
    }
    const rows = await auditOf(console, 'session.refused');
    expect(rows.map(({ details }) => details['code'])).toContain('too_many');
    expect(rows[0]).toMatchObject({ who: { kind: 'anonymous', ip: '127.0.0.1' } });
    expect(JSON.stringify([rows, console.log.lines])).not.toContain('canary');
  });
});
