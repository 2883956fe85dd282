import { numberIn } from './events';

export type BackoffRule = {
  readonly kind: string;
  readonly baseMs: number;
  readonly multiplier: number;
  readonly maxMs: number;
  readonly minMs: number;
  /** Half width of the jitter band as a fraction. */
  readonly jitter: number;
};

type Plain = Readonly<Record<string, unknown>>;

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object under `key`, or null. */
export function objectIn(data: Plain, key: string): Plain | null {
  const value = data[key];
  return isPlain(value) ? value : null;
}

/**
 * The open-time rule out of a breaker's reported options; defaults are those of the specification.
 * Null when the configuration says nothing about it.
 */
export function backoffRule(config: Plain): BackoffRule | null {
  const open = objectIn(config, 'open');
  if (open === null) return null;
  const kind = typeof open['kind'] === 'string' ? open['kind'] : 'exponential';
  const baseMs = numberIn(open, 'baseMs') ?? 10_000;
  return {
    kind,
    baseMs,
    multiplier: kind === 'exponential' ? (numberIn(open, 'multiplier') ?? 2) : 1,
    maxMs: kind === 'fixed' ? Infinity : (numberIn(open, 'maxMs') ?? 60_000),
    minMs: numberIn(open, 'minMs') ?? Math.min(1_000, baseMs),
    jitter: numberIn(open, 'jitter') ?? 0.2,
  };
}

/** d(level) = min(max, base · mult^min(level, 30)), without jitter. */
export function openTimeoutAt(rule: BackoffRule, level: number): number {
  const exponent = Math.min(Math.max(level, 0), 30);
  return Math.min(rule.maxMs, rule.baseMs * rule.multiplier ** exponent);
}

/** Where the drawn timeout may fall: d · (1 ± j), inside the floor and the cap. */
export function jitterBand(rule: BackoffRule, level: number): readonly [number, number] {
  const middle = openTimeoutAt(rule, level);
  const clamp = (value: number) => Math.min(Math.max(value, rule.minMs), rule.maxMs);
  return [clamp(middle * (1 - rule.jitter)), clamp(middle * (1 + rule.jitter))];
}

export type CurvePoint = {
  readonly level: number;
  readonly timeoutMs: number;
  readonly lowMs: number;
  readonly highMs: number;
  /** True from the level at which waiting longer is no longer possible. */
  readonly capped: boolean;
};

/** From `fromLevel` to the first capped level and at least `least` points, for the curve ahead. */
export function backoffCurve(rule: BackoffRule, fromLevel = 0, least = 1): CurvePoint[] {
  const points: CurvePoint[] = [];
  for (let level = fromLevel; level <= 30; level += 1) {
    const timeoutMs = openTimeoutAt(rule, level);
    const [lowMs, highMs] = jitterBand(rule, level);
    const capped = timeoutMs >= rule.maxMs || rule.multiplier <= 1;
    points.push({ level, timeoutMs, lowMs, highMs, capped });
    if (capped && points.length >= least) break;
  }
  return points;
}
