import type { Grant } from '@/lib/protocol/access';
import type { AuditInsert } from '../audit-port';

export type ApiTokenRecord = {
  readonly id: string;
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly ownerId: string;
  /** The owner's name when it was made. */
  readonly owner: string;
  readonly hint: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
};

export interface ApiTokenStore {
  createApiToken(token: ApiTokenRecord, hash: string, audit: AuditInsert): Promise<void>;
  findApiToken(hash: string): Promise<ApiTokenRecord | null>;
  getApiToken(id: string): Promise<ApiTokenRecord | null>;
  /** Oldest first. */
  listApiTokens(): Promise<readonly ApiTokenRecord[]>;
  touchApiToken(id: string, at: number): Promise<void>;
  /** Null when it is unknown; another revocation changes nothing and leaves no audit row. */
  revokeApiToken(id: string, at: number, audit: AuditInsert): Promise<ApiTokenRecord | null>;
}
