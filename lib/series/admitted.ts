import type { TimeDomain } from './types';

export type TargetPointLike = {
  readonly at: number;
  readonly ramping: number;
  readonly steady: number;
  readonly refused: number;
  readonly probing: number;
};

/** Calls a second; null where nothing was reported, which is a gap and not zero. */
export type AdmittedPoint = {
  readonly at: number;
  readonly ramping: number | null;
  readonly steady: number | null;
  readonly refused: number | null;
  readonly probing: number | null;
};

type Range = { readonly domain: TimeDomain; readonly resolutionMs: number };

/** Every bucket of the range as rates. The newest one is left out while it may still grow. */
export function admittedSeries(
  points: readonly TargetPointLike[],
  { domain, resolutionMs }: Range,
): AdmittedPoint[] {
  const known = new Map(points.map((point) => [point.at, point]));
  const perSecond = 1_000 / resolutionMs;
  const series: AdmittedPoint[] = [];
  const first = Math.floor(domain.from / resolutionMs) * resolutionMs;
  for (let at = first; at + resolutionMs <= domain.to; at += resolutionMs) {
    const point = known.get(at);
    series.push(
      point === undefined
        ? { at, ramping: null, steady: null, refused: null, probing: null }
        : {
            at,
            ramping: point.ramping * perSecond,
            steady: point.steady * perSecond,
            refused: point.refused * perSecond,
            probing: point.probing,
          },
    );
  }
  return series;
}

/** Shorter ones are the rhythm of few calls: an idle breaker reports nothing. */
const LEAST_BUCKETS = 3;

/** Stretches of the series in which nobody reported a call. */
export function silences(
  series: readonly AdmittedPoint[],
  resolutionMs: number,
): readonly TimeDomain[] {
  const found: { from: number; to: number }[] = [];
  for (const { at, steady } of series) {
    if (steady !== null) continue;
    const last = found.at(-1);
    if (last?.to === at) last.to = at + resolutionMs;
    else found.push({ from: at, to: at + resolutionMs });
  }
  return found.filter(({ from, to }) => to - from >= LEAST_BUCKETS * resolutionMs);
}

/** With an end to each last bucket before a gap: a line of steps gives it no width otherwise. */
export function closedSteps(
  series: readonly AdmittedPoint[],
  resolutionMs: number,
): AdmittedPoint[] {
  return series.flatMap((point, index) => {
    const isLast = point.steady !== null && (series[index + 1]?.steady ?? null) === null;
    return isLast ? [point, { ...point, at: point.at + resolutionMs }] : [point];
  });
}

/** The highest sum on the chart, which scales its axis. */
export const peakOf = (series: readonly AdmittedPoint[]): number =>
  series.reduce(
    (peak, { ramping, steady, refused }) =>
      Math.max(peak, (ramping ?? 0) + (steady ?? 0), refused ?? 0),
    0,
  );

/** Over the whole range: calls that ramps let through, and their share of all that got through. */
export function rampingTotal(points: readonly TargetPointLike[]): {
  readonly calls: number;
  /** Null when nothing got through. */
  readonly share: number | null;
} {
  const ramping = points.reduce((sum, point) => sum + point.ramping, 0);
  const all = points.reduce((sum, point) => sum + point.ramping + point.steady, 0);
  return { calls: ramping, share: all === 0 ? null : ramping / all };
}
