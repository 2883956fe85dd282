/**
 * People as the store keeps them: accounts, sessions, factors, one-time codes. Secrets are kept as
 * hashes or encrypted by whoever hands them in. Every change that a person makes takes its audit row
 * with it, in the same transaction.
 */
import type { Grant } from '@/lib/protocol/access';
import type { AuditInsert } from '../audit-port';

/** The tables that the sign-in library reads and writes through its adapter. */
export type AuthModel = 'user' | 'session' | 'account' | 'verification' | 'twoFactor' | 'passkey';
export type AuthRow = Readonly<Record<string, unknown>>;
export type AuthClause = {
  readonly field: string;
  readonly operator:
    | 'eq'
    | 'ne'
    | 'lt'
    | 'lte'
    | 'gt'
    | 'gte'
    | 'in'
    | 'not_in'
    | 'contains'
    | 'starts_with'
    | 'ends_with';
  readonly value: unknown;
  readonly connector: 'AND' | 'OR';
};
export type AuthQuery = {
  readonly model: AuthModel;
  readonly where: readonly AuthClause[];
  readonly limit?: number;
  readonly offset?: number;
  readonly sortBy?: { readonly field: string; readonly direction: 'asc' | 'desc' };
};
export type AuthChange = {
  readonly model: AuthModel;
  readonly where: readonly AuthClause[];
  readonly set: AuthRow;
  readonly increment?: Readonly<Record<string, number>>;
  readonly audit: AuditInsert | null;
};

/** Rows as the sign-in library sees them. A field or model that the schema lacks throws. */
export interface AuthRows {
  insert(model: AuthModel, row: AuthRow, audit: AuditInsert | null): Promise<AuthRow>;
  find(query: AuthQuery): Promise<readonly AuthRow[]>;
  count(query: AuthQuery): Promise<number>;
  /** The rows after the change. */
  change(change: AuthChange): Promise<readonly AuthRow[]>;
  /** The rows as they were. */
  remove(query: AuthQuery, audit: AuditInsert | null): Promise<readonly AuthRow[]>;
}

export type PersonRecord = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly createdAt: number;
  readonly disabledAt: number | null;
  readonly grants: readonly Grant[];
  readonly hasPassword: boolean;
  readonly hasTotp: boolean;
  readonly passkeys: number;
  /** Signs in through the identity provider. */
  readonly isFederated: boolean;
  readonly lastSeenAt: number | null;
};

export type SessionRecord = {
  readonly id: string;
  readonly personId: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** When a factor was last proved. */
  readonly freshAt: number;
  readonly factors: readonly string[];
  readonly ip: string | null;
  readonly userAgent: string | null;
};

export type PasskeyRecord = {
  readonly id: string;
  readonly name: string | null;
  readonly createdAt: number | null;
};

/** `setup` makes the first admin, `invitation` another person, `recovery` a new password. */
export type CodeKind = 'setup' | 'invitation' | 'recovery';
export type CodeRecord = {
  readonly id: string;
  readonly kind: CodeKind;
  /** Whom a recovery is for. */
  readonly personId: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly grants: readonly Grant[];
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type NewPerson = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Null for one who has no password here. */
  readonly passwordHash: string | null;
  readonly grants: readonly Grant[];
};

export type StepUpRecord = {
  readonly id: string;
  readonly hash: string;
  readonly sessionId: string;
  readonly personId: string;
  readonly digest: string;
  readonly factor: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** `last_admin`: nobody would be left who can manage people. */
export type PersonChange = 'done' | 'unknown' | 'last_admin';

export interface PeopleStore {
  readonly auth: AuthRows;

  listPeople(): Promise<readonly PersonRecord[]>;
  findPerson(
    by: { readonly id: string } | { readonly email: string },
  ): Promise<PersonRecord | null>;
  passwordHash(personId: string): Promise<string | null>;
  /** Null when the e-mail address is taken. */
  addPerson(person: NewPerson, at: number, audit: AuditInsert): Promise<PersonRecord | null>;
  setGrants(id: string, grants: readonly Grant[], audit: AuditInsert): Promise<PersonChange>;
  /** Disabling ends the sessions too. */
  setDisabled(id: string, at: number | null, audit: AuditInsert): Promise<PersonChange>;
  /** Other sessions than `keep` end. False for one without a local password. */
  setPassword(
    personId: string,
    hash: string,
    keep: string | null,
    audit: AuditInsert,
  ): Promise<boolean>;
  /** Removes the authenticator app, all passkeys and all sessions. */
  resetFactors(personId: string, audit: AuditInsert): Promise<boolean>;
  removeTotp(personId: string, audit: AuditInsert): Promise<boolean>;
  listPasskeys(personId: string): Promise<readonly PasskeyRecord[]>;
  removePasskey(personId: string, id: string, audit: AuditInsert): Promise<boolean>;

  findSession(
    tokenHash: string,
  ): Promise<{ readonly session: SessionRecord; readonly person: PersonRecord } | null>;
  getSession(
    id: string,
  ): Promise<{ readonly session: SessionRecord; readonly person: PersonRecord } | null>;
  listSessions(personId: string): Promise<readonly SessionRecord[]>;
  touchSession(id: string, at: number): Promise<void>;
  /** A new token for the same session. */
  rotateSession(
    id: string,
    tokenHash: string,
    freshAt: number,
    factors: readonly string[],
  ): Promise<void>;
  /** The number of those that ended; without any there is no audit row. */
  endSessions(
    which: { readonly personId: string; readonly sessionId?: string; readonly except?: string },
    audit: AuditInsert,
  ): Promise<number>;
  /** Sessions idle or old, codes and challenges out of date. */
  pruneSessions(limits: {
    readonly createdBefore: number;
    readonly seenBefore: number;
    readonly now: number;
  }): Promise<void>;

  /** Null while the console has never been set up. */
  setupCompletedAt(): Promise<number | null>;
  /** An older code of the same kind for the same person or address ends. */
  putCode(code: CodeRecord, hash: string, audit: AuditInsert): Promise<void>;
  findCode(hash: string, at: number): Promise<CodeRecord | null>;
  listInvitations(at: number): Promise<readonly CodeRecord[]>;
  revokeCode(id: string, at: number, audit: AuditInsert): Promise<boolean>;
  /**
   * Uses a setup code or an invitation up and makes the person. Null when the code is not good any
   * more, when the set-up has been done, or when the address is taken.
   */
  redeemForPerson(input: {
    readonly hash: string;
    readonly kind: 'setup' | 'invitation';
    readonly person: NewPerson;
    readonly at: number;
    readonly audit: AuditInsert;
  }): Promise<PersonRecord | null>;
  /** New password, no other factors, no sessions, enabled again. Null when the code is not good. */
  redeemRecovery(input: {
    readonly hash: string;
    readonly passwordHash: string;
    readonly at: number;
    readonly audit: AuditInsert;
  }): Promise<PersonRecord | null>;

  putStepUp(record: StepUpRecord, audit: AuditInsert): Promise<void>;
  /** [S-13] True once, for the session and the digest that it was made for. */
  consumeStepUp(input: {
    readonly hash: string;
    readonly sessionId: string;
    readonly digest: string;
    readonly at: number;
  }): Promise<boolean>;
  /** False when it was reserved before and has not expired: a code that was used. */
  reserveOnce(key: string, expiresAt: number, at: number): Promise<boolean>;
}
