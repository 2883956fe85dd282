'use client';

import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { usePreferences } from '../shell/providers';
import { COLUMNS } from './cells';
import styles from './fleet-table.module.css';
import { ColumnHeader, GridRow, RowGroup } from './grid';
import { FleetRow, rowId } from './row';
import rowStyles from './row.module.css';
import { SparkDefs } from './sparkline';
import { useGridKeys } from './use-grid-keys';
import type { useHeldOrder } from './use-held-order';
import { useMedia } from './use-media';

const ROW_PX = { comfortable: 40, dense: 28 };
const CARD_PX = 104;

type Props = {
  ids: readonly string[];
  hand: ReturnType<typeof useHeldOrder>['handlers'];
  onOpen: (id: string) => void;
};

function Head() {
  return (
    <RowGroup className={styles.head}>
      <GridRow index={1} className={rowStyles.head}>
        {COLUMNS.map((column) => (
          <ColumnHeader key={column.key} col={column.key} numeric={'numeric' in column}>
            {column.label}
          </ColumnHeader>
        ))}
      </GridRow>
    </RowGroup>
  );
}

type RowsProps = {
  items: readonly VirtualItem[];
  height: number;
  ids: readonly string[];
  activeId: string | null;
  cards: boolean;
  onOpen: (id: string) => void;
};

function Rows({ items, height, ids, activeId, cards, onOpen }: RowsProps) {
  return (
    <RowGroup className={styles.body} style={{ height }}>
      {items.map((item) => {
        const id = ids[item.index];
        if (id === undefined) return null;
        return (
          <FleetRow
            key={id}
            id={id}
            index={item.index}
            top={item.start}
            height={item.size}
            active={id === activeId}
            cards={cards}
            onOpen={onOpen}
          />
        );
      })}
    </RowGroup>
  );
}

/** The virtualised list: its cost is that of what is visible, not of the fleet. */
export function FleetTable({ ids, hand, onOpen }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const { preferences } = usePreferences();
  const cards = useMedia('(max-width: 640px)');
  const height = cards ? CARD_PX : ROW_PX[preferences.density];
  // The virtualizer changes behind a stable object, so nothing here may be memoised on it.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => ids[index] ?? index,
    overscan: 6,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, height]);
  const grid = useGridKeys({
    ids,
    pageSize: () => Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / height) - 1),
    onMove: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    onOpen,
    onAnyKey: hand.onKey,
  });

  return (
    <div
      className={styles.frame}
      onPointerMove={hand.onPointerMove}
      onPointerLeave={hand.onPointerLeave}
    >
      <SparkDefs />
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        tabIndex={0}
        aria-label="Breakers"
        aria-rowcount={ids.length + 1}
        aria-activedescendant={grid.activeId === null ? undefined : rowId(grid.activeId)}
        onKeyDown={grid.onKeyDown}
        onPointerDown={hand.onPointerDown}
        onFocus={() => {
          hand.onFocus();
          grid.enter();
        }}
        onBlur={hand.onBlur}
      >
        {!cards && <Head />}
        <Rows
          items={virtualizer.getVirtualItems()}
          height={virtualizer.getTotalSize()}
          ids={ids}
          activeId={grid.activeId}
          cards={cards}
          onOpen={onOpen}
        />
      </div>
    </div>
  );
}
