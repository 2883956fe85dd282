/** How a checkpoint becomes the text that is signed, and the name that its successor calls it by. */
import type { AuditCheckpoint } from './audit';
import { canonicalJson } from './digest';

const CHECKPOINT = 'recloser.audit.checkpoint.v1';
const DIGEST = 'recloser.audit.checkpoint-digest.v1';

export type UnsignedCheckpoint = Omit<AuditCheckpoint, 'signature'>;

/** The text that is signed. */
export function checkpointText(checkpoint: UnsignedCheckpoint): string {
  const signed = Object.entries(checkpoint).filter(([key]) => key !== 'signature');
  return `${CHECKPOINT}\n${canonicalJson(Object.fromEntries(signed))}`;
}

/** What the next checkpoint names this one by. */
export function checkpointDigest(
  sha256: (text: string) => string,
  checkpoint: UnsignedCheckpoint,
): string {
  return sha256(`${DIGEST}\n${checkpointText(checkpoint)}`);
}
