import type { Grant } from '@/lib/protocol/access';
import type { PersonView } from '@/lib/protocol/people';
import type { AuditInsert } from '../../store/port';
import type { PersonChange, PersonRecord } from '../../store/port/people';
import { auditBy, idOf, permit, type Caller } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { markRecorded } from '../refusals';
import type { People } from './contract';
import { drawCode, hashOfCode } from './one-time-code';
import { invitationViewOf, personViewOf } from './views';

const INVITATION_MS = 7 * 86_400_000;

export async function personOrThrow(core: Core, id: string): Promise<PersonRecord> {
  const record = await core.store.people.findPerson({ id });
  if (record === null) throw new RecloserError('not_found', 'the person is not known');
  return record;
}

export function audit(
  core: Core,
  caller: Caller,
  action: string,
  subject: string,
  details: AuditInsert['details'] = {},
): AuditInsert {
  return {
    at: core.clock.wall(),
    ...auditBy(caller),
    action,
    subject,
    outcome: 'done',
    details,
  };
}

/**
 * Nobody hands out, or takes away, what is outside of the own reach: an admin of one environment
 * would else make himself one of all. The refusal is an audit row.
 */
async function assertReach(
  core: Core,
  caller: Caller,
  subject: string,
  grants: readonly Grant[],
): Promise<void> {
  const outside = grants.find(
    ({ environment, service }) =>
      permit(caller, 'people.manage', { environment, service }) === undefined,
  );
  if (outside === undefined) return;
  const { role, environment, service } = outside;
  await core.store.appendAudit({
    ...audit(core, caller, 'access.denied', subject, { needs: 'people.manage', grant: outside }),
    outcome: 'refused',
  });
  throw markRecorded(
    new RecloserError(
      'not_allowed',
      `You may not manage the role ${role} for ${service} in ${environment}.`,
    ),
  );
}

function assertDone(change: PersonChange): void {
  if (change === 'unknown') throw new RecloserError('not_found', 'the person is not known');
  if (change === 'last_admin') {
    throw new RecloserError('conflict', 'Nobody would be left who can manage people.');
  }
}

/** Whoever is connected as this person is asked again. */
export function tellAccess(core: Core, personId: string): void {
  core.bus.publish({ type: 'access_changed', personId });
}

/** Changes a person within the reach of the caller, and shows the person after it. */
async function manage(
  core: Core,
  caller: Caller,
  id: string,
  change: (person: PersonRecord) => Promise<void>,
): Promise<PersonView> {
  const person = await personOrThrow(core, id);
  await assertReach(core, caller, id, person.grants);
  await change(person);
  tellAccess(core, id);
  return personViewOf(await personOrThrow(core, id));
}

function assertOther(caller: Caller, id: string, what: string): void {
  if (idOf(caller) === id) throw new RecloserError('conflict', `You cannot ${what} yourself.`);
}

function createInvite(core: Core): People['invite'] {
  return async (caller, { name, email, grants }) => {
    await assertReach(core, caller, email, grants);
    if ((await core.store.people.findPerson({ email })) !== null) {
      throw new RecloserError('conflict', 'Somebody with this e-mail address has an account.');
    }
    const now = core.clock.wall();
    const code = drawCode(core);
    const record = {
      id: core.ids.code(),
      kind: 'invitation' as const,
      personId: null,
      name,
      email,
      grants,
      createdAt: now,
      expiresAt: now + INVITATION_MS,
    };
    const details = { name, email, grants, expiresAt: record.expiresAt };
    const row = audit(core, caller, 'person.invited', record.id, details);
    await core.store.people.putCode(record, hashOfCode(core, code), row);
    return { code, invitation: invitationViewOf(record) };
  };
}

function createRevokeInvitation(core: Core): People['revokeInvitation'] {
  return async (caller, id) => {
    const now = core.clock.wall();
    const found = (await core.store.people.listInvitations(now)).find((one) => one.id === id);
    if (found === undefined) throw new RecloserError('not_found', 'the invitation is not open');
    await assertReach(core, caller, id, found.grants);
    const row = audit(core, caller, 'person.invitation_revoked', id, { email: found.email });
    await core.store.people.revokeCode(id, now, row);
  };
}

export function createPeople(core: Core): People {
  const { store, clock } = core;
  return {
    list: async () => ({
      now: clock.wall(),
      people: (await store.people.listPeople()).map(personViewOf),
      invitations: (await store.people.listInvitations(clock.wall())).map(invitationViewOf),
    }),
    invite: createInvite(core),
    revokeInvitation: createRevokeInvitation(core),
    setGrants: (caller, id, grants) =>
      manage(core, caller, id, async (person) => {
        await assertReach(core, caller, id, grants);
        const details = { before: person.grants, after: grants };
        const row = audit(core, caller, 'person.roles_changed', id, details);
        assertDone(await store.people.setGrants(id, grants, row));
      }),
    disable: (caller, id) =>
      manage(core, caller, id, async () => {
        assertOther(caller, id, 'disable');
        const row = audit(core, caller, 'person.disabled', id);
        assertDone(await store.people.setDisabled(id, clock.wall(), row));
      }),
    enable: (caller, id) =>
      manage(core, caller, id, async () => {
        const row = audit(core, caller, 'person.enabled', id);
        assertDone(await store.people.setDisabled(id, null, row));
      }),
    resetFactors: (caller, id) =>
      manage(core, caller, id, async () => {
        assertOther(caller, id, 'reset the factors of');
        await store.people.resetFactors(id, audit(core, caller, 'person.factors_reset', id));
      }),
    signOut: (caller, id) =>
      manage(core, caller, id, async () => {
        const row = audit(core, caller, 'person.signed_out', id);
        await store.people.endSessions({ personId: id }, row);
      }),
  };
}
