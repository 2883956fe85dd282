import type { DataTable } from './tables';
import styles from './data-table.module.css';

/** The numbers behind a chart, newest first. */
export function DataTableView({ title, table }: { title: string; table: DataTable }) {
  if (table.rows.length === 0) return <p className={styles.none}>Nothing in this range.</p>;
  return (
    // Scrolls by keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.scroll} tabIndex={0} aria-label={`${title}, data`}>
      <table className={styles.table}>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={`${row[0]}:${table.total - index}`}>
              {row.map((cell, column) => (
                <td key={table.columns[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {table.total > table.rows.length && (
        <p className={styles.none}>
          The newest {table.rows.length} of {table.total}; choose a shorter range to see the others.
        </p>
      )}
    </section>
  );
}
