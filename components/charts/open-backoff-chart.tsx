import { ComposedChart, Line, ReferenceLine } from 'recharts';
import { backoffCurve, type BackoffRule } from '@/lib/series/backoff';
import { ghosts } from '@/lib/series/ghosts';
import { currentOpening } from '@/lib/series/openings';
import { logBounds, logTicks } from '@/lib/series/ticks';
import { formatDuration } from '@/components/ui/format';
import { Grid, TimeAxis, ValueAxis } from './axes';
import { ChartFrame } from './chart-frame';
import { PLOT_TOP } from './geometry';
import { ReadingValue, Swatch } from './legend';
import type { ChartModel } from './model';
import { OpeningLayer } from './opening-layer';
import { Plot } from './plot';
import { backoffTable } from './tables';
import { useStack } from './stack-context';

const capOf = (rule: BackoffRule | null) =>
  rule !== null && Number.isFinite(rule.maxMs) ? rule.maxMs : null;

/** Base to cap of the configuration, and every wait that was really drawn. */
function bounds({ openings, rule }: ChartModel): [number, number] {
  const drawn = openings.map((one) => one.timeoutMs);
  const curve = rule === null ? [] : backoffCurve(rule).flatMap((one) => [one.lowMs, one.highMs]);
  const all = [...drawn, ...curve];
  if (all.length === 0) return [1_000, 60_000];
  // Room under the lowest bar, or it would be a line.
  return logBounds(Math.min(...all) / 2.5, Math.max(...all) * 1.05);
}

function Legend({ rule }: { rule: BackoffRule | null }) {
  const cap = capOf(rule);
  return (
    <>
      <ReadingValue
        swatch="area"
        tone="open"
        label="Wait"
        read={({ opening }) =>
          opening === null ? '–' : `${formatDuration(opening.timeoutMs)}, level ${opening.level}`
        }
      />
      {rule !== null && <Swatch kind="dash" tone="3" label="If every probe fails" />}
      {rule !== null && rule.jitter > 0 && (
        <Swatch kind="area" tone="3" label={`Jitter ±${Math.round(rule.jitter * 100)} %`} />
      )}
      {cap !== null && <Swatch kind="dash" tone="axis" label={`Cap ${formatDuration(cap)}`} />}
    </>
  );
}

/** How long each opening waits before it probes, and how the wait would grow. */
export function OpenBackoffChart({ height }: { height: number }) {
  const { model, geometry, zone } = useStack();
  const { openings, rule, domain, now } = model;
  const axis = bounds(model);
  const cap = capOf(rule);
  const ahead = ghosts(rule, currentOpening(openings, now), domain);
  return (
    <ChartFrame
      id="backoff"
      title="Open backoff"
      unit="log scale"
      label="Open timeout of each opening with its level, and the theoretical backoff up to the cap"
      legend={<Legend rule={rule} />}
      table={() => backoffTable(model, zone)}
    >
      <Plot
        height={height}
        withAxis
        empty={openings.length === 0 ? 'It did not open in this range' : null}
      >
        <ComposedChart
          width={geometry.width}
          height={height}
          data={[{ at: domain.from, nothing: null }]}
          margin={{ top: PLOT_TOP, right: geometry.right, bottom: 0, left: 0 }}
          accessibilityLayer={false}
        >
          <Grid axis="backoff" />
          <TimeAxis labelled />
          <ValueAxis
            id="backoff"
            scale="log"
            domain={axis}
            ticks={logTicks(axis, 4)}
            format={formatDuration}
          />
          {/* Recharts lays out an axis only when something is plotted on it. */}
          <Line yAxisId="backoff" dataKey="nothing" isAnimationActive={false} dot={false} />
          {cap !== null && (
            <ReferenceLine
              yAxisId="backoff"
              y={cap}
              stroke="var(--chart-axis)"
              strokeDasharray="2 3"
            />
          )}
          <OpeningLayer openings={openings} ghosts={ahead} rule={rule} floorMs={axis[0]} />
        </ComposedChart>
      </Plot>
    </ChartFrame>
  );
}
