import type { ProfileBody } from '@/lib/protocol/people';
import type { Caller } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { markRecorded } from '../refusals';
import type { Profile } from './contract';
import { assertPassword } from './password-rules';
import { audit, personOrThrow, tellAccess } from './people';
import { stepUpFactorsOf } from './step-up';
import { personViewOf } from './views';

/** How long a proved factor allows its owner to change others. */
const FRESH_MS = 5 * 60_000;

type User = Extract<Caller['principal'], { kind: 'user' }>;

export function userOf({ principal }: Caller): User {
  if (principal.kind === 'user') return principal;
  throw new RecloserError('not_allowed', 'Only somebody who has signed in has a profile.');
}

/** [S-13] A factor that was proved a moment ago, for what outlives the session. */
export async function assertFresh(core: Core, caller: Caller): Promise<void> {
  const user = userOf(caller);
  if (user.freshAt !== null && core.clock.wall() - user.freshAt <= FRESH_MS) return;
  const person = await personOrThrow(core, user.id);
  throw new RecloserError('step_up_needed', 'Prove once more that it is you.', {
    details: { factors: stepUpFactorsOf(person) },
  });
}

function createShow(core: Core): Profile['show'] {
  return async (caller): Promise<ProfileBody> => {
    const user = userOf(caller);
    const { people } = core.store;
    return {
      person: personViewOf(await personOrThrow(core, user.id)),
      sessions: (await people.listSessions(user.id)).map((session) => ({
        id: session.id,
        createdAt: session.createdAt,
        lastSeenAt: session.lastSeenAt,
        factors: [...session.factors],
        ip: session.ip,
        userAgent: session.userAgent,
        isCurrent: session.id === user.sessionId,
      })),
      passkeys: [...(await people.listPasskeys(user.id))],
    };
  };
}

function createChangePassword(core: Core): Profile['changePassword'] {
  return async (caller, { current, next }) => {
    const user = userOf(caller);
    const { people } = core.store;
    const hash = await people.passwordHash(user.id);
    if (hash === null) {
      throw new RecloserError('conflict', 'You sign in elsewhere; there is no password here.');
    }
    if (!(await core.passwords.verify(hash, current))) {
      const row = audit(core, caller, 'person.password_changed', user.id, { code: 'not_allowed' });
      await core.store.appendAudit({ ...row, outcome: 'refused' });
      throw markRecorded(new RecloserError('not_allowed', 'The current password is not right.'));
    }
    assertPassword(next, [user.name, user.email]);
    const row = audit(core, caller, 'person.password_changed', user.id);
    await people.setPassword(user.id, await core.passwords.hash(next), user.sessionId, row);
    tellAccess(core, user.id);
  };
}

/** Something of one's own is removed, and everybody connected as this person asked again. */
async function remove(
  core: Core,
  caller: Caller,
  what: string,
  run: (personId: string) => Promise<boolean>,
): Promise<void> {
  const { id } = userOf(caller);
  if (!(await run(id))) throw new RecloserError('not_found', `there is no such ${what}`);
  tellAccess(core, id);
}

export function createProfile(core: Core): Profile {
  const { people } = core.store;
  return {
    show: createShow(core),
    changePassword: createChangePassword(core),
    assertFresh: (caller) => assertFresh(core, caller),
    removeTotp: async (caller) => {
      await assertFresh(core, caller);
      await remove(core, caller, 'authenticator app', (id) =>
        people.removeTotp(id, audit(core, caller, 'person.totp_removed', id)),
      );
    },
    removePasskey: async (caller, passkeyId) => {
      await assertFresh(core, caller);
      await remove(core, caller, 'passkey', (id) => {
        const row = audit(core, caller, 'person.passkey_removed', id, { passkeyId });
        return people.removePasskey(id, passkeyId, row);
      });
    },
    endSession: (caller, sessionId) =>
      remove(core, caller, 'session', async (personId) => {
        const row = audit(core, caller, 'session.ended', personId, { sessionId });
        return (await people.endSessions({ personId, sessionId }, row)) > 0;
      }),
    endOtherSessions: async (caller) => {
      const { id, sessionId } = userOf(caller);
      const row = audit(core, caller, 'session.others_ended', id);
      await people.endSessions({ personId: id, except: sessionId }, row);
      tellAccess(core, id);
    },
  };
}
