'use client';

import { Table2 } from 'lucide-react';
import { useState } from 'react';
import { Area, CartesianGrid, ComposedChart, Line, XAxis, YAxis } from 'recharts';
import {
  admittedSeries,
  closedSteps,
  peakOf,
  rampingTotal,
  silences,
  type AdmittedPoint,
} from '@/lib/series/admitted';
import type { TimeDomain } from '@/lib/series/types';
import { linearTicks, timeTicks } from '@/lib/series/ticks';
import type { TargetSeriesBody } from '@/lib/protocol/api';
import frameStyles from '../charts/chart-frame.module.css';
import { DataTableView } from '../charts/data-table';
import { Gap } from '../charts/gap';
import { Swatch } from '../charts/legend';
import { useWidth } from '../charts/use-width';
import { IconButton } from '../ui/button';
import {
  formatClock,
  formatCount,
  formatInstant,
  formatRate,
  formatShare,
  NONE,
} from '../ui/format';
import { useZone } from '../ui/zone-context';
import styles from './target.module.css';

const HEIGHT = 190;
const LEFT = 52;
/** On the right there is room for half of the last time. */
const MARGIN = { top: 6, right: 28, bottom: 0, left: 0 } as const;
const AXIS_HEIGHT = 22;
/** Where Recharts draws: what lies behind it lies there too. */
const PLOT = {
  top: MARGIN.top,
  right: MARGIN.right,
  bottom: MARGIN.bottom + AXIS_HEIGHT,
  left: MARGIN.left + LEFT,
} as const;
const MAX_ROWS = 300;
const STILL = { isAnimationActive: false, dot: false, activeDot: false } as const;
const TITLE = 'What reaches the target';
const LABEL =
  'Calls a second that ramps and other breakers let through, and refused calls, over time';
const RAMPING = {
  dataKey: 'ramping',
  stackId: 'admitted',
  type: 'stepAfter',
  stroke: 'var(--chart-1)',
  strokeWidth: 1.5,
  fill: 'var(--chart-1)',
  fillOpacity: 0.34,
} as const;
const STEADY = {
  dataKey: 'steady',
  stackId: 'admitted',
  type: 'stepAfter',
  stroke: 'var(--chart-2)',
  strokeWidth: 1.25,
  fill: 'var(--chart-2)',
  fillOpacity: 0.14,
} as const;
const REFUSED = {
  dataKey: 'refused',
  type: 'stepAfter',
  stroke: 'var(--chart-fail)',
  strokeWidth: 1.5,
  strokeDasharray: '5 3',
} as const;
const TICK = { fontSize: 11, fill: 'var(--chart-axis)' };

const rate = (value: number | null) => (value === null ? NONE : `${formatRate(value)} /s`);

/** The sum of what all ramps let through in the range. */
function totalText({ points }: TargetSeriesBody): string {
  const { calls, share } = rampingTotal(points);
  if (share === null || calls === 0) return 'no calls through ramps';
  return `${formatCount(calls)} calls through ramps, ${formatShare(share)} of all`;
}

function tableOf(series: readonly AdmittedPoint[], zone: string) {
  const rows = series
    .slice(-MAX_ROWS)
    .toReversed()
    .map(({ at, ramping, steady, refused, probing }) => [
      formatInstant(at, zone),
      rate(ramping),
      rate(steady),
      rate(refused),
      probing === null ? NONE : String(probing),
    ]);
  const columns = ['Time', 'Through ramps', 'Through others', 'Refused', 'Instances probing'];
  return { columns, rows, total: series.length };
}

function Legend({ last }: { last: AdmittedPoint | undefined }) {
  return (
    <>
      <Swatch kind="area" tone="1" label="Through ramps" value={rate(last?.ramping ?? null)} />
      <Swatch kind="area" tone="2" label="Through others" value={rate(last?.steady ?? null)} />
      <Swatch kind="dash" tone="fail" label="Refused" value={rate(last?.refused ?? null)} />
    </>
  );
}

type StackedProps = {
  series: readonly AdmittedPoint[];
  resolutionMs: number;
  domain: TimeDomain;
  width: number;
  zone: string;
};

/** [U-07] Behind the lines: where nothing was reported is a gap, and not a zero. */
function Silences({ series, resolutionMs, domain }: Omit<StackedProps, 'width' | 'zone'>) {
  return (
    <div className={styles.behind} style={PLOT}>
      {silences(series, resolutionMs).map((span) => (
        <Gap key={span.from} domain={domain} span={span} reason="no calls reported" />
      ))}
    </div>
  );
}

function Lines({ series, resolutionMs, domain, width, zone }: StackedProps) {
  const ticks = linearTicks(Math.max(peakOf(series), 1), 4);
  return (
    <ComposedChart
      width={width}
      height={HEIGHT}
      data={closedSteps(series, resolutionMs)}
      margin={MARGIN}
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} syncWithTicks stroke="var(--chart-grid)" />
      <XAxis
        dataKey="at"
        type="number"
        domain={[domain.from, domain.to]}
        allowDataOverflow
        ticks={timeTicks(domain, Math.max(2, Math.floor(width / 110)))}
        interval={0}
        tickFormatter={(at: number) => formatClock(at, zone).slice(0, 8)}
        tick={TICK}
        tickLine={false}
        axisLine={{ stroke: 'var(--line-strong)' }}
        height={AXIS_HEIGHT}
      />
      <YAxis
        type="number"
        domain={[0, ticks.at(-1) ?? 1]}
        ticks={ticks}
        interval={0}
        width={LEFT}
        tick={TICK}
        tickLine={false}
        axisLine={false}
      />
      <Area {...STILL} {...RAMPING} />
      <Area {...STILL} {...STEADY} />
      <Line {...STILL} {...REFUSED} />
    </ComposedChart>
  );
}

const Stacked = (props: StackedProps) => (
  <>
    <Silences {...props} />
    <Lines {...props} />
  </>
);

/** What reaches the target: through ramps and past them, stacked, and beside it what is refused. */
export function AdmittedChart({ body }: { body: TargetSeriesBody }) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [asTable, setAsTable] = useState(false);
  const zone = useZone();
  const domain = { from: body.from, to: body.to };
  const series = admittedSeries(body.points, { domain, resolutionMs: body.resolutionMs });
  const last = series.findLast(({ steady }) => steady !== null);
  return (
    <figure className={frameStyles.frame} aria-label={`${TITLE}: ${LABEL}`}>
      <figcaption className={frameStyles.caption}>
        <span className={frameStyles.title}>{TITLE}</span>
        <span className={frameStyles.unit}>calls a second</span>
        <span
          className={frameStyles.note}
          title="Over the range: what ramps let through, of all that reached the target"
        >
          {totalText(body)}
        </span>
        <span className={frameStyles.legend}>
          <Legend last={last} />
        </span>
        {body.breakersLeftOut > 0 && (
          <span className={frameStyles.note}>
            {body.breakersLeftOut} breakers are left out: choose a shorter range
          </span>
        )}
        <IconButton
          size="small"
          className={frameStyles.toggle}
          label={asTable ? `${TITLE}: back to the chart` : `${TITLE} as a table`}
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          <Table2 size={13} />
        </IconButton>
      </figcaption>
      {asTable && <DataTableView title={TITLE} table={tableOf(series, zone)} />}
      <div ref={frame} className={styles.plot} style={{ height: asTable ? 0 : HEIGHT }}>
        {!asTable && (
          <Stacked
            series={series}
            resolutionMs={body.resolutionMs}
            domain={domain}
            width={width}
            zone={zone}
          />
        )}
      </div>
    </figure>
  );
}
