import { describe, expect, it } from 'vitest';
import type { MeBody, PasskeyOptionsBody } from '@/lib/protocol/people';
import { keyIdOf } from '@/server/auth/secret';
import { SoftPasskey } from './authenticator';
import {
  addTotp,
  at,
  auditOf,
  openConsole,
  person,
  root,
  SECRET,
  totpOf,
  visit,
  Visitor,
  type Console,
} from './console';

const MINUTE_MS = 60_000;
const DIGEST = 'a'.repeat(64);

const optionsOf = async (visitor: Visitor, path: string) =>
  ((await visitor.post(path)).json() as unknown as PasskeyOptionsBody).options;

async function addPasskey(visitor: Visitor, key: SoftPasskey) {
  const options = await optionsOf(visitor, '/api/profile/passkeys/start');
  const body = { response: key.create(options), name: 'blue key' };
  return visitor.post('/api/profile/passkeys/confirm', body);
}

const stepUp = (visitor: Visitor, proof: object, digest = DIGEST) =>
  visitor.post('/api/step-up', { digest, proof });

describe('[S-03] an authenticator app', () => {
  it('is asked for after the password, and the password alone opens nothing', async () => {
    const console = await openConsole();
    const uri = await addTotp(await visit(console), root);
    const visitor = new Visitor(console);
    expect((await visitor.signIn(root)).json()).toEqual({ state: 'second_factor' });
    expect((await visitor.get('/api/me')).status).toBe(401);
    const code = totpOf(uri);
    expect((await visitor.post('/api/sign-in/totp', { code })).json()).toEqual({
      state: 'signed_in',
    });
    await visitor.learn();
    const { sessions } = (await visitor.get('/api/profile')).json() as {
      sessions: { isCurrent: boolean; factors: string[] }[];
    };
    expect(sessions.find(({ isCurrent }) => isCurrent)?.factors).toEqual(['password', 'totp']);
  });

  it('a code without the password before it opens nothing', async () => {
    const console = await openConsole();
    const uri = await addTotp(await visit(console), root);
    const answer = await new Visitor(console).post('/api/sign-in/totp', { code: totpOf(uri) });
    expect(answer.status).toBe(401);
  });

  it('[S-13] a code counts once: not for another sign-in, not for a step-up', async () => {
    const console = await openConsole();
    const uri = await addTotp(await visit(console), root);
    const [one, two] = [new Visitor(console), new Visitor(console)];
    await one.signIn(root);
    await two.signIn(root);
    const code = totpOf(uri);
    expect((await one.post('/api/sign-in/totp', { code })).status).toBe(200);
    expect((await two.post('/api/sign-in/totp', { code })).status).toBe(401);
    await one.learn();
    const replayed = await stepUp(one, { kind: 'totp', code });
    expect(replayed.json()).toMatchObject({ error: { code: 'step_up_needed' } });
    expect((await stepUp(one, { kind: 'totp', code: totpOf(uri, 1) })).status).toBe(200);
  });

  it('[S-13] two with the same code at once: one gets in', async () => {
    const console = await openConsole();
    const uri = await addTotp(await visit(console), root);
    const [one, two] = [new Visitor(console), new Visitor(console)];
    await one.signIn(root);
    await two.signIn(root);
    const code = totpOf(uri);
    const answers = await Promise.all(
      [one, two].map((visitor) => visitor.post('/api/sign-in/totp', { code })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401]);
  });

  it('[S-21] guessing codes is limited by the account, over any number of challenges', async () => {
    const console = await openConsole();
    await addTotp(await visit(console), root);
    const statuses: number[] = [];
    console.clock.fake.jump(MINUTE_MS);
    for (let guess = 0; guess < 10; guess += 1) {
      const visitor = new Visitor(console);
      expect((await visitor.signIn(root)).status).toBe(200);
      const code = String(guess).padStart(6, '0');
      statuses.push((await visitor.post('/api/sign-in/totp', { code })).status);
      // Slow enough for the password; the wait after wrong codes grows past it.
      console.clock.fake.jump(13_000);
    }
    expect(statuses.slice(0, 3)).toEqual([401, 401, 401]);
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status === 200)).toEqual([]);
  });

  it('is added with the password only, counts after its first code, and is one', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const wrong = await visitor.post('/api/profile/totp/start', { password: 'not-mine-at-all' });
    expect(wrong.status).toBe(403);
    const started = await visitor.post('/api/profile/totp/start', { password: root.password });
    expect(started.status).toBe(200);
    // Not confirmed: signing in is as before.
    expect((await new Visitor(console).signIn(root)).json()).toEqual({ state: 'signed_in' });
    await addTotp(visitor, root);
    const again = await visitor.post('/api/profile/totp/start', { password: root.password });
    expect(again.status).toBe(409);
  });

  it('[S-26] its secret is stored encrypted, with the id of the key', async () => {
    const console = await openConsole();
    const uri = await addTotp(await visit(console), root);
    const rows = await console.store.people.auth.find({ model: 'twoFactor', where: [] });
    const secret = new URL(uri).searchParams.get('secret') ?? 'none';
    expect(JSON.stringify(rows)).not.toContain(secret);
    const { 1: keyId, 2: sealed } =
      /^\$ba\$(\d+)\$([0-9a-f]{80,})$/.exec(String(rows[0]?.['secret'])) ?? [];
    expect(Number(keyId)).toBe(keyIdOf(SECRET));
    expect(sealed).toBeDefined();
  });
});

describe('[S-03] a passkey', () => {
  it('signs in by itself, and each answer counts once', async () => {
    const console = await openConsole();
    const key = new SoftPasskey(console.url);
    expect((await addPasskey(await visit(console), key)).status).toBe(200);
    const visitor = new Visitor(console);
    const options = await optionsOf(visitor, '/api/sign-in/passkey-options');
    const response = key.prove(options);
    expect((await visitor.post('/api/sign-in/passkey', { response })).status).toBe(200);
    expect((await visitor.learn()).person.name).toBe('root');
    const thief = new Visitor(console);
    await optionsOf(thief, '/api/sign-in/passkey-options');
    expect((await thief.post('/api/sign-in/passkey', { response })).status).toBe(401);
    const [row] = await auditOf(console, 'session.started');
    expect(row).toMatchObject({ who: { name: 'root', factors: ['passkey'] } });
  });

  it.each([
    ['made for another origin', (url: string) => new SoftPasskey(url.replace('localhost', 'evil'))],
    ['that did not check who holds it', (url: string) => new SoftPasskey(url, false)],
  ])('%s does not sign in', async (_what, make) => {
    const console = await openConsole();
    const good = new SoftPasskey(console.url);
    await addPasskey(await visit(console), good);
    const bad = make(console.url);
    // The same key in other hands: only the flags or the origin differ.
    Object.assign(bad, { id: good.id });
    const visitor = new Visitor(console);
    const options = await optionsOf(visitor, '/api/sign-in/passkey-options');
    const answer = await visitor.post('/api/sign-in/passkey', { response: bad.prove(options) });
    expect(answer.status).toBe(401);
  });

  it('of a device that does not check its holder is not enough', async () => {
    const console = await openConsole();
    const weak = new SoftPasskey(console.url, false);
    await addPasskey(await visit(console), weak);
    const visitor = new Visitor(console);
    const options = await optionsOf(visitor, '/api/sign-in/passkey-options');
    const answer = await visitor.post('/api/sign-in/passkey', { response: weak.prove(options) });
    expect(answer.status).toBe(401);
    expect((await visitor.get('/api/me')).status).toBe(401);
  });

  it('of somebody who was disabled does not sign in', async () => {
    const kim = person('kim', at('viewer'));
    const console = await openConsole({ people: [kim] });
    const key = new SoftPasskey(console.url);
    await addPasskey(await visit(console, kim), key);
    const admin = await visit(console);
    const id = (await console.store.people.findPerson({ email: kim.email }))?.id ?? '';
    expect((await admin.post(`/api/people/${id}/disable`)).status).toBe(200);
    const visitor = new Visitor(console);
    const options = await optionsOf(visitor, '/api/sign-in/passkey-options');
    const answer = await visitor.post('/api/sign-in/passkey', { response: key.prove(options) });
    expect(answer.status).toBe(401);
  });
});

async function sessionOf(console: Console, visitor: Visitor) {
  const me = (await visitor.get('/api/me')).json() as unknown as MeBody;
  const profile = (await visitor.get('/api/profile')).json() as {
    sessions: { id: string; isCurrent: boolean }[];
  };
  return {
    principal: {
      kind: 'user' as const,
      ...me.person,
      sessionId: profile.sessions.find(({ isCurrent }) => isCurrent)?.id ?? '',
      factors: [],
      freshAt: null,
    },
    ip: null,
    userAgent: null,
    requestId: null,
  };
}

const consume = async (console: Console, visitor: Visitor) => {
  const signedIn = await sessionOf(console, visitor);
  return (digest: string, id: string) => console.services.stepUps.consume(signedIn, digest, id);
};

describe('[S-13] a step-up', () => {
  it('is for one command, once, from its session, for five minutes', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const prove = async () =>
      String(
        (await stepUp(visitor, { kind: 'password', password: root.password })).json()['stepUp'],
      );
    const spend = await consume(console, visitor);
    const first = await prove();
    expect(await spend('b'.repeat(64), first)).toBe(false);
    expect(await spend(DIGEST, 'guessed')).toBe(false);
    expect(await Promise.all([spend(DIGEST, first), spend(DIGEST, first)])).toEqual([true, false]);
    const second = await prove();
    console.clock.fake.jump(5 * MINUTE_MS + 1);
    expect(await spend(DIGEST, second)).toBe(false);
  });

  it('of one session is no good in another, nor after its end', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const proof = { kind: 'password', password: root.password };
    const id = String((await stepUp(visitor, proof)).json()['stepUp']);
    const spend = await consume(console, visitor);
    const other = await consume(console, await visit(console));
    expect(await other(DIGEST, id)).toBe(false);
    await visitor.post('/api/sign-out');
    expect(await spend(DIGEST, id)).toBe(false);
  });

  it('[S-10] goes on in the same session under a new cookie', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const before = visitor.cookie;
    await stepUp(visitor, { kind: 'password', password: root.password });
    expect(visitor.cookie).not.toBe(before);
    expect((await visitor.get('/api/me')).status).toBe(200);
    const old = new Visitor(console);
    old.cookie = before;
    expect((await old.get('/api/me')).status).toBe(401);
  });

  it('takes no password from somebody who has more', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const uri = await addTotp(visitor, root);
    const answer = await stepUp(visitor, { kind: 'password', password: root.password });
    expect(answer.json()).toMatchObject({
      error: { code: 'step_up_needed', details: { factors: ['totp'] } },
    });
    expect((await stepUp(visitor, { kind: 'totp', code: totpOf(uri) })).status).toBe(200);
  });

  it('takes the own passkey and nobody else’s', async () => {
    const kim = person('kim', at('operator'));
    const console = await openConsole({ people: [kim] });
    const [mine, theirs] = [new SoftPasskey(console.url), new SoftPasskey(console.url)];
    const visitor = await visit(console);
    await addPasskey(visitor, mine);
    await addPasskey(await visit(console, kim), theirs);
    const prove = async (key: SoftPasskey) => {
      const options = await optionsOf(visitor, '/api/step-up/passkey-options');
      return stepUp(visitor, { kind: 'passkey', response: key.prove(options) });
    };
    expect((await prove(theirs)).status).toBe(403);
    const before = visitor.cookie;
    const answer = await prove(mine);
    expect(answer.json()).toMatchObject({ factor: 'passkey' });
    expect(visitor.cookie).not.toBe(before);
    expect((await visitor.learn()).person.name).toBe('root');
    const spend = await consume(console, visitor);
    expect(await spend(DIGEST, String(answer.json()['stepUp']))).toBe(true);
  });

  it('[S-21] is limited, and its failures are written down', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess += 1) {
      const proof = { kind: 'password', password: `wrong-wrong-${guess}` };
      statuses.push((await stepUp(visitor, proof)).status);
    }
    expect(statuses.slice(0, 3)).toEqual([403, 403, 403]);
    expect(statuses.slice(3)).toEqual([429, 429, 429]);
    const rows = await auditOf(console, 'session.step_up');
    expect(rows.every(({ outcome }) => outcome === 'refused')).toBe(true);
  });

  it('is asked for before a factor is added or removed late in a session', async () => {
    const console = await openConsole();
    const visitor = await visit(console);
    console.clock.fake.jump(6 * MINUTE_MS);
    const key = new SoftPasskey(console.url);
    const late = await visitor.post('/api/profile/passkeys/start');
    expect(late.json()).toMatchObject({ error: { code: 'step_up_needed' } });
    await stepUp(visitor, { kind: 'password', password: root.password }, 'profile.factors');
    expect((await addPasskey(visitor, key)).status).toBe(200);
  });
});
