import { diagnose } from '@/lib/diagnosis/diagnose';
import type {
  EventFact,
  History,
  InstanceFact,
  OverrideFact,
  ProbeFact,
  Span,
} from '@/lib/diagnosis/types';
import type { Finding, FindingKind } from '@/lib/protocol/findings';

export const NOW = 1_800_000_000_000;
export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;

export const CONFIG = {
  window: { kind: 'time', durationMs: 10_000, buckets: 10 },
  trip: [{ kind: 'ratio', rate: 0.5, minimumCalls: 20 }],
  open: { kind: 'exponential', baseMs: 10_000, multiplier: 2, maxMs: 60_000, jitter: 0.2 },
  recovery: {
    admission: { kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] },
    stepMs: [5_000, 5_000, 5_000, 5_000],
    minimumSuccesses: [5, 10, 20, 20],
    latency: { holdMultiple: 3, releaseMultiple: 2, floorMs: 20, maxHoldMs: 30_000 },
  },
  callTimeoutMs: 30_000,
  probeTimeoutFraction: 0.5,
};

export function instance(id: string, over: Partial<InstanceFact> = {}): InstanceFact {
  return {
    instanceId: id,
    instance: `pod-${id}`,
    live: true,
    state: 'closed',
    step: null,
    hold: false,
    since: NOW - HOUR,
    retryAt: null,
    inFlight: 0,
    configHash: 'h1',
    baseline: { p50: 20, p99: 80, samples: 2_000 },
    ...over,
  };
}

export function history(over: Partial<History> = {}): History {
  const instances = over.instances ?? [instance('a'), instance('b')];
  return {
    now: NOW,
    from: NOW - 24 * HOUR,
    events: [],
    probes: [],
    spans: [],
    configs: [{ hash: 'h1', config: CONFIG, instanceIds: instances.map((one) => one.instanceId) }],
    overrides: [],
    neighbours: [],
    ...over,
    instances,
  };
}

export function withConfig(config: object, over: Partial<History> = {}): History {
  const plain = history(over);
  const instanceIds = plain.instances.map((one) => one.instanceId);
  return { ...plain, configs: [{ hash: 'h1', config: { ...CONFIG, ...config }, instanceIds }] };
}

/** Writes the history of one instance, event by event. */
export class Story {
  readonly events: EventFact[] = [];
  readonly probes: ProbeFact[] = [];
  readonly instanceId: string;
  at: number;

  constructor(instanceId: string, startsAt: number) {
    this.instanceId = instanceId;
    this.at = startsAt;
  }

  get told() {
    return { events: this.events, probes: this.probes };
  }

  pass(ms: number): this {
    this.at += ms;
    return this;
  }

  event(type: string, data: Record<string, unknown>): this {
    const id = this.events.length + 1 + Number.parseInt(this.instanceId, 36) * 10_000;
    const { at, instanceId } = this;
    this.events.push({ id, at, instanceId, run: 'r1', type, data });
    return this;
  }

  go(from: string, to: string, data: Record<string, unknown> = {}): this {
    return this.event('transition', { from, to, ...data });
  }

  trip(calls = 40, failures = 30, reason = 'ratio'): this {
    return this.go('closed', 'open', { cause: 'trip', reason, calls, failures });
  }

  probe(step: number, latencyMs: number, outcome = 'success', idempotent = true): this {
    const { at, instanceId } = this;
    this.probes.push({ at, instanceId, step, outcome, latencyMs, idempotent });
    return this;
  }

  /** Half-open up to `step`, each earlier step cleared in five seconds. */
  climb(step: number): this {
    this.go('open', 'half_open', { cause: 'retry_due' });
    for (let next = 1; next <= step; next++) {
      this.pass(5_000).event('step', { step: next, share: 0.3, successes: 10, failures: 0 });
    }
    return this;
  }
}

export function span(minutesAgo: number, over: Partial<Span> = {}): Span {
  const from = NOW - minutesAgo * MINUTE;
  return {
    from,
    to: from + 5 * MINUTE,
    calls: over.closedCalls ?? 0,
    failures: over.closedFailures ?? 0,
    closedCalls: 0,
    closedFailures: 0,
    rejectedLocal: 0,
    notPermitted: 0,
    peakCalls: 0,
    groups: [],
    ...over,
  };
}

export function override(id: string, over: Partial<OverrideFact> = {}): OverrideFact {
  return {
    id,
    kind: 'force_open',
    actor: 'ada',
    createdAt: NOW - 30 * MINUTE,
    endsAt: NOW + 30 * MINUTE,
    endedAt: null,
    leaseRevision: 0,
    ...over,
  };
}

export const kindsOf = (one: History): FindingKind[] => diagnose(one).map(({ kind }) => kind);

export function findingOf(one: History, kind: FindingKind): Finding {
  const found = diagnose(one).find((finding) => finding.kind === kind);
  if (found === undefined) throw new Error(`${kind} stayed silent`);
  return found;
}

/** The value of one line of evidence. */
export function figure(finding: Finding, label: string): number | string | undefined {
  const line = finding.evidence.find((one) => one.label.includes(label));
  if (line === undefined) return undefined;
  return line.unit === 'text' ? line.text : line.value;
}

/** What it suggests for an option. */
export const suggested = (finding: Finding, option: string): string | null | undefined =>
  finding.advice.find((one) => one.option === option)?.suggest;
