import { nextCheckpoint } from '@/lib/audit/checkpoint';
import type { AuditCheckpoint } from '@/lib/protocol/audit';
import { checkpointText } from '@/lib/protocol/checkpoint-text';
import type { Core } from '../core';
import { createLane } from '../lane';
import type { AuditParts } from './parts';

/** [S-31] Signed after so many rows, or so long after the first that is not. */
const ROWS = 100;
const MAX_WAIT_MS = 5 * 60_000;
const CHUNK_ROWS = 5_000;

export type Checkpoints = {
  /** Looks whether one is due. */
  tick(): Promise<void>;
  /** Signs whatever is not signed yet. */
  now(): Promise<void>;
};

export function createCheckpoints(core: Core, parts: AuditParts): Checkpoints {
  const { store, clock, hash } = core;
  const { signer, memory } = parts;
  const lane = createLane();
  let newest: AuditCheckpoint | null | undefined;
  let unsignedSince: number | null = null;

  async function signed(): Promise<AuditCheckpoint | null> {
    newest ??= await store.newestCheckpoint();
    return newest;
  }

  async function signChunk(firstRow: number, chainId: string): Promise<boolean> {
    const previous = await signed();
    const after = previous?.toRow ?? firstRow - 1;
    const rows = (await store.readAudit({ after, limit: CHUNK_ROWS })).map(({ id, hash }) => ({
      id,
      hash: hash ?? '',
    }));
    if (rows.length === 0) return false;
    const { publicKey } = signer;
    const at = clock.wall();
    const unsigned = nextCheckpoint(hash, { chainId, firstRow, previous, rows, at, publicKey });
    const checkpoint = { ...unsigned, signature: signer.sign(checkpointText(unsigned)) };
    if (!(await store.appendCheckpoint(checkpoint))) {
      newest = undefined;
      throw new Error(`checkpoint ${checkpoint.number} does not fit the rows`);
    }
    newest = checkpoint;
    await memory.write(checkpoint);
    core.bus.publish({ type: 'checkpoint', checkpoint });
    return rows.length === CHUNK_ROWS;
  }

  async function signAll(): Promise<void> {
    const { chain } = await store.auditHead();
    if (chain === null) return;
    // eslint-disable-next-line no-await-in-loop -- each names the one before
    while (await signChunk(chain.firstRow, chain.chainId));
    unsignedSince = null;
  }

  return {
    now: () => lane(signAll),
    tick: () =>
      lane(async () => {
        const { row, chain } = await store.auditHead();
        const unsigned = row - ((await signed())?.toRow ?? (chain?.firstRow ?? 1) - 1);
        if (unsigned <= 0) {
          unsignedSince = null;
          return;
        }
        unsignedSince ??= clock.mono();
        if (unsigned >= ROWS || clock.mono() - unsignedSince >= MAX_WAIT_MS) await signAll();
      }),
  };
}
