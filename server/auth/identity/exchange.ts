import type { Caller, Factor } from '../../services/caller';
import type { AuditInsert } from '../../store/port';
import { auditBy } from '../../services/caller';
import type { PersonRecord } from '../../store/port/people';
import { withScope, type LibraryScope } from './library-scope';

/** One request to a sign-in door and what its answer carries. */
export type Exchange = {
  /** Anonymous, or whose session it is. */
  readonly caller: Caller;
  readonly cookie: string;
  /** Has passed the allow-list; empty when none was sent. */
  readonly origin: string;
  /** `Set-Cookie` values for the answer. */
  readonly setCookies: string[];
};

export type LibraryAnswer = {
  readonly ok: boolean;
  readonly body: Readonly<Record<string, unknown>>;
};

/** The cookies of a request without that of a session: a new sign-in has nothing to do with it. */
export function withoutSession(cookie: string, name: string): string {
  const parts = cookie.split(';').map((part) => part.trim());
  return parts.filter((part) => !part.startsWith(`${name}=`)).join('; ');
}

async function bodyOf(response: Response): Promise<LibraryAnswer['body']> {
  const body: unknown = await response.json().catch(() => null);
  return typeof body === 'object' && body !== null ? (body as LibraryAnswer['body']) : {};
}

/** Asks the library; its cookies go on, its words stay here. Throws when it failed inside. */
export async function ask(
  exchange: Exchange,
  scope: LibraryScope,
  run: (headers: Headers) => Promise<Response>,
  cookie = exchange.cookie,
): Promise<LibraryAnswer> {
  const headers = new Headers({ cookie, origin: exchange.origin });
  const response = await withScope(scope, () => run(headers));
  if (response.status >= 500) {
    const { message } = await bodyOf(response);
    throw new Error(`the sign-in library failed: ${String(message)}`);
  }
  if (response.ok) exchange.setCookies.push(...response.headers.getSetCookie());
  return { ok: response.ok, body: await bodyOf(response) };
}

/** The caller as the person who is just proving to be that person. */
export function asPerson(
  caller: Caller,
  person: Pick<PersonRecord, 'id' | 'name' | 'email'>,
  factors: readonly Factor[],
): Caller {
  const { id, name, email } = person;
  const sessionId = caller.principal.kind === 'user' ? caller.principal.sessionId : '';
  return {
    ...caller,
    principal: { kind: 'user', id, name, email, grants: [], sessionId, factors, freshAt: null },
  };
}

export function auditRow(
  at: number,
  caller: Caller,
  action: string,
  subject: string,
  over: Partial<Pick<AuditInsert, 'outcome' | 'details'>> = {},
): AuditInsert {
  return { at, ...auditBy(caller), action, subject, outcome: 'done', details: {}, ...over };
}
