'use client';

import { ChevronDown, ChevronRight } from 'lucide-react';
import type { FleetSummary } from '@/lib/client/summary';
import { StateGlyph } from '../state';
import { formatCount, formatRate } from '../ui/format';
import { RowLink } from '../ui/row-link';
import { Cell, GridRow } from './grid';
import type { Group } from './groups';
import { targetPath } from './paths';
import styles from './group-row.module.css';

export const groupRowId = (key: string): string => `group-${encodeURIComponent(key)}`;

/** Glyph, number and word of each state that is there; a calm group says so and no more. */
export function GroupCounts({ summary }: { summary: FleetSummary }) {
  const { total, open, recovering, forced, stale } = summary;
  const calm = open + recovering + forced + stale === 0;
  return (
    <span className={styles.counts}>
      {open > 0 && (
        <span data-tone="open">
          <StateGlyph state="open" size={12} /> {formatCount(open)} open
        </span>
      )}
      {recovering > 0 && (
        <span data-tone="half">
          <StateGlyph state="half_open" size={12} /> {formatCount(recovering)} recovering
        </span>
      )}
      {forced > 0 && (
        <span data-tone="forced">
          <StateGlyph state="forced_closed" size={12} /> {formatCount(forced)} forced
        </span>
      )}
      {stale > 0 && (
        <span>
          <StateGlyph state="closed" freshness="stale" size={12} /> {formatCount(stale)} stale
        </span>
      )}
      <span>{calm ? `${formatCount(total)} quiet` : `of ${formatCount(total)}`}</span>
    </span>
  );
}

type Props = {
  group: Group;
  index: number;
  top: number;
  height: number;
  active: boolean;
  onFold: (key: string) => void;
};

export function GroupRow({ group, index, top, height, active, onFold }: Props) {
  const { key, by, title, environment, summary, folded } = group;
  const Chevron = folded ? ChevronRight : ChevronDown;
  return (
    <GridRow
      index={index}
      className={styles.row}
      data-active={active || undefined}
      style={{ height, transform: `translateY(${top}px)` }}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('a')) return;
        onFold(key);
      }}
    >
      {/* A row may only fold in a tree; a cell may anywhere. */}
      <Cell id={groupRowId(key)} className={styles.cell} aria-expanded={!folded}>
        <Chevron size={14} aria-hidden="true" className={styles.chevron} />
        <span className={styles.title} title={title}>
          {title}
        </span>
        {environment !== null && <span className={styles.environment}>{environment}</span>}
        <GroupCounts summary={summary} />
        {summary.refusedPerSecond > 0 && (
          <span className={styles.refused}>{formatRate(summary.refusedPerSecond)} refused/s</span>
        )}
        {by === 'target' && (
          <RowLink
            href={targetPath(title, environment)}
            className={styles.link}
            tabIndex={-1}
            aria-label={`Target ${title}`}
          >
            Target page
          </RowLink>
        )}
      </Cell>
    </GridRow>
  );
}
