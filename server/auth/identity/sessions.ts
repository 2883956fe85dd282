/** [S-10] Which session a request belongs to, and whether it is still good. */
import { sha256Hex } from '../sha256';
import type { Factor, Principal } from '../../services/caller';
import type { Clock, Logger } from '../../services/contract';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../../services/upkeep/forget-sessions';
import type { PeopleStore, PersonRecord, SessionRecord } from '../../store/port/people';
import { cookiePrefix, csrfToken, readSessionToken } from './cookies';

export const IDLE_MS = SESSION_IDLE_MS;
export const ABSOLUTE_MS = SESSION_MAX_MS;
/** Last use is kept to the minute; a write each request would be a write each click. */
const TOUCH_EVERY_MS = 60_000;

export type User = Extract<Principal, { kind: 'user' }>;

export type SignedIn = {
  readonly user: User;
  readonly csrf: string;
};

export type SessionsDeps = {
  readonly people: Pick<PeopleStore, 'findSession' | 'getSession' | 'touchSession'>;
  readonly clock: Pick<Clock, 'wall'>;
  readonly log: Logger;
  readonly secret: string;
  /** True when browsers reach the console over TLS. */
  readonly secure: boolean;
};

export type Sessions = {
  readonly cookieName: string;
  fromCookie(header: string | undefined): Promise<SignedIn | null>;
  /** The same person and rights now; null when the session has ended. */
  refresh(sessionId: string): Promise<User | null>;
};

/** As it is stored: a copy of the database opens no session. */
export const hashOfToken = (token: string): string => sha256Hex(`session:${token}`);

function userOf(session: SessionRecord, person: PersonRecord): User {
  const { id, name, email, grants } = person;
  return {
    kind: 'user',
    id,
    name,
    email,
    grants,
    sessionId: session.id,
    // Only factors are ever stored there.
    factors: session.factors as Factor[],
    freshAt: session.freshAt,
  };
}

export function createSessions(deps: SessionsDeps): Sessions {
  const { people, clock, log, secret, secure } = deps;
  const cookieName = `${cookiePrefix(secure)}.session_token`;

  function isGood(session: SessionRecord, person: PersonRecord): boolean {
    const now = clock.wall();
    if (person.disabledAt !== null) return false;
    return now - session.createdAt < ABSOLUTE_MS && now - session.lastSeenAt < IDLE_MS;
  }

  function touch({ id, lastSeenAt }: SessionRecord): void {
    const now = clock.wall();
    if (now - lastSeenAt < TOUCH_EVERY_MS) return;
    people.touchSession(id, now).catch((error: unknown) => {
      log.error({ err: error }, 'last use of a session was not stored');
    });
  }

  return {
    cookieName,
    async fromCookie(header) {
      const token = readSessionToken(header, cookieName, secret);
      const found = token === null ? null : await people.findSession(hashOfToken(token));
      if (found === null || !isGood(found.session, found.person)) return null;
      touch(found.session);
      const user = userOf(found.session, found.person);
      return { user, csrf: csrfToken(secret, user.sessionId) };
    },
    async refresh(sessionId) {
      const found = await people.getSession(sessionId);
      if (found === null || !isGood(found.session, found.person)) return null;
      return userOf(found.session, found.person);
    },
  };
}
