import { CartesianGrid, XAxis, YAxis } from 'recharts';
import { timeTicks } from '@/lib/series/ticks';
import { formatClock, formatInstant } from '@/components/ui/format';
import { offsetMinutes } from '@/components/ui/zone';
import { AXIS_HEIGHT, tickCount } from './geometry';
import { useStack } from './stack-context';

const DAY_MS = 86_400_000;
const TICK = { fontSize: 11 };

/** "14:02" on whole minutes, seconds where ticks are closer, the date where days change. */
function timeLabel(at: number, stepMs: number, zone: string): string {
  const clock = formatClock(at, zone);
  if (stepMs >= DAY_MS || clock.startsWith('00:00:00')) return formatInstant(at, zone).slice(5, 16);
  return stepMs % 60_000 === 0 ? clock.slice(0, 5) : clock.slice(0, 8);
}

/** The shared time axis; labelled under the lowest chart only. */
export function TimeAxis({ labelled = false }: { labelled?: boolean }) {
  const { model, geometry, zone } = useStack();
  const { domain } = model;
  const offsetMs = offsetMinutes(zone, domain.from) * 60_000;
  const ticks = timeTicks(domain, tickCount(geometry), offsetMs);
  const stepMs = (ticks[1] ?? 0) - (ticks[0] ?? 0);
  return (
    <XAxis
      dataKey="at"
      type="number"
      domain={[domain.from, domain.to]}
      allowDataOverflow
      ticks={ticks}
      interval={0}
      tickFormatter={(at: number) => (labelled ? timeLabel(at, stepMs, zone) : '')}
      height={labelled ? AXIS_HEIGHT : 0}
      tick={labelled ? TICK : false}
      tickLine={false}
      tickSize={4}
      axisLine={{ stroke: 'var(--line-strong)' }}
    />
  );
}

type ValueProps = {
  id: string;
  domain: readonly [number, number];
  ticks: readonly number[];
  format: (value: number) => string;
  side?: 'left' | 'right';
  scale?: 'linear' | 'log';
};

/** A value axis as wide as the gutter of its side, so that the plots stay in line. */
export function ValueAxis({ id, domain, ticks, format, side = 'left', scale }: ValueProps) {
  const { geometry } = useStack();
  return (
    <YAxis
      yAxisId={id}
      orientation={side}
      type="number"
      domain={[domain[0], domain[1]]}
      scale={scale ?? 'linear'}
      allowDataOverflow
      ticks={[...ticks]}
      interval={0}
      width={side === 'left' ? geometry.left : geometry.right}
      tickFormatter={format}
      tick={TICK}
      tickLine={false}
      axisLine={false}
    />
  );
}

/** Quiet lines at the ticks of one value axis. */
export function Grid({ axis }: { axis: string }) {
  return <CartesianGrid yAxisId={axis} vertical={false} syncWithTicks stroke="var(--chart-grid)" />;
}
