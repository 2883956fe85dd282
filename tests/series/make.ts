import type { EventLike, PointLike, ProbeLike } from '@/lib/series/types';

export function point(at: number, values: Partial<PointLike> = {}): PointLike {
  return {
    at,
    instances: 1,
    share: 1,
    step: null,
    admitted: 10,
    refused: 0,
    successes: 10,
    failures: 0,
    slow: 0,
    inFlight: 1,
    p50Ms: 40,
    p95Ms: 90,
    latencySamples: 100,
    baselineP50Ms: 40,
    baselineP90Ms: 70,
    baselineP95Ms: 80,
    baselineP99Ms: 100,
    ...values,
  };
}

let nextId = 1;

export function event(
  at: number,
  type: string,
  data: Record<string, unknown> = {},
  instanceId = 'a',
): EventLike {
  nextId += 1;
  return { id: nextId, at, type, data, instanceId, instance: `inst-${instanceId}` };
}

export function change(
  at: number,
  from: string,
  to: string,
  data: Record<string, unknown> = {},
  instanceId = 'a',
): EventLike {
  return event(at, 'transition', { from, to, cause: 'trip', ...data }, instanceId);
}

export function probe(
  at: number,
  outcome = 'success',
  latencyMs = 50,
  instanceId = 'a',
): ProbeLike {
  nextId += 1;
  return { id: nextId, at, outcome, latencyMs, instanceId, step: 0 };
}

/** trip, wait, three steps, relapse, wait, full recovery. */
export function story(instanceId = 'a'): EventLike[] {
  const step = (at: number, index: number, successes: number, failures = 0) =>
    event(at, 'step', { step: index, successes, failures, tookMs: 5_000 }, instanceId);
  return [
    change(0, 'closed', 'open', { openTimeoutMs: 10_000, level: 0 }, instanceId),
    change(10_000, 'open', 'half_open', { cause: 'retry_due' }, instanceId),
    step(15_000, 1, 5),
    step(20_000, 2, 10, 1),
    change(
      22_000,
      'half_open',
      'open',
      { cause: 'fallback', openTimeoutMs: 20_000, level: 1, failures: 3 },
      instanceId,
    ),
    change(42_000, 'open', 'half_open', { cause: 'retry_due' }, instanceId),
    step(47_000, 1, 5),
    step(52_000, 2, 10),
    step(57_000, 3, 20),
    change(62_000, 'half_open', 'closed', { cause: 'advance' }, instanceId),
  ];
}
