import type { AuditRow } from '@/lib/protocol/views';
import { Chip, type ChipTone } from '../ui/chip';
import { Table, Td, Th } from '../ui/table';
import { Time } from '../ui/time';
import styles from './audit.module.css';
import { detailsText } from './details-text';
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

export function AuditTable({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <Table aria-label="Audit trail">
      <thead>
        <tr>
          <Th>Time (UTC)</Th>
          <Th>Actor</Th>
          <Th>Action</Th>
          <Th>Subject</Th>
          <Th>Outcome</Th>
          <Th>Details</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const details = detailsText(row.details);
          return (
            <tr key={row.id}>
              <Td>
                <Time at={row.at} />
              </Td>
              <Td>{row.actor}</Td>
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
        })}
      </tbody>
    </Table>
  );
}
