import { ComposedChart, Line, ReferenceLine } from 'recharts';
import { linearTicks, logTicks } from '@/lib/series/ticks';
import { formatCount, formatLatency } from '@/components/ui/format';
import { Grid, TimeAxis, ValueAxis } from './axes';
import { ChartFrame } from './chart-frame';
import { FOOT, PLOT_TOP } from './geometry';
import { ReadingValue, Swatch } from './legend';
import { LineLayer } from './line-layer';
import { Plot } from './plot';
import { ProbeLayer } from './probe-layer';
import { latencyTable } from './tables';
import { useStack } from './stack-context';

function quantileText(valueMs: number | null, samples: number): string {
  if (samples === 0) return '–';
  return valueMs === null ? `undecided (${samples})` : `${formatLatency(valueMs)} of ${samples}`;
}

function Legend() {
  const { model } = useStack();
  const { baseline, holdMs } = model;
  return (
    <>
      <Swatch kind="circle" tone="2" label="Answered" />
      <Swatch kind="cross" tone="fail" label="Failed" />
      <Swatch kind="triangle" tone="4" label="Timeout" />
      <ReadingValue
        swatch="line"
        tone="3"
        label="P95 all calls"
        read={(at) => quantileText(at.p95Ms, at.samples)}
      />
      {baseline.p95Ms !== null && (
        <Swatch kind="dash" tone="axis" label={`Baseline ${formatLatency(baseline.p95Ms)}`} />
      )}
      {holdMs !== null && <Swatch kind="dash" tone="4" label={`Hold ${formatLatency(holdMs)}`} />}
    </>
  );
}

/** "2 s", not "2.00 s": a tick is round. */
const latencyTick = (ms: number) => (ms < 1_000 ? formatLatency(ms) : `${ms / 1_000} s`);

function axisTicks(kind: 'log' | 'linear', bounds: readonly [number, number]): number[] {
  return kind === 'log' ? logTicks(bounds, 4) : linearTicks(bounds[1], 4);
}

type ThresholdProps = { baselineMs: number | null; holdMs: number | null };

function Thresholds({ baselineMs, holdMs }: ThresholdProps) {
  return (
    <>
      {baselineMs !== null && (
        <ReferenceLine
          yAxisId="latency"
          y={baselineMs}
          stroke="var(--chart-axis)"
          strokeDasharray="2 3"
        />
      )}
      {holdMs !== null && (
        <ReferenceLine yAxisId="latency" y={holdMs} stroke="var(--chart-4)" strokeDasharray="5 3" />
      )}
    </>
  );
}

/** Every probe by its outcome, with the quantile in use against baseline and hold line. */
export function ProbeLatencyChart({ height }: { height: number }) {
  const { model, geometry, zone } = useStack();
  const { axis, baseline, holdMs, marks, quantiles, probesLeftOut } = model;
  const nothing = marks.length === 0 && quantiles.length === 0;
  return (
    <ChartFrame
      id="latency"
      title="Probe latency"
      unit={axis.kind === 'log' ? 'log scale' : 'linear scale'}
      label="Latency of every probe by outcome, with the P95 of all calls, baseline and hold line"
      legend={<Legend />}
      table={() => latencyTable(model, zone)}
      note={
        probesLeftOut > 0
          ? `${formatCount(probesLeftOut)} answered probes not drawn; every failure is`
          : null
      }
    >
      <Plot height={height} empty={nothing ? 'No probes and no latency in this range' : null}>
        <ComposedChart
          width={geometry.width}
          height={height}
          data={[{ at: model.domain.from, nothing: null }]}
          margin={{ top: PLOT_TOP, right: geometry.right, bottom: FOOT, left: 0 }}
          accessibilityLayer={false}
        >
          <Grid axis="latency" />
          <TimeAxis />
          <ValueAxis
            id="latency"
            domain={axis.bounds}
            scale={axis.kind}
            ticks={axisTicks(axis.kind, axis.bounds)}
            format={latencyTick}
          />
          <Thresholds baselineMs={baseline.p95Ms} holdMs={holdMs} />
          {/* Recharts lays out an axis only when something is plotted on it. */}
          <Line yAxisId="latency" dataKey="nothing" isAnimationActive={false} dot={false} />
          <LineLayer axis="latency" rows={quantiles} look="quantile" read={(row) => row.p95Ms} />
          <ProbeLayer marks={marks} axis="latency" />
        </ComposedChart>
      </Plot>
    </ChartFrame>
  );
}
