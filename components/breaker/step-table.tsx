import { Check, ChevronRight, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Table, Td, Th } from '@/components/ui/table';
import { formatDuration, formatShare, NONE } from '@/components/ui/format';
import type { StepRow } from '@/lib/series/steps';
import styles from './step-table.module.css';

const STATUS: Record<StepRow['status'], { word: string; icon: ReactNode }> = {
  done: { word: 'Passed', icon: <Check size={13} aria-hidden="true" /> },
  now: { word: 'Running', icon: <ChevronRight size={13} aria-hidden="true" /> },
  failed: { word: 'Fell back', icon: <X size={13} aria-hidden="true" /> },
  ahead: { word: 'Ahead', icon: null },
};

function Progress({ row }: { row: StepRow }) {
  if (row.successes === null) return <>{`${NONE} of ${row.minimum}`}</>;
  const share = row.minimum === 0 ? 1 : Math.min(1, row.successes / row.minimum);
  return (
    <span className={styles.progress}>
      {`${row.successes} of ${row.minimum}`}
      <span className={styles.track} aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}

/** The ramp as numbers: how far each step got, how long it took, and what it needs. */
export function StepTable({ rows }: { rows: readonly StepRow[] }) {
  return (
    <Table className={styles.table} aria-label="Ramp steps">
      <thead>
        <tr>
          <Th>Step</Th>
          <Th numeric>Share</Th>
          <Th>Status</Th>
          <Th>Successes, minimum</Th>
          <Th numeric>Failures</Th>
          <Th numeric>Time</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.step} data-status={row.status}>
            <Td>{row.step + 1}</Td>
            <Td numeric>{formatShare(row.share)}</Td>
            <Td>
              <span className={styles.status}>
                {STATUS[row.status].icon}
                {STATUS[row.status].word}
              </span>
            </Td>
            <Td>
              <Progress row={row} />
            </Td>
            <Td numeric>{row.failures ?? NONE}</Td>
            <Td numeric>{row.tookMs === null ? NONE : formatDuration(row.tookMs)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
