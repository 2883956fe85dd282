import type { TimeDomain } from './types';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const TIME_STEPS = [
  SECOND,
  2 * SECOND,
  5 * SECOND,
  10 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
] as const;

/** The smallest round step that gives at most `count` ticks. */
export function timeStep(spanMs: number, count: number): number {
  const wanted = spanMs / Math.max(1, count);
  return TIME_STEPS.find((step) => step >= wanted) ?? Math.ceil(wanted / DAY) * DAY;
}

/** Round instants inside the domain, aligned in the zone that is `offsetMs` ahead of UTC. */
export function timeTicks(domain: TimeDomain, count: number, offsetMs = 0): number[] {
  const step = timeStep(domain.to - domain.from, count);
  const first = Math.ceil((domain.from + offsetMs) / step) * step - offsetMs;
  const ticks: number[] = [];
  for (let at = first; at <= domain.to; at += step) ticks.push(at);
  return ticks;
}

/** 1, 2 or 5 times a power of ten, the smallest at or above `value`. */
export function niceCeil(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = [1, 2, 5, 10].find((candidate) => candidate * power >= value * (1 - 1e-9)) ?? 10;
  return digit * power;
}

/** From zero to a round maximum in at most `count` round steps. */
export function linearTicks(max: number, count: number): number[] {
  const step = niceCeil(Math.max(max, 0) / Math.max(1, count) || 1 / count);
  const steps = Math.max(1, Math.ceil(max / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, index) => round(index * step));
}

/** Durations people read off a clock, so that a log axis says "30 s" and not "31.6 s". */
const ROUND_MS = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  SECOND,
  2 * SECOND,
  5 * SECOND,
  10 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  12 * HOUR,
  DAY,
] as const;

/** Bounds for a log axis of durations: round values that leave `low` and `high` inside. */
export function logBounds(low: number, high: number): [number, number] {
  const bottom = ROUND_MS.findLast((value) => value <= low) ?? ROUND_MS[0];
  const top = ROUND_MS.find((value) => value >= high) ?? niceCeil(high);
  if (top > bottom) return [bottom, top];
  return [bottom, ROUND_MS.find((value) => value > bottom) ?? bottom * 10];
}

/** At most `count` round durations between the bounds, both ends included. */
export function logTicks(bounds: readonly [number, number], count: number): number[] {
  const [bottom, top] = bounds;
  const inside = ROUND_MS.filter((value) => value > bottom && value < top);
  const all = [bottom, ...inside, top];
  if (all.length <= count) return apart(all);
  // Evenly by position on the axis; the ends stay.
  const picked = new Set([bottom, top]);
  for (let index = 1; index < count - 1; index += 1) {
    const wanted = Math.log(bottom) + (index / (count - 1)) * Math.log(top / bottom);
    picked.add(nearestByLog(inside, wanted));
  }
  return apart([...picked].sort((a, b) => a - b));
}

/** Nearer than this part of the axis, two labels would touch. */
const CLOSE = 0.17;

/** Without the inner ticks that crowd their neighbours; both ends stay. */
function apart(ticks: readonly number[]): number[] {
  const bottom = ticks[0] ?? 1;
  const top = ticks.at(-1) ?? bottom;
  const room = Math.log(top / bottom) * CLOSE;
  return ticks.reduce<number[]>((kept, tick) => {
    const last = kept.at(-1);
    const crowded = last !== undefined && Math.log(tick / last) < room;
    const underTop = tick !== top && Math.log(top / tick) < room;
    if (tick === top || (!crowded && !underTop)) kept.push(tick);
    return kept;
  }, []);
}

function nearestByLog(values: readonly number[], wanted: number): number {
  return values.reduce((best, value) =>
    Math.abs(Math.log(value) - wanted) < Math.abs(Math.log(best) - wanted) ? value : best,
  );
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}
