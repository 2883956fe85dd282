import { describe, expect, it } from 'vitest';
import { Tally } from '@/lib/diagnosis/tally';
import type { Sample } from '@/lib/protocol/samples';
import { MINUTE, NOW, SECOND } from './support';

/** Not at the edge of a span. */
const START = NOW + MINUTE;

type Over = Omit<Partial<Sample>, 'calls'> & { readonly calls?: Partial<Sample['calls']> };

function sample({ calls, ...over }: Over): Sample {
  const none = { success: 0, client_error: 0, timeout: 0, server_error: 0, overload: 0 };
  const rest = { refused: 0, rejected_local: 0, cancelled: 0, ignored: 0, not_permitted: 0 };
  return {
    type: 'sample',
    seq: 1,
    at: NOW,
    mono: 1,
    breaker: 'payments',
    periodMs: 1_000,
    state: 'closed',
    step: null,
    share: 1,
    slow: 0,
    late: 0,
    expired: 0,
    inFlight: 0,
    latency: { buckets: [], count: 0, sumMs: 0, maxMs: 0 },
    ...over,
    calls: { ...none, ...rest, ...calls },
  };
}

const WINDOW = 10 * SECOND;

describe('a tally of samples', () => {
  it('adds up spans of five minutes over all instances, and tells closed calls apart', () => {
    const tally = new Tally();
    tally.add('a', START, sample({ calls: { success: 8, timeout: 2 } }), WINDOW);
    tally.add('b', START, sample({ calls: { success: 5, rejected_local: 3 } }), WINDOW);
    tally.add('b', START, sample({ state: 'half_open', calls: { server_error: 1 } }), WINDOW);
    tally.add('a', START + 6 * MINUTE, sample({ calls: { success: 1 } }), WINDOW);
    const spans = tally.spans(START + 6 * MINUTE);
    expect(spans).toHaveLength(2);
    expect(spans[0]).toMatchObject({
      calls: 16,
      failures: 3,
      closedCalls: 15,
      closedFailures: 2,
      rejectedLocal: 3,
    });
    expect(spans[1]?.from).toBe((spans[0]?.from ?? 0) + 5 * MINUTE);
  });

  it('knows the most calls of one closed instance in one window', () => {
    const tally = new Tally();
    for (let second = 1; second <= 30; second++) {
      const at = START + second * SECOND;
      tally.add('a', at, sample({ calls: { success: second <= 20 ? 1 : 0 } }), WINDOW);
      tally.add('b', at, sample({ calls: { success: second === 3 ? 4 : 0 } }), WINDOW);
    }
    expect(tally.spans(START + MINUTE)[0]?.peakCalls).toBe(10);
  });

  it('begins a new window when the instance was not closed in between', () => {
    const tally = new Tally();
    tally.add('a', START, sample({ calls: { success: 6 } }), WINDOW);
    tally.add('a', START + SECOND, sample({ state: 'open' }), WINDOW);
    tally.add('a', START + 2 * SECOND, sample({ calls: { success: 6 } }), WINDOW);
    expect(tally.spans(START + MINUTE)[0]?.peakCalls).toBe(6);
  });

  it('keeps kinds of calls apart, and forgets what is older than two hours', () => {
    const tally = new Tally();
    const group = { name: 'read', calls: 2, failures: 1, totalMs: 10 };
    tally.add('a', START, sample({ groups: [group] }), WINDOW);
    tally.add('a', START + SECOND, sample({ groups: [group] }), WINDOW);
    const groups = [{ name: 'read', calls: 4, failures: 2, totalMs: 20 }];
    expect(tally.spans(START + MINUTE)[0]?.groups).toEqual(groups);
    tally.add('a', START + 60 * MINUTE, sample({}), WINDOW);
    tally.add('a', START - 120 * MINUTE, sample({ calls: { success: 1 } }), WINDOW);
    expect(tally.spans(START + 60 * MINUTE)).toHaveLength(2);
    expect(tally.spans(START + 150 * MINUTE)).toHaveLength(1);
    expect(tally.spans(START + 300 * MINUTE)).toHaveLength(0);
  });
});
