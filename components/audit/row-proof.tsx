import { Clock, ShieldAlert, ShieldCheck, ShieldOff } from 'lucide-react';
import type { AuditProofBody } from '@/lib/protocol/audit';
import type { AuditRow } from '@/lib/protocol/views';
import styles from './audit.module.css';
import { proofOf, proofText, spanOf, spanText, type Proof, type Span } from './proof-words';

const ICONS = {
  signed: ShieldCheck,
  waiting: Clock,
  unproven: ShieldAlert,
  unchained: ShieldOff,
} as const satisfies Record<Proof, typeof Clock>;

type Props = { row: AuditRow; proof: AuditProofBody; spans: readonly Span[] };

export function RowProof({ row, proof, spans }: Props) {
  const state = proofOf(row, proof, spans);
  const span = spanOf(row.id, spans);
  const Icon = ICONS[state];
  const text = state === 'unproven' && span !== null ? spanText(span) : proofText[state];
  return (
    <span className={styles.proof} data-proof={state} title={text}>
      <Icon size={14} aria-hidden="true" />
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
