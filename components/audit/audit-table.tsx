'use client';

import { ChevronRight } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { AuditProofBody } from '@/lib/protocol/audit';
import type { AuditRow } from '@/lib/protocol/views';
import { Chip, type ChipTone } from '../ui/chip';
import { Table, Td, Th } from '../ui/table';
import { Time } from '../ui/time';
import styles from './audit.module.css';
import { detailsText } from './details-text';
import { unprovenSpans, type Span } from './proof-words';
import { RowDetails } from './row-details';
import { RowProof } from './row-proof';
import { Subject } from './subject';

const TONES: Record<AuditRow['outcome'], ChipTone> = {
  done: 'neutral',
  refused: 'forced',
  failed: 'open',
};
const WORDS: Record<AuditRow['outcome'], string> = {
  done: 'Done',
  refused: 'Refused',
  failed: 'Failed',
};
const COLUMNS = 7;

type Props = {
  rows: readonly AuditRow[];
  /** Undefined until it is known. */
  proof?: AuditProofBody | undefined;
};

type RowProps = {
  row: AuditRow;
  proof: AuditProofBody | undefined;
  spans: readonly Span[];
  isOpen: boolean;
  onToggle: () => void;
};

function Row({ row, proof, spans, isOpen, onToggle }: RowProps) {
  const details = detailsText(row.details);
  return (
    <tr data-open={isOpen}>
      <Td className={styles.rowCell}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-label={`Row ${row.id}, ${row.action}: details`}
          onClick={onToggle}
        >
          <ChevronRight size={14} aria-hidden="true" />
          {row.id}
        </button>
        {proof !== undefined && <RowProof row={row} proof={proof} spans={spans} />}
      </Td>
      <Td>
        <Time at={row.at} />
      </Td>
      <Td>
        <span className={styles.actor} title={row.actor}>
          {row.actor}
        </span>
      </Td>
      <Td>
        <code>{row.action}</code>
      </Td>
      <Td>
        <Subject row={row} />
      </Td>
      <Td>
        <Chip tone={TONES[row.outcome]}>{WORDS[row.outcome]}</Chip>
      </Td>
      <Td className={styles.details} title={details}>
        {details}
      </Td>
    </tr>
  );
}

export function AuditTable({ rows, proof }: Props) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const spans = proof === undefined ? [] : unprovenSpans(proof);
  const toggle = (id: number) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  return (
    <Table aria-label="Audit trail">
      <thead>
        <tr>
          <Th>Row</Th>
          <Th>Time (UTC)</Th>
          <Th>Who</Th>
          <Th>Action</Th>
          <Th>Subject</Th>
          <Th>Outcome</Th>
          <Th>Details</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Fragment key={row.id}>
            <Row
              row={row}
              proof={proof}
              spans={spans}
              isOpen={open.has(row.id)}
              onToggle={() => toggle(row.id)}
            />
            {open.has(row.id) && (
              <tr className={styles.detailsRow}>
                <td colSpan={COLUMNS}>
                  <RowDetails row={row} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </Table>
  );
}
