import { createHash } from 'node:crypto';
import type { ReportedState } from '../protocol/breaker-state';
import { canonicalStates } from '../protocol/digest';

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

export function digestOf(states: readonly ReportedState[]): string {
  return sha256Hex(canonicalStates(states));
}
