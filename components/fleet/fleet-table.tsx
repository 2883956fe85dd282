'use client';

import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { COLUMNS } from './cells';
import { RowOverride } from './row-override';
import styles from './fleet-table.module.css';
import { ColumnHeader, GridRow, RowGroup } from './grid';
import { groupRowId, GroupRow } from './group-row';
import { groupOf, isGroupKey, type Line } from './groups';
import { listKeys, type Selecting } from './list-keys';
import { FleetRow, rowId, type RowHands } from './row';
import rowStyles from './row.module.css';
import { SparkDefs } from './sparkline';
import { Tile } from './tile';
import tileStyles from './tile.module.css';
import { useCursor } from './use-cursor';
import type { useHeldOrder } from './use-held-order';
import type { Shape } from './use-shape';

const HEAD_PX = 32;

type Props = {
  lines: readonly Line[];
  /** Breakers, folded or not. */
  total: number;
  shape: Shape;
  frame: HTMLDivElement | null;
  onFrame: (element: HTMLDivElement | null) => void;
  hand: ReturnType<typeof useHeldOrder>['handlers'];
  selected: ReadonlySet<string>;
  selecting: Selecting;
  startAt: string | null;
  onCursor: (key: string) => void;
  onOpen: (id: string) => void;
  onFold: (key: string) => void;
};

function Head() {
  return (
    <RowGroup className={styles.head}>
      <GridRow index={1} className={rowStyles.head}>
        <ColumnHeader col="select" numeric={false}>
          <span className="visually-hidden">Selected</span>
        </ColumnHeader>
        {COLUMNS.map((column) => (
          <ColumnHeader key={column.key} col={column.key} numeric={'numeric' in column}>
            <span className={rowStyles.clip} title={column.label}>
              {column.label}
            </span>
          </ColumnHeader>
        ))}
      </GridRow>
    </RowGroup>
  );
}

type RowsProps = {
  items: readonly VirtualItem[];
  /** Of the head, which the items stand below. */
  offset: number;
  props: Props;
  active: string | null;
  hands: RowHands;
};

function Rows({ items, offset, props, active, hands }: RowsProps) {
  const { lines, shape, selected, onFold } = props;
  return items.map((item) => {
    const line = lines[item.index];
    if (line === undefined) return null;
    const place = { index: item.index + 2, top: item.start - offset, height: item.size };
    if (line.kind === 'group') {
      const isActive = line.key === active;
      return (
        <GroupRow key={line.key} group={line.group} active={isActive} onFold={onFold} {...place} />
      );
    }
    if (shape.layout === 'tiles') {
      return (
        <GridRow
          key={line.key}
          index={place.index}
          className={tileStyles.line}
          style={{
            height: place.height,
            transform: `translateY(${place.top}px)`,
            gridTemplateColumns: `repeat(${shape.columns}, minmax(0, 1fr))`,
          }}
        >
          {line.ids.map((id) => (
            <Tile
              key={id}
              id={id}
              active={id === active}
              selected={selected.has(id)}
              hands={hands}
            />
          ))}
        </GridRow>
      );
    }
    return line.ids.map((id) => (
      <FleetRow
        key={id}
        id={id}
        {...place}
        active={id === active}
        selected={selected.has(id)}
        cards={shape.layout === 'cards'}
        hands={hands}
      />
    ));
  });
}

/** The bar over the list and its distance from the edge, with two lines of buttons. */
const BULK_BAR_PX = 96;

const elementId = (key: string): string =>
  isGroupKey(key) ? groupRowId(groupOf(key)) : rowId(key);

function useLines({ lines, shape, frame, hand, selected, startAt, onCursor }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const offset = shape.layout === 'table' ? HEAD_PX : 0;
  const { rowPx, groupPx } = shape;
  const activeLine = useRef<number | null>(null);
  // The virtualizer changes behind a stable object, so nothing here may be memoised on it.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'group' ? groupPx : rowPx),
    getItemKey: (index) => lines[index]?.key ?? index,
    scrollMargin: offset,
    scrollPaddingStart: offset,
    // The last lines can be got out from under the bar that lies over them.
    paddingEnd: selected.size > 0 ? BULK_BAR_PX : 0,
    scrollPaddingEnd: selected.size > 0 ? BULK_BAR_PX : 0,
    overscan: 6,
    // The line under the cursor stays in the page wherever it is scrolled to: it has the focus.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      const line = activeLine.current;
      if (line === null || line >= range.count || shown.includes(line)) return shown;
      return [...shown, line].sort((a, b) => a - b);
    },
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowPx, groupPx, lines]);
  const cursor = useCursor({
    lines,
    initial: startAt,
    page: () => Math.max(1, Math.floor((frame?.clientHeight ?? 400) / rowPx) - 1),
    onReach: (key, line) => {
      virtualizer.scrollToIndex(line, { align: 'auto' });
      onCursor(key);
    },
    onAnyKey: hand.onKey,
  });
  useEffect(() => {
    activeLine.current = cursor.line;
  }, [cursor.line]);
  const start = useRef(cursor.line);
  useEffect(() => {
    // A link to a breaker far down shows it.
    if (start.current !== null) virtualizer.scrollToIndex(start.current, { align: 'center' });
  }, [virtualizer]);
  return { scroller, offset, virtualizer, cursor };
}

/** The virtualised list: its cost is that of what is visible, not of the fleet. */
export function FleetTable(props: Props) {
  const { lines, total, shape, onFrame, hand, selecting, onOpen, onFold } = props;
  const { scroller, offset, virtualizer, cursor } = useLines(props);
  const { toggle, extend } = selecting;
  const hands = useRowHands(onOpen, toggle, extend, cursor.reach);
  return (
    <div
      ref={onFrame}
      className={styles.frame}
      data-layout={shape.layout}
      onPointerMove={hand.onPointerMove}
      onPointerLeave={hand.onPointerLeave}
    >
      <SparkDefs />
      {cursor.key !== null && !isGroupKey(cursor.key) && <RowOverride id={cursor.key} />}
      <div
        ref={scroller}
        className={styles.scroller}
        role="grid"
        tabIndex={0}
        aria-label={`Breakers, ${total}`}
        aria-multiselectable="true"
        aria-rowcount={lines.length + 1}
        aria-activedescendant={cursor.key === null ? undefined : elementId(cursor.key)}
        data-selecting={selecting.some || undefined}
        onKeyDown={(event) => {
          listKeys({ lines, cursor, onOpen, onFold, selecting })(event);
        }}
        onPointerDown={hand.onPointerDown}
        onFocus={(event) => {
          hand.onFocus();
          if (event.target === event.currentTarget) cursor.enter();
        }}
        onBlur={hand.onBlur}
      >
        {shape.layout === 'table' && <Head />}
        <RowGroup className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          <Rows
            items={virtualizer.getVirtualItems()}
            offset={offset}
            props={props}
            active={cursor.key}
            hands={hands}
          />
        </RowGroup>
      </div>
    </div>
  );
}

/** Stable, so that rows are drawn again for their own sake only. */
function useRowHands(
  onOpen: RowHands['onOpen'],
  onToggle: RowHands['onToggle'],
  onExtend: RowHands['onExtend'],
  reach: (id: string) => void,
): RowHands {
  const latest = useRef({ onOpen, onToggle, onExtend, reach });
  useEffect(() => {
    latest.current = { onOpen, onToggle, onExtend, reach };
  });
  return useMemo(
    () => ({
      onOpen: (id) => latest.current.onOpen(id),
      onToggle: (id) => {
        latest.current.reach(id);
        latest.current.onToggle(id);
      },
      onExtend: (id) => {
        latest.current.onExtend(id);
        latest.current.reach(id);
      },
    }),
    [],
  );
}
