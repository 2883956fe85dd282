/**
 * News between the services and the gateways, published after the commit. In one process it is a
 * set of listeners; between nodes it can be a database's notifications. A publication is never the
 * only copy of a fact.
 */
import type { AuditCheckpoint } from '@/lib/protocol/audit';
import type { LivePatch } from '@/lib/protocol/live-frames';

export type FleetChanges = Omit<LivePatch, 'type' | 'fromRevision' | 'toRevision' | 'now'>;

export type Publication =
  /** Something that a browser shows changed. `urgent` ones (transitions, overrides) are not held back. */
  | { readonly type: 'fleet'; readonly urgent: boolean; readonly changes: FleetChanges }
  /** The wanted set of these instances changed. */
  | { readonly type: 'desired'; readonly instanceIds: readonly string[]; readonly revision: number }
  | { readonly type: 'token_revoked'; readonly tokenId: string }
  /** The audit trail was signed; agents keep it as witnesses. */
  | { readonly type: 'checkpoint'; readonly checkpoint: AuditCheckpoint }
  /** What this person may do, or with which sessions, changed. */
  | { readonly type: 'access_changed'; readonly personId: string };

export interface Bus {
  publish(publication: Publication): void;
  /** A listener that throws is reported and skipped; the others still hear. */
  subscribe(listener: (publication: Publication) => void): () => void;
  close(): Promise<void>;
}
