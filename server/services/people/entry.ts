import type { AuditInsert } from '../../store/port';
import type { CodeRecord, PersonRecord } from '../../store/port/people';
import { auditBy, SYSTEM, type Caller } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import type { Entry } from './contract';
import { drawCode, hashOfCode } from './one-time-code';
import { assertPassword } from './password-rules';
import { tellAccess } from './people';

/** [S-02] After that a restart makes a new one. */
const SETUP_MS = 15 * 60_000;
const RECOVERY_MS = 15 * 60_000;
const EVERYWHERE = { environment: '*', service: '*' } as const;

function row(
  core: Core,
  caller: Caller,
  action: string,
  subject: string,
  details: AuditInsert['details'],
): AuditInsert {
  return { at: core.clock.wall(), ...auditBy(caller), action, subject, outcome: 'done', details };
}

/** What went wrong stays unsaid: whoever guesses learns nothing. */
async function refuse(core: Core, caller: Caller, action: string): Promise<never> {
  await core.store.appendAudit({
    ...row(core, caller, action, 'console', {}),
    outcome: 'refused',
  });
  throw new RecloserError('not_allowed', 'This code is not good, or not any more.');
}

const asPerson = (caller: Caller, name: string, id: string): Caller => ({
  ...caller,
  principal: {
    kind: 'user',
    id,
    name,
    email: '',
    grants: [],
    sessionId: '',
    factors: [],
    freshAt: null,
  },
});

function createSetUp(core: Core): Entry['setUp'] {
  const { people } = core.store;
  return async (caller, { token, name, email, password }) => {
    const hash = hashOfCode(core, token);
    const code = await people.findCode(hash, core.clock.wall());
    if (code?.kind !== 'setup' || (await people.setupCompletedAt()) !== null) {
      return refuse(core, caller, 'console.set_up');
    }
    assertPassword(password, [name, email]);
    const id = core.ids.person();
    const grants = [{ role: 'admin' as const, ...EVERYWHERE }];
    const passwordHash = await core.passwords.hash(password);
    const person = await people.redeemForPerson({
      hash,
      kind: 'setup',
      person: { id, name, email, passwordHash, grants },
      at: core.clock.wall(),
      audit: row(core, asPerson(caller, name, id), 'console.set_up', id, { email, grants }),
    });
    return person ?? refuse(core, caller, 'console.set_up');
  };
}

async function recovered(
  core: Core,
  caller: Caller,
  hash: string,
  code: CodeRecord,
  password: string,
): Promise<PersonRecord | null> {
  const { people } = core.store;
  const person = await people.findPerson({ id: code.personId ?? '' });
  if (person === null) return null;
  const { id, name, email } = person;
  assertPassword(password, [name, email]);
  const after = await people.redeemRecovery({
    hash,
    passwordHash: await core.passwords.hash(password),
    at: core.clock.wall(),
    audit: row(core, asPerson(caller, name, id), 'person.recovered', id, { email }),
  });
  tellAccess(core, id);
  return after;
}

async function invited(
  core: Core,
  caller: Caller,
  hash: string,
  code: CodeRecord,
  body: { readonly name?: string | undefined; readonly password: string },
): Promise<PersonRecord | null> {
  const { email, grants } = code;
  const name = body.name ?? code.name;
  if (email === null || name === null) return null;
  assertPassword(body.password, [name, email]);
  const id = core.ids.person();
  const passwordHash = await core.passwords.hash(body.password);
  return core.store.people.redeemForPerson({
    hash,
    kind: 'invitation',
    person: { id, name, email, passwordHash, grants },
    at: core.clock.wall(),
    audit: row(core, asPerson(caller, name, id), 'person.joined', id, { email, grants }),
  });
}

function createRedeem(core: Core): Entry['redeem'] {
  return async (caller, { code: text, name, password }) => {
    const hash = hashOfCode(core, text);
    const code = await core.store.people.findCode(hash, core.clock.wall());
    if (code === null || code.kind === 'setup') return refuse(core, caller, 'code.redeemed');
    const person =
      code.kind === 'recovery'
        ? await recovered(core, caller, hash, code, password)
        : await invited(core, caller, hash, code, { name, password });
    return person ?? refuse(core, caller, 'code.redeemed');
  };
}

function createRenewSetupToken(core: Core): Entry['renewSetupToken'] {
  return async (caller = SYSTEM) => {
    const { people } = core.store;
    if ((await people.setupCompletedAt()) !== null) return null;
    const token = drawCode(core);
    const now = core.clock.wall();
    const id = core.ids.code();
    const blank = { personId: null, name: null, email: null, grants: [] };
    const expiresAt = now + SETUP_MS;
    await people.putCode(
      { id, kind: 'setup', ...blank, createdAt: now, expiresAt },
      hashOfCode(core, token),
      row(core, caller, 'console.setup_token_made', id, { expiresAt }),
    );
    return { token, expiresAt };
  };
}

function createRecover(core: Core): Entry['recover'] {
  return async (email) => {
    const { people } = core.store;
    const person = await people.findPerson({ email: email.trim().toLowerCase() });
    if (person === null) {
      throw new RecloserError('not_found', `Nobody has the e-mail address ${email}.`);
    }
    const code = drawCode(core);
    const now = core.clock.wall();
    const id = core.ids.code();
    const expiresAt = now + RECOVERY_MS;
    const local: Caller = { ...SYSTEM, principal: { kind: 'local', name: 'command line' } };
    await people.putCode(
      {
        id,
        kind: 'recovery',
        personId: person.id,
        name: person.name,
        email: person.email,
        grants: [],
        createdAt: now,
        expiresAt,
      },
      hashOfCode(core, code),
      row(core, local, 'person.recovery_made', person.id, { expiresAt }),
    );
    return { code, expiresAt };
  };
}

export function createEntry(core: Core): Entry {
  return {
    needsSetup: async () => (await core.store.people.setupCompletedAt()) === null,
    renewSetupToken: createRenewSetupToken(core),
    setUp: createSetUp(core),
    redeem: createRedeem(core),
    recover: createRecover(core),
  };
}
