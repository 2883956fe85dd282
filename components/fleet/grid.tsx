import type { HTMLAttributes, ReactNode } from 'react';

/*
 * Rows of a virtualised list are placed absolutely, which real table elements do not survive;
 * hence the roles, here and nowhere else.
 */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

type CellProps = { col?: string; className?: string | undefined; children: ReactNode };

export function Cell({ col, className, children }: CellProps) {
  return (
    <div role="gridcell" data-col={col} className={className}>
      {children}
    </div>
  );
}

export function ColumnHeader({ col, numeric, children }: CellProps & { numeric: boolean }) {
  return (
    <span role="columnheader" data-col={col} data-numeric={numeric || undefined}>
      {children}
    </span>
  );
}

type RowProps = HTMLAttributes<HTMLDivElement> & { index: number };

export function GridRow({ index, ...rest }: RowProps) {
  return <div role="row" aria-rowindex={index} {...rest} />;
}

export function RowGroup(props: HTMLAttributes<HTMLDivElement>) {
  return <div role="rowgroup" {...props} />;
}
