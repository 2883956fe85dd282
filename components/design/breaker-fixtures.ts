import type { BreakerView } from '@/lib/protocol/views';

const SECOND = 1_000;
const MINUTE = 60_000;
const BUCKETS = 60;

/** A deterministic number in [0, 1): the same picture on every visit. */
export function noise(seed: number): number {
  const x = Math.sin(seed * 12.9898) * 43_758.5453;
  return x - Math.floor(x);
}

/** A quiet line, a burst that begins at `from`, and missing buckets where there was no report. */
export function spark(
  seed: number,
  options: { from?: number; level?: number; gap?: [number, number] } = {},
) {
  const { from = BUCKETS, level = 0.8, gap } = options;
  return Array.from({ length: BUCKETS }, (_, index) => {
    if (gap && index >= gap[0] && index < gap[1]) return null;
    const base = noise(seed + index) < 0.12 ? noise(seed + index * 3) * 0.06 : 0;
    return index < from ? base : Math.min(1, level * (0.8 + noise(seed * 7 + index) * 0.35));
  });
}

export function breakerFixture(
  now: number,
  part: Partial<BreakerView> & { id: string },
): BreakerView {
  return {
    environment: 'production',
    service: 'checkout',
    serviceId: 'svc-checkout',
    name: 'payments',
    target: 'payments-api',
    state: 'closed',
    states: { closed: 3 },
    instances: { total: 3, live: 3, stale: 0, offline: 0 },
    since: now - 3 * 3_600 * SECOND,
    ramp: null,
    hold: false,
    level: 0,
    openTimeoutMs: null,
    retryAt: null,
    callsPerSecond: 42,
    refusedPerSecond: 0,
    failureShare: 0.002,
    failureThreshold: 0.5,
    latencyP95Ms: 84,
    baselineP95Ms: 80,
    override: null,
    forcedUntil: null,
    wouldBeOpen: null,
    generation: 0,
    configDrift: false,
    asOf: now - SECOND,
    spark: spark(part.id.length),
    sparkEndsAt: now,
    ...part,
  };
}

const gone = { total: 3, live: 0, stale: 3, offline: 0 };

type Make = (part: Partial<BreakerView> & { id: string }) => BreakerView;

function troubled(now: number, make: Make): BreakerView[] {
  const lease = (minutes: number) => now + minutes * MINUTE + 40 * SECOND;
  return [
    make({
      id: 'forced-closed',
      name: 'ledger-writes',
      target: 'ledger',
      service: 'billing',
      state: 'forced_closed',
      states: { forced_closed: 3 },
      override: { id: 'o1', kind: 'force_closed', actor: 'mira', endsAt: lease(4) },
      failureShare: 0.61,
      callsPerSecond: 118,
      latencyP95Ms: 1_840,
      spark: spark(3, { from: 22, level: 0.6 }),
      since: now - 6 * MINUTE,
    }),
    make({
      id: 'open',
      state: 'open',
      states: { open: 2, half_open: 1 },
      retryAt: now + 12 * SECOND,
      refusedPerSecond: 214,
      failureShare: null,
      callsPerSecond: 31,
      latencyP95Ms: null,
      spark: spark(5, { from: 41 }),
      since: now - 94 * SECOND,
    }),
    make({
      id: 'open-idle',
      name: 'recommendations-personalised-home',
      target: 'recommender.internal.svc.cluster.local',
      service: 'storefront-web',
      environment: 'staging',
      state: 'open',
      states: { open: 1 },
      instances: { total: 1, live: 1, stale: 0, offline: 0 },
      retryAt: now - 40 * SECOND,
      callsPerSecond: 0,
      failureShare: null,
      latencyP95Ms: null,
      spark: spark(9, { from: 20, gap: [38, 60] }),
    }),
    make({
      id: 'forced-open',
      name: 'search',
      target: 'search-api',
      service: 'catalog',
      state: 'forced_open',
      states: { forced_open: 3 },
      override: { id: 'o2', kind: 'force_open', actor: 'jon.doe', endsAt: lease(12) },
      refusedPerSecond: 96,
      failureShare: null,
      latencyP95Ms: null,
      spark: spark(11, { from: 50, level: 1 }),
      since: now - 2 * MINUTE,
    }),
  ];
}

function recovering(now: number, make: Make): BreakerView[] {
  return [
    make({
      id: 'half-open',
      name: 'inventory',
      target: 'inventory-api',
      state: 'half_open',
      states: { half_open: 2, closed: 1 },
      ramp: { step: 1, steps: 4, share: 0.3 },
      refusedPerSecond: 27,
      failureShare: 0.012,
      callsPerSecond: 18,
      latencyP95Ms: 131,
      spark: spark(13, { from: 18, level: 0.5 }),
      since: now - 71 * SECOND,
    }),
    make({
      id: 'half-open-held',
      name: 'shipping-quotes',
      target: 'carrier-gateway',
      service: 'fulfilment',
      state: 'half_open',
      states: { half_open: 1 },
      instances: { total: 1, live: 1, stale: 0, offline: 0 },
      ramp: { step: 2, steps: 4, share: 0.6 },
      hold: true,
      refusedPerSecond: 3.4,
      latencyP95Ms: 940,
      baselineP95Ms: 210,
      spark: spark(17, { from: 30, level: 0.3 }),
      since: now - 4 * MINUTE,
    }),
    make({
      id: 'failing',
      name: 'tax',
      target: 'tax-engine',
      service: 'billing',
      failureShare: 0.31,
      callsPerSecond: 64,
      latencyP95Ms: 220,
      spark: spark(19, { from: 44, level: 0.3 }),
    }),
  ];
}

function silent(now: number, make: Make): BreakerView[] {
  return [
    make({
      id: 'stale',
      name: 'mail',
      target: 'smtp-relay',
      service: 'notifications',
      state: 'half_open',
      states: {},
      instances: gone,
      asOf: now - 2 * MINUTE,
      spark: spark(23, { gap: [36, 60] }),
    }),
    make({
      id: 'offline',
      name: 'push',
      target: 'push-gateway',
      service: 'notifications',
      states: {},
      instances: { total: 2, live: 0, stale: 0, offline: 2 },
      asOf: now - 14 * MINUTE,
      failureShare: null,
      latencyP95Ms: null,
      callsPerSecond: 0,
      spark: spark(29, { gap: [0, 60] }),
    }),
    make({
      id: 'watching',
      name: 'fraud-score',
      target: 'fraud',
      state: 'metrics_only',
      states: { metrics_only: 3 },
    }),
    make({
      id: 'disabled',
      name: 'legacy-soap',
      target: 'mainframe',
      state: 'disabled',
      states: { disabled: 3 },
    }),
    make({ id: 'closed' }),
  ];
}

/** One breaker in every state of the grammar, and in the conditions that look different. */
export function everyState(now: number): BreakerView[] {
  const make: Make = (part) => breakerFixture(now, part);
  return [...troubled(now, make), ...recovering(now, make), ...silent(now, make)];
}

const QUIET = ['sessions', 'images', 'prices', 'stock', 'reviews', 'profile', 'cart', 'geo'];
export const SERVICES = [
  'checkout',
  'catalog',
  'storefront-web',
  'billing',
  'fulfilment',
  'gateway',
];

/** Many quiet breakers, to see the calm of a large fleet. */
export function quietFleet(now: number, count: number): BreakerView[] {
  return Array.from({ length: count }, (_, index) => {
    const name = QUIET[index % QUIET.length] ?? 'cart';
    return breakerFixture(now, {
      id: `quiet-${index}`,
      name: index < QUIET.length ? name : `${name}-${Math.floor(index / QUIET.length)}`,
      target: `${name}-api`,
      service: SERVICES[index % SERVICES.length] ?? 'gateway',
      environment: index % 7 === 0 ? 'staging' : 'production',
      callsPerSecond: Math.round(noise(index) * 900) / 10,
      failureShare: Math.round(noise(index * 3) * 12) / 1_000,
      latencyP95Ms: 20 + Math.round(noise(index * 5) * 180),
      baselineP95Ms: 24 + Math.round(noise(index * 5 + 1) * 170),
      spark: spark(index * 31),
    });
  });
}
