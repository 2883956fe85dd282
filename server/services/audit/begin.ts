/**
 * What the trail has to say about a start: whether it goes on where it ended, under which key, and
 * whether the second sink is there. Whatever is not as it was becomes a row.
 */
import { endorsementText, keyIdOf } from '@/lib/audit/checkpoint';
import type { AuditInsert, AuditPosition } from '../../store/port';
import type { Core } from '../core';
import { gapRow } from './gap-rows';
import type { AuditParts, SinkPosition } from './parts';

/** Small corrections of the clock are not worth a row. */
export const CLOCK_STEP_MS = 2_000;

type Evidence = {
  readonly seenBy: string;
  readonly chainId: string | null;
  readonly row: number;
  readonly hash: string | null;
  /** The first row that can be missing when this one is. */
  readonly fromRow: number;
};

function evidence(parts: AuditParts, sink: SinkPosition | null): Evidence[] {
  const kept = parts.memory.read();
  const found: Evidence[] = [];
  if (kept !== null) {
    const { chainId, toRow, headHash, fromRow } = kept;
    found.push({ seenBy: 'checkpoint', chainId, row: toRow, hash: headHash, fromRow });
  }
  if (sink !== null && sink.row > 0) {
    found.push({ seenBy: 'sink', ...sink, fromRow: sink.row });
  }
  return found;
}

async function hashAt(core: Core, row: number): Promise<string | null> {
  const [found] = await core.store.readAudit({ after: row - 1, limit: 1 });
  return found?.id === row ? found.hash : null;
}

/** [S-33] Rows that were seen elsewhere and are not here: the database is older than the witness. */
async function restored(
  core: Core,
  head: AuditPosition,
  seen: readonly Evidence[],
): Promise<AuditInsert | null> {
  const lost: Evidence[] = [];
  for (const one of seen) {
    if (one.chainId !== head.chain?.chainId) continue;
    // eslint-disable-next-line no-await-in-loop -- two at most
    if ((await hashAt(core, one.row)) !== one.hash) lost.push(one);
  }
  if (lost.length === 0) return null;
  const details = {
    lostFrom: Math.min(head.row + 1, ...lost.map((one) => one.fromRow)),
    lostTo: Math.max(...lost.map((one) => one.row)),
    seenBy: lost.map((one) => one.seenBy),
  };
  return gapRow(core.clock.wall(), 'audit.restored', details, 'failed');
}

function restarted(core: Core, head: AuditPosition, seen: readonly Evidence[]): AuditInsert | null {
  const other = seen.find((one) => one.chainId !== (head.chain?.chainId ?? null));
  if (other === undefined) return null;
  const { chainId, row, seenBy } = other;
  const details = { previousChain: chainId, previousRow: row, seenBy };
  return gapRow(core.clock.wall(), 'audit.chain_restarted', details, 'failed');
}

/** The first key begins the chain; another one than the last makes a gap unless it was vouched for. */
async function enterKey(core: Core, parts: AuditParts, head: AuditPosition): Promise<void> {
  const { store, clock, hash } = core;
  const { publicKey } = parts.signer;
  const keyId = keyIdOf(hash, publicKey);
  const keys = await store.listAuditKeys();
  const newest = await store.newestCheckpoint();
  const current = newest?.keyId ?? keys.at(-1)?.keyId;
  if (current === keyId) return;
  const at = clock.wall();
  const record = { keyId, publicKey, addedAt: at, endorsedBy: null, endorsement: null };
  if (current === undefined) {
    const details = { keyId, unprovenRows: head.chain === null ? head.row : 0 };
    return store.addAuditKey(record, gapRow(at, 'audit.chain_started', details));
  }
  const { elder } = parts;
  const vouched = elder !== null && keyIdOf(hash, elder.publicKey) === current;
  const details = { from: current, to: keyId, endorsed: vouched };
  const row = gapRow(at, 'audit.key_changed', details, vouched ? 'done' : 'failed');
  if (keys.some((key) => key.keyId === keyId)) await store.appendAudit(row);
  else {
    const endorsement = vouched
      ? { endorsedBy: current, endorsement: elder.sign(endorsementText(publicKey)) }
      : {};
    await store.addAuditKey({ ...record, ...endorsement }, row);
  }
  elder?.forget();
}

async function enterSink(core: Core, parts: AuditParts): Promise<void> {
  const { store, clock } = core;
  const [last] = await store.listAudit({ action: 'audit.sink_o*', limit: 1 });
  const was = last?.action === 'audit.sink_on' ? last.details['name'] : null;
  const name = parts.sink?.name ?? null;
  if (was === name) return;
  const action = name === null ? 'audit.sink_off' : 'audit.sink_on';
  await store.appendAudit(gapRow(clock.wall(), action, { name, was }));
}

/** Runs before anything else is audited. */
export async function beginTrail(
  core: Core,
  parts: AuditParts,
  sink: SinkPosition | null,
): Promise<void> {
  const { store, clock } = core;
  const head = await store.auditHead();
  const seen = evidence(parts, sink);
  const gap = restarted(core, head, seen) ?? (await restored(core, head, seen));
  await enterKey(core, parts, head);
  if (gap !== null) await store.appendAudit(gap);
  const stepMs = clock.wall() - head.at;
  if (head.row > 0 && stepMs < -CLOCK_STEP_MS) {
    await store.appendAudit(gapRow(clock.wall(), 'audit.clock_stepped', { stepMs }, 'failed'));
  }
  await enterSink(core, parts);
}
