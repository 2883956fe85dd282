import { Table2 } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { IconButton } from '@/components/ui/button';
import { ChartMenu } from './chart-menu';
import { DataTableView } from './data-table';
import { useStack, type ChartId } from './stack-context';
import type { DataTable } from './tables';
import styles from './chart-frame.module.css';

type Props = {
  id: ChartId;
  title: string;
  unit?: string;
  /** What the figure shows, for those who do not see it. */
  label: string;
  legend?: ReactNode;
  note?: string | null;
  table: () => DataTable;
  children: ReactNode;
};

/** Title, legend, the way to the numbers and out of the page; the same for every chart. */
export function ChartFrame({ id, title, unit, label, legend, note, table, children }: Props) {
  const { tables, onTables } = useStack();
  const figure = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const asTable = tables.includes(id);
  return (
    <figure ref={figure} className={styles.frame} aria-label={`${title}: ${label}`}>
      <figcaption className={styles.caption}>
        <span className={styles.title}>{title}</span>
        {unit && <span className={styles.unit}>{unit}</span>}
        <span className={styles.legend}>{legend}</span>
        {note && <span className={styles.note}>{note}</span>}
        <span className={styles.tools}>
          <ChartMenu
            id={id}
            title={title}
            figure={figure}
            body={body}
            asTable={asTable}
            table={table}
          />
          <IconButton
            size="small"
            className={styles.toggle}
            label={asTable ? `${title}: back to the chart` : `${title} as a table`}
            aria-pressed={asTable}
            onClick={() => onTables(asTable ? tables.filter((one) => one !== id) : [...tables, id])}
          >
            <Table2 size={13} />
          </IconButton>
        </span>
      </figcaption>
      <div ref={body}>{asTable ? <DataTableView title={title} table={table()} /> : children}</div>
    </figure>
  );
}
