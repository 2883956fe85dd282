import { acquire } from './acquire';
import type { AcquireOptions } from './acquire';
import { adoptOpening } from './adopt';
import type { OutsideOpening } from './adopt';
import { checkOverride } from './arguments';
import { checkFunction } from './checks';
import type { BreakerConfig } from './config-types';
import { createCore, emit } from './core';
import type { Core, SettlementListener } from './core';
import { advance, nextDue } from './due';
import type { BreakerListener } from './events';
import { Flights } from './flights';
import { noteLoopDelay } from './loop';
import { endOverride, resetMachine, startOverride } from './masking';
import type { IssuedPermit, Permit, Rejection, Settler } from './permit';
import { quotaFrom } from './quota';
import type { ProbeQuota } from './quota';
import { effectiveState } from './record';
import type { Override } from './record';
import { reserve } from './reserve';
import type { Reservation } from './reserve';
import { run } from './run';
import type { CallContext, RunOptions } from './call';
import { settle } from './settle';
import { restoreInto, takeSnapshot } from './snapshot';
import type { BreakerSnapshot } from './snapshot-format';
import { shareOf, statusOf } from './status';
import type {
  BreakerOptions,
  BreakerState,
  BreakerStatus,
  Outcome,
  OverrideHandle,
  OverrideKind,
  OverrideRequest,
  Receipt,
} from './types';
import { judgeStep } from './verdict';

/**
 * A circuit breaker with a measured way back. Rules are numbered in `SPEC.md`.
 *
 * Every operation is synchronous: it brings the breaker to the present, does its work, replaces
 * the record at once and then delivers the events. No timer is needed for it to be right.
 */
export class CircuitBreaker {
  readonly #core: Core;
  readonly #settler: Settler;

  constructor(name: string, options: BreakerOptions = {}) {
    const core = createCore(name, options);
    this.#core = core;
    this.#settler = new BreakerSettler(core);
  }

  static restore(name: string, options: BreakerOptions, snapshot: unknown): CircuitBreaker {
    const breaker = new CircuitBreaker(name, options);
    restoreInto(breaker.#core, snapshot);
    return breaker;
  }

  get name(): string {
    return this.#core.name;
  }

  /** The effective options: defaults filled in, plain data, functions left out. */
  get config(): BreakerConfig {
    return this.#core.config;
  }

  get state(): BreakerState {
    this.tick();
    return effectiveState(this.#core.record);
  }

  tryAcquire(options: AcquireOptions = noOptions): Permit | Rejection {
    const core = this.#core;
    advance(core);
    const permit = acquire(core, this.#settler, options);
    core.events.flush();
    return permit;
  }

  /** As `tryAcquire`, with a way to hand the permit back before the call is made. */
  reserve(options: AcquireOptions = noOptions): Reservation | Rejection {
    const core = this.#core;
    advance(core);
    const reservation = reserve(core, this.#settler, options);
    core.events.flush();
    return reservation;
  }

  run<T>(work: (context: CallContext) => T | PromiseLike<T>, options?: RunOptions<T>): Promise<T> {
    this.tick();
    return run(this.#core, this.#settler, work, options);
  }

  /** Lets everything that is due happen. Never needed; makes events come on time. */
  tick(): void {
    advance(this.#core);
    this.#core.events.flush();
  }

  /** Monotonic instant of the next thing that happens by itself, for one timer of a shell. */
  nextDueAt(): number | null {
    this.tick();
    if (this.#core.disposed) return null;
    const { at } = nextDue(this.#core);
    return at === Infinity ? null : at;
  }

  override(kind: OverrideKind, request: OverrideRequest): OverrideHandle {
    const core = this.#core;
    checkOverride(kind, request);
    advance(core);
    if (core.disposed) {
      return { kind, id: request.id ?? 'disposed', release: () => false };
    }
    const override = startOverride(core, kind, request);
    core.events.flush();
    return this.#handle(override);
  }

  /** Handles of all live overrides, oldest first; also of those that a snapshot brought. */
  overrides(): readonly OverrideHandle[] {
    this.tick();
    return this.#core.overrides.map((override) => this.#handle(override));
  }

  /** Closed, level 0, no override. */
  reset(): void {
    advance(this.#core);
    if (this.#core.disposed) return;
    resetMachine(this.#core);
    this.#core.events.flush();
  }

  /** A health check passed: the open time may end early, once, but never below its minimum. */
  healthy(): boolean {
    const core = this.#core;
    this.tick();
    const { auto, mask } = core.record;
    if (core.disposed || mask !== null || auto.kind !== 'open' || auto.hurried) return false;
    const retryAt = Math.max(auto.earliestAt, core.now);
    if (retryAt >= auto.retryAt) return false;
    core.record = { ...core.record, auto: { ...auto, retryAt, hurried: true } };
    core.nextDue = Number.NEGATIVE_INFINITY;
    this.tick();
    return true;
  }

  /** Share of traffic admitted now, 0 to 1. */
  get share(): number {
    this.tick();
    return shareOf(this.#core.record);
  }

  /** Nothing happens by itself before this instant. May be early, never late; costs no search. */
  get quietUntil(): number {
    return this.#core.nextDue;
  }

  /** Opens for a reason that others have found. Returns whether that changed anything. */
  adopt(opening: OutsideOpening): boolean {
    advance(this.#core);
    const opened = adoptOpening(this.#core, opening);
    this.#core.events.flush();
    return opened;
  }

  /** Limits what this breaker may do in half-open, by agreement with others; null ends that. */
  limitProbes(quota: ProbeQuota | null): void {
    const core = this.#core;
    advance(core);
    core.quota = quota === null ? null : quotaFrom(core.now, quota);
    core.events.flush();
  }

  /** How late this process's own event loop runs; while it is late, slow answers are its fault. */
  noteLoopDelay(delayMs: number): void {
    const core = this.#core;
    advance(core);
    noteLoopDelay(core, delayMs);
    judgeStep(core, core.now);
    core.events.flush();
  }

  status(): BreakerStatus {
    this.tick();
    return statusOf(this.#core);
  }

  /** Events in order, after the commit. Returns the way to stop. */
  on(listener: BreakerListener): () => void {
    checkFunction('listener', listener);
    if (this.#core.disposed) return () => undefined;
    return this.#core.events.add(listener);
  }

  /** Hears of every settled permit. Costs nothing while nobody listens. */
  onSettle(listener: SettlementListener): () => void {
    const core = this.#core;
    checkFunction('listener', listener);
    if (core.disposed) return () => undefined;
    const entry: SettlementListener = (settlement) => listener(settlement);
    core.settlements = [...core.settlements, entry];
    return () => {
      core.settlements = core.settlements.filter((other) => other !== entry);
    };
  }

  snapshot(): BreakerSnapshot {
    this.tick();
    return takeSnapshot(this.#core);
  }

  dispose(): void {
    const core = this.#core;
    if (core.disposed) return;
    advance(core);
    emit(core, 'disposed', core.now, 'disposed', {});
    core.disposed = true;
    core.nextDue = Infinity;
    core.overrides.length = 0;
    core.check = null;
    core.record = { ...core.record, flights: new Flights([]) };
    core.watch.close();
    core.events.close();
    core.settlements = [];
  }

  #handle(override: Override): OverrideHandle {
    const core = this.#core;
    return {
      kind: override.kind,
      id: override.id,
      release: () => {
        advance(core);
        const ended = endOverride(core, override, core.now, 'released');
        core.events.flush();
        return ended;
      },
    };
  }
}

const noOptions: AcquireOptions = {};

class BreakerSettler implements Settler {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  settle(
    permit: IssuedPermit,
    outcome: Outcome,
    latencyMs: number | undefined,
    hintMs: number,
  ): Receipt {
    const core = this.#core;
    advance(core);
    const receipt = settle(core, permit, outcome, latencyMs, hintMs);
    core.events.flush();
    return receipt;
  }
}
