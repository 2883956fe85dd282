import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller, Factor } from '../../services/caller';
import type { AuditInsert } from '../../store/port';
import type { AuthModel, AuthRow } from '../../store/port/people';

/** For a change about somebody who is not known before. */
type RowMaker = (changed: AuthRow) => Promise<AuditInsert>;

/** What one call of the sign-in library is for; its adapter and hooks look here. */
export type LibraryScope = {
  readonly caller: Caller;
  /** What a session that comes out of it was signed in with. */
  readonly factors: readonly Factor[];
  /** The session that goes on under a new token instead of a new session. */
  readonly rotate?: string;
  /** The only person whom it may be about. */
  readonly mustBe?: string;
  /** Stored with the first change of that model, in its transaction; null once it is. */
  audit: { readonly model: AuthModel; readonly row: AuditInsert | RowMaker } | null;
  /** The person for whom a session came out of it. */
  signedIn?: string;
};

const storage = new AsyncLocalStorage<LibraryScope>();

export function withScope<T>(scope: LibraryScope, run: () => Promise<T>): Promise<T> {
  return storage.run(scope, run);
}

/** Throws outside of a scope: nothing of the library runs unattended. */
export function currentScope(): LibraryScope {
  const scope = storage.getStore();
  if (scope === undefined) throw new Error('the sign-in library was called without a scope');
  return scope;
}

/** The audit row that a change of this model carries, once. */
export async function takeAudit(model: AuthModel, changed: AuthRow): Promise<AuditInsert | null> {
  const { audit } = currentScope();
  if (audit === null || audit.model !== model) return null;
  currentScope().audit = null;
  return typeof audit.row === 'function' ? audit.row(changed) : audit.row;
}
