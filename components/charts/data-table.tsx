import { Table, Td, Th } from '@/components/ui/table';
import type { DataTable } from './tables';
import styles from './data-table.module.css';

type Shown = Pick<DataTable, 'columns' | 'rows' | 'total'>;

/** The numbers behind a chart, newest first. */
export function DataTableView({ title, table }: { title: string; table: Shown }) {
  if (table.rows.length === 0) return <p className={styles.none}>Nothing in this range.</p>;
  return (
    <div className={styles.scroll}>
      <Table aria-label={`${title}, data`}>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <Th key={column}>{column}</Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={`${row[0]}:${table.total - index}`}>
              {row.map((cell, column) => (
                <Td key={table.columns[column]}>{cell}</Td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      {table.total > table.rows.length && (
        <p className={styles.none}>
          The newest {table.rows.length} of {table.total}; the file with all numbers has the rest.
        </p>
      )}
    </div>
  );
}
