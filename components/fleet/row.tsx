'use client';

import { useBreaker } from '@/lib/client/use-live';
import { memo, type MouseEvent } from 'react';
import { rollUpFreshness } from '../state';
import { BreakerCard } from './card';
import { RowCells } from './cells';
import { Cell, GridRow } from './grid';
import { SelectBox } from './select-box';
import styles from './row.module.css';

export const rowId = (id: string): string => `breaker-${id}`;

export type RowHands = {
  readonly onOpen: (id: string) => void;
  readonly onToggle: (id: string) => void;
  readonly onExtend: (id: string) => void;
};

/**
 * The name is a real link and the box a real box; a click beside them opens. With Ctrl or Shift it
 * selects, as in a list of files.
 */
export function clickRow(event: MouseEvent, id: string, hands: RowHands): void {
  if (!(event.target instanceof Element) || event.target.closest('a, button, input, label')) return;
  if (event.shiftKey) hands.onExtend(id);
  else if (event.ctrlKey || event.metaKey) hands.onToggle(id);
  else hands.onOpen(id);
}

type Props = {
  id: string;
  index: number;
  top: number;
  height: number;
  active: boolean;
  selected: boolean;
  cards: boolean;
  hands: RowHands;
};

/** Watches its own breaker: a change anywhere else does not draw it again. */
export const FleetRow = memo(function FleetRow(props: Props) {
  const { id, index, top, height, active, selected, cards, hands } = props;
  const row = useBreaker(id);
  if (row === null) return null;
  return (
    <GridRow
      id={rowId(id)}
      index={index}
      aria-selected={selected}
      data-active={active || undefined}
      className={cards ? styles.cardRow : styles.row}
      data-state={row.state}
      data-fresh={rollUpFreshness(row.instances)}
      style={{ height, transform: `translateY(${top}px)` }}
      onClick={(event) => clickRow(event, id, hands)}
    >
      {cards ? (
        <BreakerCard row={row} />
      ) : (
        <>
          <Cell col="select">
            <SelectBox id={id} name={row.name} selected={selected} hands={hands} />
          </Cell>
          <RowCells row={row} />
        </>
      )}
    </GridRow>
  );
});
