import type { AuditCheckpoint, RollbackAlarm } from '../protocol/audit';
import { checkpointDigest } from '../protocol/checkpoint-text';
import { sha256Hex } from './hash';

/**
 * Keeps the largest checkpoint of the console's audit trail that it was shown, for the life of the
 * process. A console that comes back with a smaller one, or with another history under the same
 * numbers, has forgotten something: that is said once on each connection, and what is kept stays.
 */
export class Witness {
  #kept: AuditCheckpoint | null = null;
  /** What this connection has been told about already. */
  #told = false;

  connected(): void {
    this.#told = false;
  }

  see(seen: AuditCheckpoint): RollbackAlarm | null {
    const kept = this.#kept;
    const kind = kept === null ? null : verdict(kept, seen);
    if (kept === null || kind === null) {
      this.#kept = seen;
      return null;
    }
    // There is no larger of two chains; the one that is shown is the one to watch from now on.
    if (kind === 'other_chain') this.#kept = seen;
    if (this.#told) return null;
    this.#told = true;
    return { type: 'rollback_alarm', kind, kept, seen };
  }
}

function verdict(kept: AuditCheckpoint, seen: AuditCheckpoint): RollbackAlarm['kind'] | null {
  if (seen.chainId !== kept.chainId) return 'other_chain';
  if (seen.number < kept.number || seen.toRow < kept.toRow) return 'rollback';
  if (seen.number === kept.number) return seen.headHash === kept.headHash ? null : 'fork';
  // The very next one names the one before it.
  const follows = seen.number === kept.number + 1;
  return follows && seen.previous !== checkpointDigest(sha256Hex, kept) ? 'fork' : null;
}
