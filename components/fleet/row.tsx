'use client';

import { useBreaker } from '@/lib/client/use-live';
import { memo } from 'react';
import { rollUpFreshness } from '../state';
import { BreakerCard } from './card';
import { RowCells } from './cells';
import { GridRow } from './grid';
import styles from './row.module.css';

export const rowId = (id: string): string => `breaker-${id}`;

type Props = {
  id: string;
  index: number;
  top: number;
  height: number;
  active: boolean;
  cards: boolean;
  onOpen: (id: string) => void;
};

/** Watches its own breaker: a change anywhere else does not draw it again. */
export const FleetRow = memo(function FleetRow(props: Props) {
  const { id, index, top, height, active, cards, onOpen } = props;
  const row = useBreaker(id);
  if (row === null) return null;
  return (
    <GridRow
      id={rowId(id)}
      index={index + 2}
      aria-selected={active}
      className={cards ? styles.cardRow : styles.row}
      data-state={row.state}
      data-fresh={rollUpFreshness(row.instances)}
      style={{ height, transform: `translateY(${top}px)` }}
      // The name is a real link; a click beside it does the same for the mouse.
      onClick={(event) => {
        if (!(event.target instanceof Element) || event.target.closest('a, button')) return;
        onOpen(id);
      }}
    >
      {cards ? <BreakerCard row={row} /> : <RowCells row={row} />}
    </GridRow>
  );
});
