/**
 * What the chart maths needs to know. The views of the wire satisfy these shapes; nothing here
 * imports them, so that a series can also be made from a fixture or an export.
 *
 * Instants are epoch milliseconds, shares fractions, latencies milliseconds.
 */

/** Half-open: `from` is inside, `to` is not. */
export type TimeDomain = { readonly from: number; readonly to: number };

export type PointLike = {
  readonly at: number;
  readonly instances: number;
  readonly share: number;
  readonly step: number | null;
  readonly admitted: number;
  readonly refused: number;
  readonly successes: number;
  readonly failures: number;
  readonly slow: number;
  readonly inFlight: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly latencySamples: number;
  readonly baselineP50Ms: number | null;
  readonly baselineP90Ms: number | null;
  readonly baselineP95Ms: number | null;
  readonly baselineP99Ms: number | null;
};

export type ProbeLike = {
  readonly id: number;
  readonly at: number;
  readonly instanceId: string;
  readonly step: number;
  readonly outcome: string;
  readonly latencyMs: number;
};

export type EventLike = {
  readonly id: number;
  readonly at: number;
  readonly instanceId: string;
  readonly instance: string;
  /** One start of the instance; a breaker begins anew in each. Left out means: always the same. */
  readonly run?: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export type GapLike = {
  readonly from: number;
  readonly to: number;
  readonly instanceId: string;
  readonly reason: string;
  readonly events: number;
};

export type InstanceLike = {
  readonly instanceId: string;
  readonly instance: string;
  readonly liveness: string;
  readonly state: string;
  readonly since: number | null;
  readonly asOf: number;
};

export type OverrideLike = {
  readonly id: string;
  readonly kind: string;
  readonly actor: string;
  readonly reason: string;
  readonly createdAt: number;
  readonly endsAt: number;
  readonly endedAt: number | null;
};
