/** Reads back what the second sink wrote, what was exported, or a checkpoint that was downloaded. */
import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { signatureProblem } from '@/lib/audit/checkpoint';
import type { Witness } from '@/lib/audit/verify';
import { auditCheckpoint, type AuditCheckpoint } from '@/lib/protocol/audit';
import { sha256Hex } from '../auth/sha256';
import { verifySignature } from './ed25519';

const CHUNK_BYTES = 256 * 1024;

/** Lines without their ends; the last one also when it has none. */
export function* linesOf(file: string): Generator<string> {
  const handle = openSync(file, 'r');
  const decoder = new StringDecoder('utf8');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = '';
  try {
    for (;;) {
      const bytes = readSync(handle, chunk);
      if (bytes === 0) break;
      const lines = (rest + decoder.write(chunk.subarray(0, bytes))).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } finally {
    closeSync(handle);
  }
}

type Line = Readonly<Record<string, unknown>>;

function parseLine(text: string): Line | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Line) : null;
  } catch {
    return null;
  }
}

export class WitnessError extends Error {
  override readonly name = 'WitnessError';
}

function checkpointIn(line: Line, where: string): AuditCheckpoint | null {
  if (line['checkpoint'] === undefined) return null;
  const parsed = auditCheckpoint.safeParse(line['checkpoint']);
  if (!parsed.success) throw new WitnessError(`${where} holds a checkpoint that cannot be read.`);
  const problem = signatureProblem(sha256Hex, verifySignature, parsed.data);
  if (problem === null) return parsed.data;
  throw new WitnessError(`${where} holds a checkpoint that is no evidence: ${problem}.`);
}

/**
 * Of a chain that was begun anew only the last is kept, and of a row that was written twice, as
 * after a restore, the last. Lines that are not of the audit trail are passed over. Throws
 * `WitnessError` when there is no evidence in the file or a checkpoint in it is not sound.
 */
export function readWitness(file: string): Witness {
  let chainId: string | null = null;
  let checkpoints = new Map<number, AuditCheckpoint>();
  let rows = new Map<number, string>();
  let number = 0;
  function onChain(id: string): void {
    if (chainId === id) return;
    chainId = id;
    checkpoints = new Map();
    rows = new Map();
  }
  for (const text of linesOf(file)) {
    number += 1;
    const line = parseLine(text);
    if (line === null) continue;
    const checkpoint = checkpointIn(line, `Line ${number} of ${file}`);
    if (checkpoint !== null) {
      onChain(checkpoint.chainId);
      checkpoints.set(checkpoint.number, checkpoint);
    }
    const { kind, id, hash } = line;
    if (kind !== 'audit' || typeof id !== 'number' || typeof hash !== 'string') continue;
    onChain(typeof line['chainId'] === 'string' ? line['chainId'] : '');
    rows.set(id, hash);
  }
  if (chainId === null) throw new WitnessError(`${file} holds neither audit rows nor checkpoints.`);
  return { chainId, checkpoints: [...checkpoints.values()], rows };
}
