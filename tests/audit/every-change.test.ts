/** Every verb that changes something leaves one row, and changes nothing when the row cannot be written. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gateTable } from '@/server/services/door';
import { routes } from '@/server/http/routes';
import { connect } from '@/server/store/sqlite/connection';
import { SqliteStore } from '@/server/store/sqlite/store';
import type { Caller } from '@/server/services/caller';
import { bob, eve } from '../support/callers';
import { issue, newKey, obey, reporting } from '../services/override-support';
import { cheapPasswords, openWorld, PROVED, type TestAgent, type World } from '../services/support';
import { openStore } from '../store/support';
import { tamper, temporaryFolder } from './support';

type Scene = { readonly world: World; readonly agent: TestAgent };

const scopeOf = ({ agent }: Scene) => ({ kind: 'breaker', breakerId: agent.breakerId }) as const;
const issued = (scene: Scene, over: object = {}) =>
  issue(scene.world, { scope: scopeOf(scene), ...over }, bob);

/** Asked for by bob, waiting for a second person. */
async function waiting(scene: Scene) {
  await scene.world.services.policies.set(bob, {
    environment: 'prod',
    twoPerson: 'L2',
    stepUp: 'never',
    tierOneServices: [],
  });
  return issued(scene);
}

async function applied(scene: Scene) {
  const command = await issued(scene);
  await obey(scene.agent);
  return command;
}

const start = (scene: Scene, commandId: string) =>
  scene.world.services.releases.start(bob, { commandId, batchSize: 1, intervalMs: 10_000 });

const PASSWORD = 'quiet-harbour-lamp';

async function addPerson({ store, clock }: World, name: string): Promise<string> {
  const id = `usr_${name}`;
  const passwordHash = await cheapPasswords.hash(PASSWORD);
  const person = { id, name, email: `${name}@one.example`, passwordHash, grants: [] };
  const row = { at: clock.wall(), actor: 'test', action: 'test', subject: id, details: {} };
  await store.people.addPerson(person, clock.wall(), { ...row, outcome: 'done' });
  return id;
}

async function addSession({ store, clock }: World, userId: string, id: string): Promise<void> {
  const at = new Date(clock.wall());
  const times = { createdAt: at, updatedAt: at, lastSeenAt: at, freshAt: at, expiresAt: at };
  await store.people.auth.insert('session', { id, userId, token: id, factors: [], ...times }, null);
}

async function addFactors({ store }: World, userId: string): Promise<void> {
  const { auth } = store.people;
  const secret = { id: 'tf_1', userId, secret: 'x', backupCodes: 'x', verified: true };
  await auth.insert('twoFactor', secret, null);
  const key = { publicKey: 'x', credentialID: 'x', counter: 0, deviceType: 'x', backedUp: false };
  await auth.insert('passkey', { id: 'pk_1', userId, ...key }, null);
}

/** By verb: arguments with which it works, once what it needs is there. */
const examples: Record<string, (scene: Scene) => Promise<unknown[]>> = {
  'overrides.issue': async ({ agent }) => [
    {
      breakerId: agent.breakerId,
      kind: 'force_open',
      reason: 'the target is down',
      expectedGeneration: 0,
      idempotencyKey: newKey(),
    },
  ],
  'overrides.release': async (scene) => [(await issued(scene)).overrides[0]?.id, {}],
  'overrides.releaseBreaker': async (scene) => {
    await issued(scene);
    return [scene.agent.breakerId, {}];
  },
  'overrides.changeLease': async (scene) => [
    (await issued(scene)).overrides[0]?.id,
    { leaseMs: 60_000 },
  ],
  'commands.issue': async (scene) => {
    const looked = { scope: scopeOf(scene), kind: 'force_open', includeNew: false } as const;
    const { expectedGenerations } = await scene.world.services.commands.preview(looked);
    const rest = { reason: 'the target is down', breakGlass: false, stepUpId: PROVED };
    return [{ ...looked, ...rest, expectedGenerations, idempotencyKey: newKey() }];
  },
  'commands.approve': async (scene) => {
    const { id, digest } = await waiting(scene);
    return [id, { digest, stepUpId: PROVED }];
  },
  'commands.deny': async (scene) => [(await waiting(scene)).id, { reason: 'no need' }],
  'commands.cancel': async (scene) => [(await waiting(scene)).id, {}],
  'commands.release': async (scene) => [(await issued(scene)).id, {}],
  'commands.changeLease': async (scene) => [(await issued(scene)).id, { leaseMs: 60_000 }],
  'releases.start': async (scene) => [
    { commandId: (await applied(scene)).id, batchSize: 1, intervalMs: 10_000 },
  ],
  // One that runs cannot be resumed: the refusal is the row.
  'releases.resume': async (scene) => [(await start(scene, (await applied(scene)).id)).id],
  'releases.cancel': async (scene) => [(await start(scene, (await applied(scene)).id)).id],
  'policies.set': async () => [
    { environment: 'stage', twoPerson: 'never', stepUp: 'never', tierOneServices: [] },
  ],
  'reviews.close': async (scene) => {
    await waiting(scene);
    await issued(scene, {
      breakGlass: true,
      reason: 'everybody else is asleep and it burns',
    });
    const [review] = await scene.world.services.reviews.list({ open: true });
    return [review?.id, { note: 'looked at the timeline with bob' }];
  },
  'instances.remove': async ({ world, agent }) => {
    await world.services.agents.disconnected(agent.session, world.clock.wall(), true);
    return [agent.session.instanceId];
  },
  'simulator.start': async () => [],
  'simulator.remove': async () => [],
  'tokens.create': async () => [
    {
      name: 'ci',
      servicePattern: 'checkout',
      environment: 'prod',
      abilities: ['publish'],
      expiresInDays: 1,
    },
  ],
  'tokens.revoke': async ({ world }) => {
    const [body] = (await examples['tokens.create']?.({ world } as Scene)) ?? [];
    return [(await world.services.tokens.create(bob, body as never)).view.id];
  },
  'apiTokens.create': async () => [
    {
      name: 'script',
      grants: [{ role: 'viewer', environment: 'prod', service: '*' }],
      expiresInDays: 1,
    },
  ],
  'apiTokens.revoke': async ({ world }) => {
    const [body] = (await examples['apiTokens.create']?.({ world } as Scene)) ?? [];
    return [(await world.services.apiTokens.create(fresh(world), body as never)).view.id];
  },
  'audit.export': async () => [{ format: 'csv' }],
  'people.invite': async () => [{ name: 'kim', email: 'kim@example.test', grants: [] }],
  'people.revokeInvitation': async ({ world }) => {
    const body = { name: 'kim', email: 'kim@example.test', grants: [] };
    return [(await world.services.people.invite(bob, body)).invitation.id];
  },
  'people.setGrants': async ({ world }) => [
    await addPerson(world, 'kim'),
    [{ role: 'viewer', environment: 'prod', service: '*' }],
  ],
  'people.disable': async ({ world }) => [await addPerson(world, 'kim')],
  'people.enable': async ({ world }) => {
    const id = await addPerson(world, 'kim');
    await world.services.people.disable(bob, id);
    return [id];
  },
  'people.resetFactors': async ({ world }) => [await addPerson(world, 'kim')],
  'people.signOut': async ({ world }) => {
    const id = await addPerson(world, 'kim');
    await addSession(world, id, 'ses_kim');
    return [id];
  },
  'profile.changePassword': async ({ world }) => {
    await addPerson(world, 'eve');
    return [{ current: PASSWORD, next: 'walnut-otter-lantern' }];
  },
  'profile.removeTotp': async ({ world }) => {
    await addFactors(world, await addPerson(world, 'eve'));
    return [];
  },
  'profile.removePasskey': async ({ world }) => {
    await addFactors(world, await addPerson(world, 'eve'));
    return ['pk_1'];
  },
  'profile.endSession': async ({ world }) => {
    await addSession(world, await addPerson(world, 'eve'), 'ses_old');
    return ['ses_old'];
  },
  'profile.endOtherSessions': async ({ world }) => {
    await addSession(world, await addPerson(world, 'eve'), 'ses_old');
    return [];
  },
};

/** Not behind the gate but in front of it: `tests/security` looks at their rows. */
const OF_SIGN_IN =
  /^\/api\/(sign-in|sign-out|setup|redeem|screen|live-ticket|step-up|profile\/(password|totp\/start|totp\/confirm|passkeys\/start|passkeys\/confirm))\b/;

const changing = Object.entries(gateTable).flatMap(([group, table]) =>
  Object.entries(table as Record<string, { asks?: boolean; changesNothing?: boolean }>)
    .filter(([, entry]) => entry.asks !== true && entry.changesNothing !== true)
    .map(([verb]) => `${group}.${verb}`),
);

async function openScene(file: string): Promise<Scene> {
  const simulated = {
    endsAt: null,
    isReady: true,
    start: () => undefined,
    stop: async () => undefined,
  };
  const world = await openWorld({ store: openStore(file), simulated });
  return { world, agent: await reporting(world) };
}

/** Signed in a moment ago, as a change of the own factors asks for. */
const fresh = ({ clock }: World): Caller =>
  ({ ...eve, principal: { ...eve.principal, freshAt: clock.wall() } }) as Caller;

function call({ world }: Scene, name: string, args: readonly unknown[]): Promise<unknown> {
  const [group = '', verb = ''] = name.split('.');
  const run: unknown = Reflect.get(
    Reflect.get(world.services.forCaller(fresh(world)), group),
    verb,
  );
  return (run as (...args: readonly unknown[]) => Promise<unknown>)(...args);
}

const newFile = (): string => join(temporaryFolder(), 'recloser.db');

/** All that the file holds. */
function dump(file: string): Record<string, unknown[]> {
  const client = new Database(file, { readonly: true });
  try {
    const names = client
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all();
    return Object.fromEntries(
      names.map((name) => [name, client.prepare(`SELECT * FROM "${name}"`).all()]),
    );
  } finally {
    client.close();
  }
}

describe('[S-30] every change', () => {
  it('has an example here, and every changing route is one of them', () => {
    expect(Object.keys(examples).sort()).toEqual([...changing].sort());
    const posts = routes.filter(({ method }) => method !== 'get');
    // A preview is asked for by POST because its body is long; it changes nothing.
    const ours = posts.filter(({ path }) => !OF_SIGN_IN.test(path));
    const elsewhere = new Set(['audit.export', 'profile.changePassword']);
    expect(ours.length - 1).toBe(changing.filter((name) => !elsewhere.has(name)).length);
  });

  it.each(changing)('%s leaves exactly one row of who did it', async (name) => {
    const scene = await openScene(newFile());
    const args = (await examples[name]?.(scene)) ?? [];
    const { row } = await scene.world.store.auditHead();
    await call(scene, name, args).catch((error: unknown) => {
      if (name !== 'releases.resume') throw error;
    });
    const rows = await scene.world.store.readAudit({ after: row, limit: 100 });
    expect(rows.filter(({ who }) => who?.kind === 'user').map(({ who }) => who)).toMatchObject([
      { kind: 'user', name: 'eve', session: 'ses_eve', ip: '127.0.0.1', factors: ['password'] },
    ]);
  });
});

describe('[S-29] no audit, no action', () => {
  it.each(changing)('%s changes nothing when its row cannot be written', async (name) => {
    const file = newFile();
    const scene = await openScene(file);
    const args = (await examples[name]?.(scene)) ?? [];
    tamper(file, (client) => {
      client.exec(`CREATE TRIGGER refuse BEFORE INSERT ON audit
        BEGIN SELECT RAISE(ABORT, 'no more rows'); END`);
    });
    const stored = dump(file);
    const { revision } = scene.world.services.feed.snapshot(new Set(['fleet']));
    await expect(call(scene, name, args)).rejects.toThrow(Error);
    expect(dump(file)).toEqual(stored);
    expect(scene.world.services.feed.snapshot(new Set(['fleet'])).revision).toBe(revision);
  });

  it('a locked table: the command is refused and says why', { timeout: 30_000 }, async () => {
    const file = newFile();
    const scene = await openScene(file);
    const args = (await examples['commands.issue']?.(scene)) ?? [];
    const stored = dump(file);
    const other = new Database(file);
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    await expect(call(scene, 'commands.issue', args)).rejects.toMatchObject({
      code: 'read_only',
      status: 503,
      message:
        'Nothing was changed, because it could not be recorded: the database is locked by another program.',
    });
    other.exec('ROLLBACK');
    expect(dump(file)).toEqual(stored);
    await expect(call(scene, 'commands.issue', args)).resolves.toMatchObject({ status: 'issued' });
  });

  it('a full disk: as many tokens as rows, and the refusal says why', async () => {
    const file = newFile();
    await openStore(file).close();
    const connection = connect(file);
    const store = new SqliteStore(connection, null);
    onTestFinished(() => store.close());
    const scene = { world: await openWorld({ store }) } as Scene;
    const pages = Number(connection.client.pragma('page_count', { simple: true }));
    connection.client.pragma(`max_page_count = ${pages}`);
    const [token] = (await examples['tokens.create']?.(scene)) ?? [];
    let refusal: unknown = null;
    for (let time = 0; time < 200 && refusal === null; time++) {
      refusal = await call(scene, 'tokens.create', [token]).then(
        () => null,
        (error: unknown) => error,
      );
    }
    expect(refusal).toMatchObject({
      code: 'read_only',
      message: expect.stringContaining('recorded: the disk is full'),
    });
    const { tokens, audit } = dump(file);
    expect(tokens?.length).toBeGreaterThan(0);
    expect(audit).toHaveLength(tokens?.length ?? -1);
  });
});
