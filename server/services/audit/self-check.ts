/**
 * Reads the trail again, a slice at a time, and compares it with its hashes and checkpoints: what
 * was changed under a running console is noticed by itself.
 */
import { genesisHash } from '@/lib/audit/chain';
import { rowFinding, type Finding, type FoundRow } from '@/lib/audit/rows';
import { CheckpointTrack } from '@/lib/audit/track';
import type { AuditRecord } from '../../store/port';
import type { Core } from '../core';
import { gapRow } from './gap-rows';
import type { AuditParts } from './parts';

const SLICE_ROWS = 250;
const AGAIN_AFTER_MS = 24 * 3_600_000;

type Pass = {
  place: { id: number; previousHash: string };
  readonly track: CheckpointTrack;
  readonly startedAt: number;
};

function foundRow({ hash, previousHash, ...content }: AuditRecord): FoundRow {
  return { id: content.id, content, hash, previousHash };
}

export class SelfCheck {
  readonly #core: Core;
  readonly #parts: AuditParts;
  readonly #signNow: () => Promise<void>;
  #pass: Pass | null = null;
  #verified: { readonly row: number; readonly at: number } | null = null;
  #problem: { readonly finding: Finding; readonly at: number } | null = null;

  constructor(core: Core, parts: AuditParts, signNow: () => Promise<void>) {
    this.#core = core;
    this.#parts = parts;
    this.#signNow = signNow;
  }

  /** Null until the first pass reached the end. */
  get state(): { row: number; at: number; problem: Finding | null } | null {
    if (this.#problem !== null) {
      const { finding, at } = this.#problem;
      return { row: finding.row - 1, at, problem: finding };
    }
    return this.#verified === null ? null : { ...this.#verified, problem: null };
  }

  /** One slice. What is broken stays broken; the verifier tells more than this can. */
  async tick(): Promise<void> {
    if (this.#problem !== null) return;
    const pass = await this.#current();
    if (pass === null) return;
    const { found, read } = await this.#slice(pass);
    if (found !== null) await this.#tell(found);
    else if (read < SLICE_ROWS) {
      this.#verified = { row: pass.place.id - 1, at: this.#core.clock.wall() };
    }
  }

  async #current(): Promise<Pass | null> {
    const isOld =
      this.#pass !== null &&
      this.#verified !== null &&
      this.#core.clock.mono() - this.#pass.startedAt >= AGAIN_AFTER_MS;
    if (isOld) this.#pass = null;
    this.#pass ??= await this.#begin();
    return this.#pass;
  }

  async #begin(): Promise<Pass | null> {
    const { store, clock, hash } = this.#core;
    const { chain } = await store.auditHead();
    if (chain === null) return null;
    const keys = new Set((await store.listAuditKeys()).map((key) => key.keyId));
    const { verifySignature } = this.#parts;
    const isTrusted = (keyId: string): boolean => keys.has(keyId);
    return {
      place: { id: chain.firstRow, previousHash: genesisHash(hash, chain.chainId) },
      track: new CheckpointTrack({ sha256: hash, verifySignature, isTrusted, chain }),
      startedAt: clock.mono(),
    };
  }

  async #slice(pass: Pass): Promise<{ found: Finding | null; read: number }> {
    const { found, read } = await this.#rows(pass);
    return { found: found ?? (await this.#checkpoints(pass)), read };
  }

  async #rows(pass: Pass): Promise<{ found: Finding | null; read: number }> {
    const { store, hash } = this.#core;
    const page = await store.readAudit({ after: pass.place.id - 1, limit: SLICE_ROWS });
    const rows = page.map(foundRow);
    for (const [index, row] of rows.entries()) {
      const found = rowFinding(hash, pass.place, row, rows[index + 1]);
      if (found !== null) return { found, read: index };
      pass.track.row(row.hash ?? '');
      pass.place = { id: row.id + 1, previousHash: row.hash ?? '' };
    }
    return { found: null, read: rows.length };
  }

  /** Those of which all rows have gone by; a checkpoint comes later than its rows. */
  async #checkpoints({ place, track }: Pass): Promise<Finding | null> {
    const { store } = this.#core;
    const known = await store.listCheckpoints({ after: track.number, limit: SLICE_ROWS });
    for (const checkpoint of known.filter(({ toRow }) => toRow < place.id)) {
      const found = track.check(checkpoint);
      if (found !== null) return found;
    }
    return null;
  }

  async #tell(finding: Finding): Promise<void> {
    const { store, clock, log } = this.#core;
    const { row, kind, message } = finding;
    this.#problem = { finding, at: clock.wall() };
    log.error({ row, kind }, 'the audit trail was changed');
    const details = { row, kind, message };
    await store.appendAudit(gapRow(clock.wall(), 'audit.chain_broken', details, 'failed'));
    await this.#signNow();
  }
}
