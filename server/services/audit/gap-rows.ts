import type { GapAction } from '@/lib/audit/gaps';
import type { AuditInsert } from '../../store/port';

/** A row of the console about its own trail. */
export function gapRow(
  at: number,
  action: GapAction,
  details: AuditInsert['details'],
  outcome: AuditInsert['outcome'] = 'done',
): AuditInsert {
  return { at, actor: 'system', action, subject: 'audit', outcome, details };
}
