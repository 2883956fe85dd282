import { useXAxisScale, useYAxisScale, ZIndexLayer, type ScaleFunction } from 'recharts';
import type { BackoffRule } from '@/lib/series/backoff';
import { jitterBand } from '@/lib/series/backoff';
import type { Ghost } from '@/lib/series/ghosts';
import { clampAt } from '@/lib/series/domain';
import type { Opening } from '@/lib/series/openings';
import type { TimeDomain } from '@/lib/series/types';
import { useStack } from './stack-context';
import styles from './layers.module.css';

type Scales = { x: (at: number) => number; y: (ms: number) => number };

/** Kept inside the plot: a wait may begin before it or end after it. */
function scales(domain: TimeDomain, toX?: ScaleFunction, toY?: ScaleFunction): Scales | null {
  if (!toX || !toY) return null;
  return { x: (at) => toX(clampAt(domain, at)) ?? 0, y: (ms) => toY(ms) ?? 0 };
}

type BarProps = {
  one: Opening;
  at: Scales;
  floor: number;
  rule: BackoffRule | null;
  labelled: boolean;
};

function Bar({ one, at, floor, rule, labelled }: BarProps) {
  const left = at.x(one.openedAt);
  const width = Math.max(1.5, at.x(one.retryAt) - left);
  const top = at.y(one.timeoutMs);
  const band = rule && jitterBand(rule, one.level);
  return (
    <g>
      {band && (
        <rect
          x={left}
          width={width}
          y={at.y(band[1])}
          height={Math.max(1, at.y(band[0]) - at.y(band[1]))}
          className={styles.band}
        />
      )}
      <rect x={left} y={top} width={width} height={floor - top} className={styles.bar} />
      <path d={`M${left} ${top}H${left + width}`} className={styles.barTop} />
      {labelled && (
        <text x={left + width / 2} y={floor - 4} textAnchor="middle" className={styles.label}>
          {`L${one.level}`}
        </text>
      )}
    </g>
  );
}

const LABEL_PX = 22;

/** Copies of a breaker open together; one label stands for those that would lie on each other. */
function labelledOnes(openings: readonly Opening[], at: Scales): ReadonlySet<number> {
  const ids = new Set<number>();
  let free = -Infinity;
  for (const one of openings) {
    const middle = (at.x(one.openedAt) + at.x(one.retryAt)) / 2;
    const wide = at.x(one.retryAt) - at.x(one.openedAt) > LABEL_PX - 6;
    if (!wide || middle < free) continue;
    ids.add(one.id);
    free = middle + LABEL_PX;
  }
  return ids;
}

type Props = {
  openings: readonly Opening[];
  ghosts: readonly Ghost[];
  rule: BackoffRule | null;
  floorMs: number;
};

/** One bar per opening, from openedAt to retryAt, and the waits that would follow. */
export function OpeningLayer({ openings, ghosts, rule, floorMs }: Props) {
  const { model } = useStack();
  const at = scales(model.domain, useXAxisScale(), useYAxisScale('backoff'));
  if (at === null) return null;
  const floor = at.y(floorMs);
  const labelled = labelledOnes(openings, at);
  return (
    <ZIndexLayer zIndex={300}>
      {ghosts.map((ghost) => {
        const left = at.x(ghost.from);
        const width = at.x(ghost.to) - left;
        return (
          <g key={ghost.from}>
            <rect
              x={left}
              width={width}
              y={at.y(ghost.highMs)}
              height={Math.max(1, at.y(ghost.lowMs) - at.y(ghost.highMs))}
              className={styles.band}
            />
            <path
              d={`M${left} ${floor}V${at.y(ghost.timeoutMs)}h${width}`}
              className={styles.curve}
            />
            {width > 16 && (
              <text x={left + 4} y={floor - 4} className={styles.muted}>
                {`L${ghost.level}`}
              </text>
            )}
          </g>
        );
      })}
      {openings.map((one) => (
        <Bar
          key={one.id}
          one={one}
          at={at}
          floor={floor}
          rule={rule}
          labelled={labelled.has(one.id)}
        />
      ))}
    </ZIndexLayer>
  );
}
