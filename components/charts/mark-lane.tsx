import { Clock, Lock, PauseCircle, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDuration, formatLatency, formatOffset } from '@/components/ui/format';
import { zoneChanges } from '@/components/ui/zone';
import { spanOf, toRatio } from '@/lib/series/domain';
import { together, type HoldMark, type RelapseMark } from '@/lib/series/marks';
import type { TimeDomain } from '@/lib/series/types';
import { plotWidth } from './geometry';
import type { ChartModel } from './model';
import { placed, leftOf } from './percent';
import { useStack } from './stack-context';
import styles from './mark-lane.module.css';

const KIND: Record<string, string> = {
  force_open: 'Force open',
  force_closed: 'Force closed',
  reset: 'Reset',
};

const HOLD_CAUSES: Record<string, string> = {
  latency: 'latency too high',
  self: 'the instance was busy itself',
  pending: 'too many probes without an answer',
};

function holdTitle(hold: HoldMark): string {
  const took = formatDuration(hold.to - hold.from);
  const why =
    hold.valueMs === null
      ? (HOLD_CAUSES[hold.cause] ?? hold.cause)
      : `${formatLatency(hold.valueMs)} against a baseline of ${formatLatency(hold.baselineMs)}`;
  return `Ramp held for ${took} on ${hold.instance}: ${why}`;
}

type ItemProps = {
  kind: string;
  title: string;
  place: { left: string; width: string };
  children: ReactNode;
};

function Item({ kind, title, place, children }: ItemProps) {
  return (
    <div className={styles.item} data-kind={kind} title={title} style={place}>
      {children}
    </div>
  );
}

const ICON_PX = 14;
const LABEL_PX = 78;

/** Marks with a word only where none of its neighbours would lie under it. */
function relapseLabels(relapses: readonly RelapseMark[], domain: TimeDomain, widthPx: number) {
  const perPx = spanOf(domain) / Math.max(1, widthPx);
  const marks = together(relapses, perPx * ICON_PX);
  const gapBefore = (index: number) =>
    ((marks[index]?.at ?? Infinity) - (marks[index - 1]?.at ?? -Infinity)) / perPx;
  return marks.map((mark, index) => {
    const backwards = toRatio(domain, mark.at) > 0.9;
    const room = backwards ? gapBefore(index) - LABEL_PX : gapBefore(index + 1);
    return { mark, worded: room > LABEL_PX };
  });
}

/** A word that would be cut at the right end stands before its instant. */
const atEnd = (domain: TimeDomain, at: number) => toRatio(domain, at) > 0.9 || undefined;

function overrideItems({ domain, overrides }: ChartModel) {
  return overrides.flatMap((mark) => {
    const place = placed(domain, mark);
    if (place === null) return [];
    const word = KIND[mark.kind] ?? mark.kind;
    return (
      <Item
        key={mark.id}
        kind={mark.kind}
        place={place}
        title={`${word} by ${mark.actor}: ${mark.reason}`}
      >
        <Lock size={10} aria-hidden="true" />
        {place.share > 0.1 && `${word}, ${mark.actor}`}
      </Item>
    );
  });
}

function holdItems({ domain, holds }: ChartModel) {
  return holds.flatMap((hold) => {
    const place = placed(domain, hold);
    if (place === null) return [];
    const key = `${hold.instanceId}:${hold.from}`;
    return (
      <Item key={key} kind="hold" place={place} title={holdTitle(hold)}>
        {place.share > 0.02 && <PauseCircle size={10} aria-hidden="true" />}
        {place.share > 0.06 && 'Hold'}
      </Item>
    );
  });
}

function relapseItems({ domain, relapses }: ChartModel, widthPx: number) {
  return relapseLabels(relapses, domain, widthPx).map(({ mark, worded }) => (
    <div
      key={`relapse:${mark.at}`}
      className={styles.point}
      data-end={atEnd(domain, mark.at)}
      style={{ left: leftOf(domain, mark.at) }}
      title={`Relapse on ${mark.instances.join(', ')}: tripped soon after a recovery, level ${mark.level}`}
    >
      <RotateCcw size={10} aria-hidden="true" />
      {worded && (mark.instances.length > 1 ? `Relapse ×${mark.instances.length}` : 'Relapse')}
    </div>
  ));
}

/** [U-08] Where the clocks of the zone step, the axis jumps; that is no event of the breaker. */
function zoneItems({ domain }: ChartModel, zone: string) {
  return zoneChanges(zone, domain.from, domain.to).map(({ at, before, after }) => (
    <div
      key={`zone:${at}`}
      className={styles.point}
      data-kind="zone"
      data-end={atEnd(domain, at)}
      style={{ left: leftOf(domain, at) }}
      title={`The clocks of ${zone} step here`}
    >
      <Clock size={10} aria-hidden="true" />
      {`${formatOffset(before)} to ${formatOffset(after)}`}
    </div>
  ));
}

/** Overrides, holds and relapses above the charts; the lane is not there when nothing is. */
export function MarkLane() {
  const { model, geometry, zone } = useStack();
  const items = [
    ...overrideItems(model),
    ...holdItems(model),
    ...relapseItems(model, plotWidth(geometry)),
    ...zoneItems(model, zone),
  ];
  if (items.length === 0) return null;
  return (
    <div
      className={styles.row}
      style={{ paddingLeft: geometry.left, paddingRight: geometry.right }}
    >
      <div className={styles.lane}>{items}</div>
    </div>
  );
}
