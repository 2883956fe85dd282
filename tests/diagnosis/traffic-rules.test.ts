import { describe, expect, it } from 'vitest';
import {
  figure,
  findingOf,
  history,
  HOUR,
  instance,
  kindsOf,
  MINUTE,
  NOW,
  SECOND,
  span,
  Story,
  suggested,
  withConfig,
} from './support';

const trips = (calls: number, failures: number, reason = 'ratio') => {
  const story = new Story('a', NOW - 40 * MINUTE);
  for (let trip = 0; trip < 3; trip++) {
    story.trip(calls, failures, reason).pass(10_000).climb(0).pass(5_000).go('half_open', 'closed');
    story.pass(8 * MINUTE);
  }
  return story;
};

const groups = (sick: number, slowMs = 20) => [
  { name: 'GET /stock', calls: 900, failures: 4, totalMs: 900 * 20 },
  { name: 'nightly export', calls: 40, failures: sick, totalMs: 40 * slowMs },
];

const bursts = (ids: readonly string[], gapMs: number) =>
  [NOW - 50 * SECOND, NOW - 20 * SECOND].flatMap((second) =>
    ids.map((instanceId, index) => ({
      at: second + index * gapMs,
      instanceId,
      step: 0,
      outcome: 'success',
      latencyMs: 5,
      idempotent: true,
    })),
  );

describe('never enough volume', () => {
  const quiet = [90, 60, 30, 10].map((ago) =>
    span(ago, { closedCalls: 30, closedFailures: 18, peakCalls: 6 }),
  );

  it('fires when failures are seen and the minimum of calls is not', () => {
    const finding = findingOf(history({ spans: quiet }), 'never_enough_volume');
    expect(finding.summary).toContain('72 failures');
    expect(figure(finding, 'Most calls')).toBe(6);
    expect(suggested(finding, 'trip[].minimumCalls')).toBe('3');
    expect(suggested(finding, 'window.durationMs')).toBe('34000');
  });

  it('stays silent when a window has enough calls, when it tripped, and when little fails', () => {
    const busy = quiet.map((one) => ({ ...one, peakCalls: 25 }));
    expect(kindsOf(history({ spans: busy }))).toEqual([]);
    const tripped = new Story('a', NOW - 20 * MINUTE).trip();
    expect(kindsOf(history({ ...tripped.told, spans: quiet }))).toEqual([]);
    const well = quiet.map((one) => ({ ...one, closedFailures: 2 }));
    expect(kindsOf(history({ spans: well }))).toEqual([]);
  });

  it('stays silent when another policy needs no volume', () => {
    const trip = [
      { kind: 'ratio', rate: 0.5, minimumCalls: 20 },
      { kind: 'consecutive', failures: 5 },
    ];
    expect(kindsOf(withConfig({ trip }, { spans: quiet }))).toEqual([]);
  });
});

describe('hair trigger', () => {
  const normal = [110, 100, 90].map((ago) =>
    span(ago, { closedCalls: 400, closedFailures: 60, peakCalls: 40 }),
  );
  it('fires when chance at the normal failure share explains the trips', () => {
    const trip = [{ kind: 'ratio', rate: 0.5, minimumCalls: 4 }];
    const finding = findingOf(
      withConfig({ trip }, { ...trips(4, 2).told, spans: normal }),
      'hair_trigger',
    );
    expect(finding.summary).toContain('2 of 4 calls, where 15 % fail on a quiet day');
    expect(figure(finding, 'chance explains')).toBe(3);
    expect(Number(suggested(finding, 'trip[].minimumCalls'))).toBeGreaterThan(20);
  });

  it('asks for a share where failures are only counted', () => {
    const trip = [{ kind: 'count', failures: 5 }];
    const story = trips(60, 5, 'count');
    const finding = findingOf(
      withConfig({ trip }, { ...story.told, spans: normal }),
      'hair_trigger',
    );
    expect(suggested(finding, 'trip')).toContain("kind: 'ratio', rate: 0.6");
  });

  it('stays silent when the trips were far from normal, and while normal is not known', () => {
    expect(kindsOf(history({ ...trips(40, 30).told, spans: normal }))).not.toContain(
      'hair_trigger',
    );
    const thin = [span(90, { closedCalls: 50, closedFailures: 8 })];
    expect(kindsOf(history({ ...trips(4, 2).told, spans: thin }))).not.toContain('hair_trigger');
  });
});

describe('own overload', () => {
  it('fires when the caller refuses its own calls and the target answers well', () => {
    const spans = [span(10, { calls: 500, failures: 2, rejectedLocal: 120 })];
    const finding = findingOf(history({ spans }), 'own_overload');
    expect(finding.summary).toContain('120 calls were refused by the caller itself');
    expect(figure(finding, 'reached the target')).toBe(500);
    expect(finding.advice.every(({ option }) => option === null)).toBe(true);
  });

  it('fires when the own event loop holds the recovery', () => {
    const story = new Story('a', NOW - 10 * MINUTE).climb(0);
    for (let hold = 0; hold < 3; hold++)
      story.pass(SECOND).event('hold', { step: 0, cause: 'self' });
    expect(kindsOf(history(story))).toContain('own_overload');
  });

  it('stays silent when the target fails too, and for a few refusals', () => {
    const both = [span(10, { calls: 500, failures: 100, rejectedLocal: 120 })];
    expect(kindsOf(history({ spans: both }))).toEqual([]);
    const few = [span(10, { calls: 500, failures: 0, rejectedLocal: 8 })];
    expect(kindsOf(history({ spans: few }))).toEqual([]);
  });
});

describe('shared key', () => {
  it('fires when operations of one breaker fail very differently', () => {
    const finding = findingOf(history({ spans: [span(10, { groups: groups(30) })] }), 'shared_key');
    expect(finding.summary).toContain('"nightly export" fails 75 %');
    expect(figure(finding, 'nightly export: failed')).toBe(0.75);
  });

  it('fires when they take very different times', () => {
    const spans = [span(10, { groups: groups(0, 2_000) })];
    expect(findingOf(history({ spans }), 'shared_key').summary).toContain('takes 2 s');
  });

  it('reads it from the probes of agents that do not tell operations apart', () => {
    const story = new Story('a', NOW - 10 * MINUTE);
    for (let probe = 0; probe < 12; probe++) {
      story.pass(SECOND).probe(0, 20).probe(0, 30, 'server_error', false);
    }
    expect(kindsOf(history(story))).toContain('shared_key');
  });

  it('stays silent when they behave alike, and for one kind of calls', () => {
    expect(kindsOf(history({ spans: [span(10, { groups: groups(1) })] }))).toEqual([]);
    const [only] = groups(0);
    if (only === undefined) throw new Error('no group');
    expect(kindsOf(history({ spans: [span(10, { groups: [only] })] }))).toEqual([]);
  });
});

describe('probe storm', () => {
  const many = Array.from({ length: 8 }, (_, index) => `i${index}`);
  const instances = many.map((id) => instance(id));

  it('fires when many instances probe in the same second', () => {
    const finding = findingOf(history({ instances, probes: bursts(many, 50) }), 'probe_storm');
    expect(figure(finding, 'within one second')).toBe(8);
    expect(suggested(finding, 'open.jitter')).toBe('0.5');
  });

  it('counts the breakers of other services to the same target', () => {
    const neighbours = [{ service: 'edge', breaker: 'payments', halfOpen: 9 }];
    const probing = [instance('a', { state: 'half_open', step: 0, inFlight: 1 })];
    const finding = findingOf(history({ instances: probing, neighbours }), 'probe_storm');
    expect(figure(finding, 'Also probing')).toBe('edge / payments, 9');
  });

  it('stays silent when they take turns, and for a few instances', () => {
    expect(kindsOf(history({ instances, probes: bursts(many, 2_500) }))).toEqual([]);
    expect(kindsOf(history({ instances, probes: bursts(many.slice(0, 3), 50) }))).toEqual([]);
  });

  it('stays silent when the others were closed all along', () => {
    const neighbours = [{ service: 'edge', breaker: 'payments', halfOpen: 0 }];
    expect(kindsOf(history({ neighbours, from: NOW - HOUR }))).toEqual([]);
  });
});
