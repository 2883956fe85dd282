import { randomBytes } from 'node:crypto';
import type { Bus } from '../../bus/port';
import type { Caller, Factor } from '../../services/caller';
import type { Clock, Logger, Services } from '../../services/contract';
import { RecloserError } from '../../services/errors';
import type { Passwords } from '../../services/people/contract';
import type { AuditInsert } from '../../store/port';
import type { PeopleStore } from '../../store/port/people';
import { sha256Hex } from '../sha256';
import type { Attempt, Attempts } from './attempts';
import { sessionCookie } from './cookies';
import type { Exchange } from './exchange';
import type { Library, LibraryDeps, OidcConfig, OidcLibrary } from './library';
import { ABSOLUTE_MS, hashOfToken, type Sessions, type User } from './sessions';

export type IdentityDeps = {
  readonly services: Pick<Services, 'entry' | 'stepUps' | 'forCaller'>;
  readonly people: PeopleStore;
  readonly appendAudit: (row: AuditInsert) => Promise<unknown>;
  readonly passwords: Passwords;
  readonly bus: Pick<Bus, 'publish'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secret: string;
  readonly secure: boolean;
  readonly publicUrl: string;
  readonly oidc: OidcConfig | null;
};

/** What the flows share. */
export type IdentityContext = IdentityDeps & {
  readonly sessions: Sessions;
  readonly attempts: Attempts;
  readonly library: () => Promise<Library>;
  readonly oidcLibrary: () => Promise<OidcLibrary>;
  readonly libraryDeps: LibraryDeps;
};

const USED_CODE_MS = 120_000;
const TOKEN_BYTES = 24;

export function userIn({ caller }: Exchange): User {
  if (caller.principal.kind === 'user') return caller.principal;
  throw new RecloserError('not_signed_in', 'Sign in first.');
}

/** [S-13] A code counts once, whatever it is used for. */
export async function reserveTotp(
  { people, clock }: IdentityContext,
  personId: string,
  code: string,
): Promise<boolean> {
  const now = clock.wall();
  const key = `totp-used:${personId}:${sha256Hex(code).slice(0, 32)}`;
  return people.reserveOnce(key, now + USED_CODE_MS, now);
}

/** [S-10] The session goes on, its cookie does not. */
export async function rotate(
  context: IdentityContext,
  exchange: Exchange,
  factor: Factor,
): Promise<void> {
  const { people, clock, secret, secure, sessions } = context;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const { sessionId } = userIn(exchange);
  await people.rotateSession(sessionId, hashOfToken(token), clock.wall(), [factor]);
  exchange.setCookies.push(
    sessionCookie(sessions.cookieName, token, secret, { secure, maxAgeS: ABSOLUTE_MS / 1_000 }),
  );
}

/** Counts the failure, writes it down and throws. */
export async function refuse(
  { appendAudit }: IdentityContext,
  attempt: Attempt | null,
  row: AuditInsert,
  error: RecloserError,
): Promise<never> {
  attempt?.failed();
  await appendAudit({ ...row, outcome: 'refused' });
  throw error;
}

/** [S-21] The limit itself is written down too, once it is met. */
export async function begin(
  { attempts, appendAudit }: IdentityContext,
  account: string,
  caller: Caller,
  row: AuditInsert,
): Promise<Attempt> {
  try {
    return attempts.begin(account, caller.ip);
  } catch (error) {
    await appendAudit({
      ...row,
      outcome: 'refused',
      details: { ...row.details, code: 'too_many' },
    });
    throw error;
  }
}
