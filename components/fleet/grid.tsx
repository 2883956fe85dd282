import type { HTMLAttributes, ReactNode } from 'react';

/*
 * Rows of a virtualised list are placed absolutely, which real table elements do not survive;
 * hence the roles, here and nowhere else.
 */
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

type CellProps = HTMLAttributes<HTMLDivElement> & { col?: string };

export function Cell({ col, ...rest }: CellProps) {
  return <div role="gridcell" data-col={col} {...rest} />;
}

type HeaderProps = { col: string; numeric: boolean; children: ReactNode };

export function ColumnHeader({ col, numeric, children }: HeaderProps) {
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
