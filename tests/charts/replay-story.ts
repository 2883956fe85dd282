import type { ChartInput } from '@/components/charts/model';
import type { BreakerView } from '@/lib/protocol/views';
import { breakerView } from '@/tests/server/fakes/views';
import { point } from '@/tests/series/make';

const SECOND_MS = 1_000;
const SPAN_S = 60;

function callsAt(second: number): number {
  if (second < 18) return 10;
  return second < 40 ? 0 : 1;
}

const change = (id: number, at: number, from: string, to: string) => ({
  id,
  at,
  instanceId: 'a',
  instance: 'inst-a',
  type: 'transition',
  data: { from, to, cause: 'trip' },
});

/** A minute: closed, open from 18 s on, half-open from 40 s on, closed at last. */
export const storyInput: ChartInput = {
  now: SPAN_S * SECOND_MS,
  domain: { from: 0, to: SPAN_S * SECOND_MS },
  resolutionMs: SECOND_MS,
  points: Array.from({ length: SPAN_S }, (_, second) =>
    point(second * SECOND_MS, { admitted: callsAt(second) }),
  ),
  probes: [],
  probesLeftOut: 0,
  events: [
    { ...change(1, 0, '', ''), type: 'registered', data: {} },
    change(2, 18_000, 'closed', 'open'),
    change(3, 40_000, 'open', 'half_open'),
    change(4, 58_000, 'half_open', 'closed'),
  ],
  gaps: [],
  instances: [
    {
      instanceId: 'a',
      instance: 'inst-a',
      liveness: 'live',
      state: 'forced_open',
      since: 90_000,
      asOf: 100_000,
    },
  ],
  overrides: [
    {
      id: 'ovr_1',
      kind: 'force_open',
      actor: 'ada',
      reason: 'the target is down',
      createdAt: 10_000,
      endsAt: 70_000,
      endedAt: 50_000,
    },
  ],
  config: null,
  latencyScale: 'log',
};

/** As it is now, which is not what it was then. */
export const storyRow: BreakerView = { ...breakerView, state: 'forced_open', callsPerSecond: 99 };
