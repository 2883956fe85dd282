import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createToken, isToken } from '@/server/services/tokens/token-text';
import { ada, bob } from '@/tests/support/callers';
import { openMemoryStore, openWorld, sha256, type World } from './support';

const body = {
  name: 'ci',
  servicePattern: 'checkout*',
  environment: 'prod',
  abilities: ['publish' as const],
  expiresInDays: 30,
};
const DAY_MS = 86_400_000;

const actions = async (world: World) =>
  (await world.services.queries.audit({ limit: 10 })).rows.map((row) => row.action);

describe('agent tokens', () => {
  it('[S-08] are shown once and kept as a hash only', async () => {
    const stored: unknown[][] = [];
    const store = openMemoryStore();
    const createToken = store.createToken.bind(store);
    store.createToken = async (...input) => {
      stored.push(input);
      return createToken(...input);
    };
    const world = await openWorld({ store });
    const { token, view } = await world.services.tokens.create(ada, body);
    expect(isToken(token, 'rcl_a_')).toBe(true);
    expect(token.startsWith(view.hint)).toBe(true);
    expect(view).toMatchObject({ name: 'ci', abilities: ['publish'], lastUsedAt: null });
    expect(view.expiresAt - view.createdAt).toBe(30 * DAY_MS);
    expect(JSON.stringify(stored)).toContain(sha256(token));
    expect(JSON.stringify(stored)).not.toContain(token.slice(view.hint.length));
    expect(await world.services.tokens.authenticate(token)).toMatchObject({ id: view.id });
    await world.pass(0);
    expect((await world.services.tokens.list())[0]?.lastUsedAt).toBe(world.clock.wall());
    expect(await actions(world)).toEqual(['token.created']);
  });

  it('[S-08] are refused when unknown, revoked or expired', async () => {
    const world = await openWorld();
    const { tokens } = world.services;
    const first = await tokens.create(ada, body);
    const second = await tokens.create(ada, body);
    expect(first.token).not.toBe(second.token);
    expect(await tokens.authenticate('rcl_a_nonsense')).toBeNull();
    const mistyped = first.token.slice(0, -1) + (first.token.endsWith('x') ? 'y' : 'x');
    expect(isToken(mistyped, 'rcl_a_')).toBe(false);
    expect(await tokens.authenticate(mistyped)).toBeNull();
    await tokens.revoke(bob, first.view.id);
    expect(await tokens.authenticate(first.token)).toBeNull();
    expect(world.published).toContainEqual({ type: 'token_revoked', tokenId: first.view.id });
    expect(await tokens.authenticate(second.token)).not.toBeNull();
    world.clock.fake.jump(30 * DAY_MS);
    expect(await tokens.authenticate(second.token)).toBeNull();
    await expect(tokens.revoke(bob, 'tok_x')).rejects.toMatchObject({ code: 'not_found' });
    expect(await actions(world)).toContain('token.revoked');
  });

  it('[S-08] are found by a leak scanner with the pattern of the manual, and nothing else is', () => {
    const manual = readFileSync('docs/security.md', 'utf8');
    const [, pattern = 'none'] = /leak scanner finds them with `([^`]+)`/.exec(manual) ?? [];
    const found = (text: string) => text.match(new RegExp(pattern, 'g')) ?? [];
    for (const prefix of ['rcl_a_', 'rcl_u_', 'rcl_k_'] as const) {
      for (let time = 0; time < 100; time += 1) {
        const { token } = createToken(randomBytes, prefix);
        const places = [
          `RECLOSER_TOKEN=${token}\nPORT=4600`,
          `{"token":"${token}"}`,
          `curl -H 'Authorization: Bearer ${token}' https://console.example`,
          `https://console.example/?t=${token}&x=1`,
        ];
        for (const text of places) expect(found(text)).toEqual([token]);
        // What looks like one and was never issued gives itself away.
        const likely = token.slice(0, 10) + (token[10] === 'A' ? 'B' : 'A') + token.slice(11);
        expect(found(likely)).toEqual([likely]);
        expect(isToken(likely, prefix)).toBe(false);
      }
    }
    const harmless = [manual, 'rcl_a_…', randomBytes(4_096).toString('base64')].join(' ');
    expect(found(harmless)).toEqual([]);
  });
});
