import { createHash } from 'node:crypto';

/** Of the UTF-8 text, as 64 hex digits: what is kept of a token instead of the token. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
