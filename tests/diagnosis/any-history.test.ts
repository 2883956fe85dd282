import '@/tests/support/fast-check';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnose } from '@/lib/diagnosis/diagnose';
import { docOf, findingTexts } from '@/lib/diagnosis/texts';
import type { History } from '@/lib/diagnosis/types';
import { finding, findingKinds } from '@/lib/protocol/findings';
import { CONFIG, NOW } from './support';

const word = fc.constantFrom('closed', 'open', 'half_open', 'forced_open', 'metrics_only', '');
const at = fc.integer({ min: NOW - 90_000_000, max: NOW + 60_000 });
const id = fc.constantFrom('a', 'b', 'c');
const number = fc.oneof(fc.integer({ min: -5, max: 100_000 }), fc.double(), fc.constant(0));
const anything = fc.oneof(number, word, fc.constant(null), fc.array(number, { maxLength: 5 }));

const data = fc.record(
  {
    from: word,
    to: word,
    cause: fc.constantFrom('trip', 'fallback', 'advance', 'half_open_limit', 'self', 'latency'),
    reason: fc.constantFrom('ratio', 'count', 'consecutive'),
    step: anything,
    calls: anything,
    failures: anything,
    share: anything,
  },
  { requiredKeys: [] },
);
const event = fc.record({
  id: fc.nat(1_000),
  at,
  instanceId: id,
  run: fc.constantFrom('r1', 'r2'),
  type: fc.constantFrom('transition', 'step', 'hold', 'release', 'starved', 'registered', 'gap'),
  data,
});
const probe = fc.record({
  at,
  instanceId: id,
  step: fc.nat(6),
  outcome: fc.constantFrom('success', 'timeout', 'cancelled', 'refused', '?'),
  latencyMs: fc.nat(5_000),
  idempotent: fc.boolean(),
});
const amount = fc.nat(1_000);
const group = fc.record({
  name: fc.constantFrom('x', 'y', 'z'),
  calls: amount,
  failures: amount,
  totalMs: amount,
});
const span = fc.record({
  from: at,
  to: at,
  calls: amount,
  failures: amount,
  closedCalls: amount,
  closedFailures: amount,
  rejectedLocal: amount,
  notPermitted: amount,
  peakCalls: amount,
  groups: fc.array(group, { maxLength: 4 }),
});
const nullable = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });
const instanceFact = fc.record({
  instanceId: id,
  instance: id,
  live: fc.boolean(),
  state: word,
  step: nullable(fc.nat(9)),
  hold: fc.boolean(),
  since: nullable(at),
  retryAt: nullable(at),
  inFlight: fc.nat(9),
  configHash: id,
  baseline: nullable(fc.record({ p50: amount, p99: amount, samples: amount })),
});
const config = fc.oneof(
  fc.constant<Record<string, unknown>>(CONFIG),
  fc.dictionary(
    fc.constantFrom('window', 'trip', 'open', 'recovery', 'callTimeoutMs'),
    fc.oneof(
      anything,
      fc.dictionary(
        fc.constantFrom('kind', 'steps', 'baseMs', 'admission', 'stepMs', 'latency', 'durationMs'),
        anything,
      ),
    ),
  ),
);
const overrideFact = fc.record({
  id,
  kind: fc.constantFrom('force_open', 'force_closed', 'reset'),
  actor: id,
  createdAt: at,
  endsAt: at,
  endedAt: nullable(at),
  leaseRevision: fc.nat(9),
});

const anyHistory: fc.Arbitrary<History> = fc.record({
  now: fc.constant(NOW),
  from: fc.constant(NOW - 86_400_000),
  events: fc.array(event, { maxLength: 60 }),
  probes: fc.array(probe, { maxLength: 60 }),
  spans: fc.array(span, { maxLength: 8 }),
  instances: fc.array(instanceFact, { maxLength: 6 }),
  configs: fc.array(fc.record({ hash: id, config, instanceIds: fc.array(id, { maxLength: 3 }) }), {
    maxLength: 3,
  }),
  overrides: fc.array(overrideFact, { maxLength: 8 }),
  neighbours: fc.array(fc.record({ service: id, breaker: id, halfOpen: fc.nat(20) }), {
    maxLength: 3,
  }),
});

describe('any history', () => {
  it('never makes a rule throw, and what is said can be sent', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyHistory, (history) => {
        for (const found of diagnose(history)) {
          seen.add(found.kind);
          expect(() => finding.parse(JSON.parse(JSON.stringify(found)))).not.toThrow();
          expect(found.summary).not.toMatch(/NaN|Infinity|undefined|null/);
          expect(found.advice.length).toBeGreaterThan(0);
          expect(found.evidence.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 120 },
    );
    // Otherwise the histories would prove little.
    expect(seen.size).toBeGreaterThanOrEqual(8);
  });

  it('says the same whatever the order in which events come', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const ids = new Map(history.events.map((one) => [one.id, one]));
        const events = [...ids.values()];
        const back = diagnose({ ...history, events: events.toReversed() });
        expect(back).toEqual(diagnose({ ...history, events }));
      }),
      { numRuns: 60 },
    );
  });

  it('an empty history is silent', () => {
    const lists = { events: [], probes: [], spans: [], instances: [], configs: [] };
    const none = { ...lists, overrides: [], neighbours: [], now: NOW, from: NOW - 1 };
    expect(diagnose(none)).toEqual([]);
  });
});

describe('docs/diagnosis.md', () => {
  const doc = readFileSync(new URL('../../docs/diagnosis.md', import.meta.url), 'utf8');

  it.each(findingKinds)('explains %s under the heading that the console names', (kind) => {
    expect(doc).toContain(`\n## ${findingTexts[kind].title}\n`);
    expect(docOf(kind)).toMatch(/^docs\/diagnosis\.md#[a-z-]+$/);
  });
});
