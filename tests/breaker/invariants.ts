import { expect } from 'vitest';
import type { BreakerEvent, BreakerStatus, Permit, Receipt } from '@/lib/breaker';
import type { Result } from './histories';
import { NaiveWindow } from './naive';
import type { Observer, Player } from './player';

/** An assertion that names its invariant; not inside a test of its own. */
const must = expect;

const stateEvents = new Set(['opened', 'half_open', 'closed', 'forced', 'resumed', 'reset']);

/** Legal edges of the automatic machine, by event type. */
const edges: Record<string, readonly string[]> = {
  opened: ['closed>open', 'half_open>open'],
  half_open: ['open>half_open'],
  step: ['half_open>half_open'],
  closed: ['half_open>closed'],
};

const bad = new Set<Result>(['timeout', 'server_error', 'overload', 'refused']);
const none = new Set<Result>(['rejected_local', 'cancelled', 'ignored']);

type Step = { successes: number; arrivals: { at: number; granted: boolean; reason: string }[] };

/** Watches one run from outside and fails at the first thing that must never be seen. */
export class Invariants implements Observer {
  #seen = 0;
  #lastState = 'closed';
  #lastEpoch = 0;
  #lastStepSeq = 0;
  #level = 0;
  #closedAt: number | null = null;
  #naive: NaiveWindow | null = null;
  #expectTrip = false;
  #openUntil: number | null = null;
  #openedAt = 0;
  #holdSince: number | null = null;
  #plainMs = 0;
  #latest: BreakerStatus | null = null;
  readonly steps = new Map<number, Step>();
  readonly tally: Record<string, number> = {};

  before(player: Player): void {
    player.breaker.tick();
    this.#expireNaively(player);
    this.#readEvents(player);
    const status = player.breaker.status();
    this.#inFlight(player, status);
    this.#window(player, status);
    this.#latest = status;
  }

  after(player: Player): void {
    this.before(player);
  }

  arrived(player: Player, permit: Permit | null, reason: string): void {
    const { stepSeq, automatic, override } = player.breaker.status();
    if (automatic === 'half_open' && override === null) {
      this.#step(stepSeq).arrivals.push({ at: player.now, granted: permit !== null, reason });
    }
    if (permit === null) return;
    const open = this.#openUntil !== null && player.now < this.#openUntil;
    must(open && permit.role !== 'bypass', '[I14]').toBe(false);
    const state = player.breaker.state;
    must(state, '[I23]').not.toBe('forced_open');
    if (state === 'disabled') must(permit.role).toBe('bypass');
  }

  settled(
    player: Player,
    permit: Permit,
    outcome: Result,
    latencyMs: number,
    receipt: Receipt,
  ): void {
    const index = player.out.indexOf(permit);
    must(index, '[I3]').toBe(-1);
    if (receipt === 'counted') this.#counted(player, permit, outcome, latencyMs);
    if (none.has(outcome))
      must(['inconclusive', 'late', 'expired', 'bypassed'], '[I26]').toContain(receipt);
    const before = player.breaker.status();
    this.#otherEpoch(permit, before);
    must(permit.success(), '[I3]').toBe('duplicate');
    must(permit.failure('refused'), '[I3]').toBe('duplicate');
    must(player.breaker.status(), '[I3]').toEqual(before);
  }

  /** [I4]: news of another time change the late counter and nothing else. */
  #otherEpoch(permit: Permit, after: BreakerStatus): void {
    const before = this.#latest;
    if (before === null || permit.epoch === before.epoch) return;
    const { late } = after.counters;
    must(late - before.counters.late, '[I4]').toBeLessThanOrEqual(1);
    must(after, '[I4]').toEqual({ ...before, counters: { ...before.counters, late } });
  }

  #counted(player: Player, permit: Permit, outcome: Result, latencyMs: number): void {
    if (permit.probe) {
      const { stepSeq } = permit;
      if (!bad.has(outcome)) this.#step(stepSeq).successes++;
    } else if (
      permit.role === 'normal' &&
      this.#naive !== null &&
      permit.epoch === this.#lastEpoch
    ) {
      this.#book(player.now, outcome, latencyMs);
    }
  }

  #book(at: number, outcome: Result, latencyMs: number): void {
    if (this.#naive === null || this.#expectTrip) return;
    this.#naive.add(at, outcome, latencyMs);
    this.#expectTrip = this.#naive.holds(at);
  }

  /** A permit of the closed breaker that nobody settled is a timeout when its life ends. */
  #expireNaively(player: Player): void {
    const due = player.out
      .filter(
        (p) => p.role === 'normal' && p.epoch === this.#lastEpoch && p.expiresAt <= player.now,
      )
      .filter((p) => !this.#expired.has(p))
      .sort((a, b) => a.expiresAt - b.expiresAt);
    for (const permit of due) {
      this.#expired.add(permit);
      this.#book(permit.expiresAt, 'timeout', permit.expiresAt - permit.admittedAt);
    }
  }
  readonly #expired = new Set<Permit>();

  #inFlight(player: Player, status: BreakerStatus): void {
    const out = player.out.filter(
      (p) => p.epoch === status.epoch && player.now < p.expiresAt,
    ).length;
    must(status.inFlight, '[I6]').toBe(out);
    const caps = player.options.recovery?.maxInFlight;
    if (
      status.state === 'half_open' &&
      Array.isArray(caps) &&
      !player.options.recovery?.softFallback
    ) {
      const cap = caps[Math.min(status.step ?? 0, caps.length - 1)] ?? Infinity;
      must(status.inFlight, '[I6]').toBeLessThanOrEqual(cap);
    }
  }

  #window(player: Player, status: BreakerStatus): void {
    must(this.#expectTrip, '[I18] a policy holds, but nothing tripped').toBe(false);
    if (status.state !== 'closed' || this.#naive === null) return;
    must(status.window, '[I19]').toEqual(
      this.#naive.totals(player.now, player.options.slowMs ?? 1_000),
    );
  }

  #readEvents(player: Player): void {
    for (const event of player.events.slice(this.#seen)) this.#read(player, event);
    this.#seen = player.events.length;
  }

  #read(player: Player, event: BreakerEvent): void {
    this.tally[event.type] = (this.tally[event.type] ?? 0) + 1;
    this.#seen++;
    must(event.seq, '[I2]').toBe(this.#seen);
    must(event.epoch, '[I2]').toBe(this.#lastEpoch + (stateEvents.has(event.type) ? 1 : 0));
    must(event.stepSeq, '[I2]').toBeGreaterThanOrEqual(this.#lastStepSeq);
    must(event.from, '[I1]').toBe(this.#lastState);
    const legal = edges[event.type];
    if (legal) must(legal, '[I1]').toContain(`${event.from}>${event.to}`);
    else if (!stateEvents.has(event.type)) must(event.to, '[I1]').toBe(event.from);
    if (event.type === 'step' || event.type === 'closed') this.#advance(player, event);
    this.#holds(player, event);
    this.#lastEpoch = event.epoch;
    this.#lastStepSeq = event.stepSeq;
    this.#lastState = event.to;
    if (stateEvents.has(event.type)) this.#enter(player, event);
  }

  /** [I5] [I10] [I12] [I13] at every step up. */
  #advance(player: Player, event: BreakerEvent): void {
    if (event.reason === 'soft_fallback' || event.reason === 'half_open_limit') return;
    const { recovery = {} } = player.options;
    const step = this.#step(this.#lastStepSeq);
    const minimum = recovery.minimumSuccesses;
    must(step.successes, '[I10]').toBeGreaterThanOrEqual(typeof minimum === 'number' ? minimum : 0);
    must(this.#holdSince, '[I10]').toBeNull();
    const first = step.arrivals.find(({ granted }) => granted);
    must(first, '[I11]').toBeDefined();
    const stepMs = typeof recovery.stepMs === 'number' ? recovery.stepMs : 0;
    must(event.monoMs - (first?.at ?? 0), '[I12]').toBeGreaterThanOrEqual(stepMs);
    const limit = Math.min(stepMs, player.options.slowMs ?? 1_000);
    const oldest = player.out.find(
      (p) =>
        p.epoch === this.#lastEpoch && p.expiresAt > event.monoMs && p.admittedAt <= event.monoMs,
    );
    if (oldest) must(event.monoMs - oldest.admittedAt, '[I13]').toBeLessThanOrEqual(limit);
  }

  /** [I32] */
  #holds(player: Player, event: BreakerEvent): void {
    if (event.type === 'hold') this.#holdSince = event.monoMs;
    else if (
      this.#holdSince !== null &&
      (event.type === 'release' || event.type === 'step' || stateEvents.has(event.type))
    ) {
      const limit = player.options.recovery?.latency?.maxHoldMs ?? 30_000;
      must(event.monoMs - this.#holdSince, '[I32]').toBeLessThanOrEqual(limit);
      this.#holdSince = null;
    }
  }

  #enter(player: Player, event: BreakerEvent): void {
    if (event.data.cause === 'trip') {
      must(this.#expectTrip, '[I18] it tripped, but no policy holds').toBe(true);
    }
    this.#expectTrip = false;
    const guardMs = event.type === 'closed' ? (player.options.recovery?.guardMs ?? 30_000) : 0;
    this.#naive =
      event.to === 'closed' ? new NaiveWindow(player.options, event.monoMs + guardMs) : null;
    this.#closedAt = event.to === 'closed' ? event.monoMs : this.#closedAt;
    this.#openUntil = null;
    if (event.to === 'open') this.#opened(player, event);
    else if (event.to === 'closed') this.#plainMs = 0;
    if (event.type === 'reset') this.#level = 0;
    // What decayed while closed is written down when an override takes over.
    if (event.type === 'forced') this.#level = Math.min(this.#level, event.data.level ?? 0);
  }

  /** [I15] [I16] [I17] */
  #opened(player: Player, event: BreakerEvent): void {
    const { open } = player.options;
    const { openTimeoutMs = 0, level = 0, cause } = event.data;
    if (!open) return;
    this.#openedAt = event.monoMs;
    this.#openUntil = this.#openedAt + openTimeoutMs;
    const jitter = open.jitter ?? 0.2;
    const maxMs = open.kind === 'fixed' ? open.baseMs * (1 + jitter) : (open.maxMs ?? 60_000);
    must(openTimeoutMs, '[I15]').toBeGreaterThanOrEqual(Math.min(1_000, open.baseMs));
    must(openTimeoutMs, '[I15]').toBeLessThanOrEqual(maxMs);
    must(level - this.#level, '[I17]').toBeLessThanOrEqual(1);
    if (cause !== 'trip' && event.type === 'opened') {
      must(level, '[I17]').toBe(this.#level + 1);
      const plain =
        open.kind === 'exponential' ? Math.min(maxMs, open.baseMs * 2 ** level) : open.baseMs;
      must(plain, '[I16]').toBeGreaterThanOrEqual(this.#plainMs);
      this.#plainMs = plain;
      must(openTimeoutMs, '[I16]').toBeGreaterThanOrEqual(
        Math.min(maxMs, plain) * (1 - jitter) - 1e-6,
      );
    }
    this.#level = level;
  }

  #step(stepSeq: number): Step {
    const found = this.steps.get(stepSeq) ?? { successes: 0, arrivals: [] };
    this.steps.set(stepSeq, found);
    return found;
  }

  start(player: Player): this {
    this.#naive = new NaiveWindow(player.options, -Infinity);
    return this;
  }
}

/** [I8] for every run of arrivals inside every step instance. */
export function checkShares(player: Player, steps: ReadonlyMap<number, Step>): void {
  const { admission, minProbeIntervalMs = 1_000 } = player.options.recovery ?? {};
  if (admission?.kind !== 'ramp' && admission?.kind !== 'percent') return;
  const shares = new Map(
    player.events.flatMap(({ type, stepSeq, data }) =>
      (type === 'half_open' || type === 'step') && data.share !== undefined
        ? [[stepSeq, data.share]]
        : [],
    ),
  );
  for (const [stepSeq, { arrivals }] of steps) {
    const share = shares.get(stepSeq);
    if (share !== undefined) checkRuns(arrivals, Math.round(share * 10_000), minProbeIntervalMs);
  }
}

function checkRuns(arrivals: Step['arrivals'], bp: number, minProbeIntervalMs: number): void {
  for (let from = 0; from < arrivals.length; from++) {
    let admitted = 0;
    for (let to = from; to < arrivals.length; to++) {
      if (arrivals[to]?.granted) admitted++;
      const count = to - from + 1;
      const duration = (arrivals[to]?.at ?? 0) - (arrivals[from]?.at ?? 0);
      const grants = 1 + Math.floor(duration / minProbeIntervalMs);
      if (admitted > Math.ceil((bp * count) / 10_000) + 1 + grants) {
        must.fail(`[I8] ${admitted} of ${count} at ${bp} bp in ${duration} ms`);
      }
    }
  }
}
