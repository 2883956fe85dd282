import { describe, expect, it } from 'vitest';
import type { InvitedBody } from '@/lib/protocol/people';
import {
  at,
  auditOf,
  newEmail,
  openConsole,
  person,
  root,
  visit,
  Visitor,
  type Console,
} from './console';

const prodAdmin = person('pat', at('admin', 'prod'));
const kim = person('kim', at('operator', 'prod'));
const lee = person('lee', at('operator', 'stage'));

const idOf = async (console: Console, email: string) =>
  (await console.store.people.findPerson({ email }))?.id ?? '';

describe('[S-11] who manages people', () => {
  it('hands out nothing beyond the own reach, not even to oneself', async () => {
    const console = await openConsole({ people: [prodAdmin, kim, lee] });
    const pat = await visit(console, prodAdmin);
    const set = async (email: string, grants: unknown) =>
      (await pat.post(`/api/people/${await idOf(console, email)}/grants`, { grants })).status;
    expect(await set(kim.email, at('approver', 'prod', 'checkout*'))).toBe(200);
    expect(await set(kim.email, at('operator', 'stage'))).toBe(403);
    expect(await set(kim.email, at('viewer'))).toBe(403);
    expect(await set(prodAdmin.email, at('admin'))).toBe(403);
    // Somebody of another environment is out of reach altogether.
    expect(await set(lee.email, at('viewer', 'prod'))).toBe(403);
    for (const act of ['disable', 'reset-factors', 'sign-out']) {
      const answer = await pat.post(`/api/people/${await idOf(console, lee.email)}/${act}`);
      expect(answer.status).toBe(403);
    }
    const invite = { name: 'x', email: newEmail(), grants: at('admin') };
    expect((await pat.post('/api/people/invite', invite)).status).toBe(403);
    const refused = await auditOf(console, 'access.denied');
    expect(refused.length).toBe(8);
  });

  it('never leaves a console that nobody can manage', async () => {
    const console = await openConsole();
    const admin = await visit(console);
    const id = await idOf(console, root.email);
    expect((await admin.post(`/api/people/${id}/disable`)).status).toBe(409);
    const answer = await admin.post(`/api/people/${id}/grants`, { grants: at('viewer') });
    expect(answer.status).toBe(409);
    expect((await admin.get('/api/people')).status).toBe(200);
  });

  it('invites with a code that counts once, for seven days, until it is taken back', async () => {
    const console = await openConsole();
    const admin = await visit(console);
    const invite = async () => {
      const body = { name: 'Kim', email: newEmail(), grants: at('viewer') };
      return (await admin.post('/api/people/invite', body)).json() as unknown as InvitedBody;
    };
    const password = 'plum-harbour-cabinet';
    const redeem = async ({ code }: InvitedBody) =>
      (await new Visitor(console).post('/api/redeem', { code, password })).status;
    const used = await invite();
    expect(await redeem(used)).toBe(200);
    expect(await redeem(used)).toBe(403);
    const revoked = await invite();
    const { id } = revoked.invitation;
    expect((await admin.post(`/api/invitations/${id}/revoke`)).status).toBe(200);
    expect(await redeem(revoked)).toBe(403);
    const late = await invite();
    console.clock.fake.jump(7 * 86_400_000);
    expect(await redeem(late)).toBe(403);
    const codes = [used, revoked, late].map(({ code }) => code);
    const rows = JSON.stringify(await console.services.queries.audit({ limit: 100 }));
    for (const code of codes) expect(rows).not.toContain(code);
  });

  it('a weak password uses the invitation up for nobody', async () => {
    const console = await openConsole();
    const admin = await visit(console);
    const body = { name: 'Kim', email: newEmail(), grants: at('viewer') };
    const { code } = (await admin.post('/api/people/invite', body)).json();
    const send = (password: string) => new Visitor(console).post('/api/redeem', { code, password });
    expect((await send('password')).status).toBe(400);
    expect((await send('plum-harbour-cabinet')).status).toBe(200);
  });

  it('resetting factors ends the sessions and leaves the password', async () => {
    const console = await openConsole({ people: [kim] });
    const own = await visit(console, kim);
    const admin = await visit(console);
    const id = await idOf(console, kim.email);
    expect((await admin.post(`/api/people/${id}/reset-factors`)).status).toBe(200);
    expect((await own.get('/api/me')).status).toBe(401);
    expect((await own.signIn(kim)).json()).toEqual({ state: 'signed_in' });
  });
});

describe('[S-03] a password that is changed', () => {
  it('needs the one before, is limited, and ends the other sessions', async () => {
    const console = await openConsole();
    const [one, two] = [await visit(console), await visit(console)];
    const change = (current: string, next = 'plum-harbour-cabinet') =>
      one.post('/api/profile/password', { current, next });
    expect((await change('not-the-one-before')).status).toBe(403);
    expect((await change(root.password, 'password1')).status).toBe(400);
    expect((await change(root.password)).status).toBe(200);
    expect((await one.get('/api/me')).status).toBe(200);
    expect((await two.get('/api/me')).status).toBe(401);
    const statuses: number[] = [];
    for (let guess = 0; guess < 5; guess += 1) {
      statuses.push((await change(`wrong-wrong-${guess}`)).status);
    }
    expect(statuses).toContain(429);
  });
});
