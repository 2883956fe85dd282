import { ComposedChart, Line } from 'recharts';
import { linearTicks } from '@/lib/series/ticks';
import { formatRate, formatShare } from '@/components/ui/format';
import { Grid, TimeAxis, ValueAxis } from './axes';
import { ChartFrame } from './chart-frame';
import { FOOT, PLOT_TOP } from './geometry';
import { ReadingValue } from './legend';
import { AreaLayer, LineLayer } from './line-layer';
import { Plot } from './plot';
import { rampTable } from './tables';
import { useStack } from './stack-context';

const SHARE_TICKS = [0, 25, 50, 75, 100];
/** Recharts lays out an axis only when something is plotted on it. */
const PLACEHOLDERS = ['share', 'refused'].map((axis) => (
  <Line key={axis} yAxisId={axis} dataKey="nothing" isAnimationActive={false} dot={false} />
));
const percent = (value: number) => `${value}${value === 100 ? ' %' : ''}`;

function Legend() {
  return (
    <>
      <ReadingValue swatch="line" tone="1" label="Allowed" read={(at) => formatShare(at.allowed)} />
      <ReadingValue
        swatch="line"
        tone="2"
        label="Admitted"
        read={(at) => formatShare(at.admitted)}
      />
      <ReadingValue
        swatch="area"
        tone="fail"
        label="Refused"
        read={(at) =>
          at.refusedPerSecond === null ? '–' : `${formatRate(at.refusedPerSecond)} /s`
        }
      />
    </>
  );
}

/** What the breaker allows, what really got through, and what it turned away. */
export function RampChart({ height }: { height: number }) {
  const { model, geometry, zone } = useStack();
  const { ramp } = model;
  const refused = linearTicks(Math.max(model.peakRefused, 1), 4);
  const silent = ramp.length === 0;
  return (
    <ChartFrame
      id="ramp"
      title="Ramp"
      unit="share of calls, %"
      label="Allowed and admitted share of calls and refused calls per second over time"
      legend={<Legend />}
      table={() => rampTable(model, zone)}
    >
      <Plot height={height} empty={silent ? 'No calls reported in this range' : null}>
        <ComposedChart
          width={geometry.width}
          height={height}
          data={[{ at: model.domain.from, nothing: null }]}
          margin={{ top: PLOT_TOP, right: 0, bottom: FOOT, left: 0 }}
          accessibilityLayer={false}
        >
          <Grid axis="share" />
          <TimeAxis />
          <ValueAxis id="share" domain={[0, 100]} ticks={SHARE_TICKS} format={percent} />
          <ValueAxis
            id="refused"
            side="right"
            domain={[0, refused.at(-1) ?? 1]}
            ticks={refused}
            format={(value) => (value === refused.at(-1) ? `${value}/s` : String(value))}
          />
          {PLACEHOLDERS}
          <AreaLayer
            axis="refused"
            rows={ramp}
            look="refused"
            read={(row) => row.refusedPerSecond}
          />
          <LineLayer axis="share" rows={ramp} look="admitted" read={(row) => row.admittedPercent} />
          <LineLayer axis="share" rows={ramp} look="allowed" read={(row) => row.allowedPercent} />
        </ComposedChart>
      </Plot>
    </ChartFrame>
  );
}
