/**
 * How an audit row is bound to all rows before it. A row's hash is SHA-256 over a tag, the hash of
 * the row before and the row itself as canonical JSON; the first row of a chain follows a hash of the
 * chain's random id. Changing, moving, adding or leaving out a row changes every hash after it.
 */
import { canonicalJson } from '../protocol/digest';

/** SHA-256 of the UTF-8 text, as 64 hex digits. */
export type Sha256 = (text: string) => string;

/** A row without its hashes. `id` is its place in the chain and belongs to what is hashed. */
export type AuditContent = Readonly<Record<string, unknown>> & { readonly id: number };

const GENESIS = 'recloser.audit.genesis.v1';
const ROW = 'recloser.audit.row.v1';
const LEAF = 'recloser.audit.leaf.v1';
const NODE = 'recloser.audit.node.v1';

/** What stands for "the row before" at the first row of a chain. */
export function genesisHash(sha256: Sha256, chainId: string): string {
  return sha256(`${GENESIS}\n${chainId}`);
}

/** Columns that hold nothing are left out, so that a later column leaves older hashes as they are. */
export function canonicalRow(content: AuditContent): string {
  const filled = Object.entries(content).filter(([, value]) => value !== null);
  return canonicalJson(Object.fromEntries(filled));
}

export function rowHash(sha256: Sha256, previousHash: string, content: AuditContent): string {
  return sha256(`${ROW}\n${previousHash}\n${canonicalRow(content)}`);
}

/** The largest power of two below `count`, for `count` of at least 2. */
function splitOf(count: number): number {
  let half = 1;
  while (half * 2 < count) half *= 2;
  return half;
}

function subtree(sha256: Sha256, leaves: readonly string[]): string {
  const [first = ''] = leaves;
  if (leaves.length === 1) return first;
  const half = splitOf(leaves.length);
  const left = subtree(sha256, leaves.slice(0, half));
  return sha256(`${NODE}\n${left}\n${subtree(sha256, leaves.slice(half))}`);
}

/** Merkle root over row hashes, in the shape of RFC 6962. Throws `RangeError` for none. */
export function merkleRoot(sha256: Sha256, hashes: readonly string[]): string {
  if (hashes.length === 0) throw new RangeError('a Merkle root needs at least one row');
  return subtree(
    sha256,
    hashes.map((hash) => sha256(`${LEAF}\n${hash}`)),
  );
}
