import type { AppliedFrame } from '../../protocol/agent-frames';
import type { DesiredOverride } from '../../protocol/server-frames';
import type { BreakerEvent, OverrideHandle, OverrideKind } from '../../breaker/types';
import type { WatchedBreaker } from '../ports';
import { CommandMemory } from './command-memory';
import { CONTACT_LOSS_MS, type LocalPolicy } from './policy';
import { reconcile, type Action, type Answer, type Held } from './reconcile';

export type EndReason = 'lease' | 'released' | 'superseded' | 'contact_lost';

export type DeskDeps = {
  readonly policy: LocalPolicy;
  breaker(name: string): WatchedBreaker | undefined;
  /** An override is over; `at` is the monotonic instant at which it ended. */
  ended(held: Held, reason: EndReason, at: number): void;
  debug(message: string, detail: string): void;
};

type Holding = { readonly held: Held; readonly handle: OverrideHandle };

const BREAKER_KIND: Record<Held['kind'], OverrideKind> = {
  force_open: 'forced_open',
  force_closed: 'forced_closed',
};

/** A reset lets go of every handle. */
const MOVES_OVERRIDES: ReadonlySet<BreakerEvent['type']> = new Set(['forced', 'resumed', 'reset']);

/**
 * Holds the console's overrides on the breakers of this process. Every lease ends here, by the
 * monotonic clock, with or without the server.
 */
export class OverrideDesk {
  readonly #deps: DeskDeps;
  readonly #holdings = new Map<string, Holding>();
  readonly #memory = new CommandMemory();
  readonly #fences = new Map<string, number>();
  #serverEpoch = '';
  /** While this desk itself moves handles, the events it causes are no news to it. */
  #busy = false;

  constructor(deps: DeskDeps) {
    this.#deps = deps;
  }

  /** A server that starts anew, perhaps from a backup, counts its generations anew. */
  serverIs(serverEpoch: string): void {
    if (serverEpoch !== this.#serverEpoch) this.#fences.clear();
    this.#serverEpoch = serverEpoch;
  }

  receive(desired: readonly DesiredOverride[], now: number): AppliedFrame['results'] {
    this.tick(now, now);
    this.#memory.prune(now);
    const held = new Map([...this.#holdings].map(([id, holding]) => [id, holding.held]));
    const knows = (name: string) => this.#deps.breaker(name) !== undefined;
    const world = { held, answered: this.#memory.answers, fences: this.#fences, knows };
    const plan = reconcile(world, desired, this.#deps.policy, now);
    const failed = new Set<string>();
    this.#quietly(now, () => {
      for (const action of plan.actions) if (!this.#run(action, now)) failed.add(idOf(action));
    });
    const answers = plan.answers.map((answer) =>
      failed.has(answer.id) ? refused(answer) : answer,
    );
    for (const answer of answers) this.#record(answer, now);
    return answers.map(({ id, breaker, outcome, reason, leaseRevision, final }) => ({
      overrideId: id,
      breaker,
      outcome,
      ...(reason === undefined ? {} : { reason }),
      ...(leaseRevision === 0 ? {} : { leaseRevision }),
      ...(final ? {} : { final }),
    }));
  }

  /** Ends what is due: leases, and forced-closed overrides that nobody watches any more. */
  tick(now: number, lastContactAt: number): void {
    const contactEndsAt = lastContactAt + CONTACT_LOSS_MS;
    const due = (held: Held) =>
      now >= held.endsAt || (held.kind === 'force_closed' && now >= contactEndsAt);
    const ending = [...this.#holdings.values()].map(({ held }) => held).filter(due);
    if (ending.length === 0) return;
    this.#quietly(now, () => {
      for (const held of ending) this.#endDue(held, contactEndsAt, now);
    });
  }

  /** Monotonic instant at which the next override ends, null when none is held. */
  nextEndAt(lastContactAt: number): number | null {
    let next: number | null = null;
    for (const { held } of this.#holdings.values()) {
      const limit =
        held.kind === 'force_closed' ? lastContactAt + CONTACT_LOSS_MS : Number.POSITIVE_INFINITY;
      next = Math.min(next ?? Number.POSITIVE_INFINITY, held.endsAt, limit);
    }
    return next;
  }

  /** Something else moved the breaker, perhaps a local handle of the service. */
  breakerChanged(name: string, event: BreakerEvent, now: number): void {
    if (this.#busy || this.#holdings.size === 0 || !MOVES_OVERRIDES.has(event.type)) return;
    this.#quietly(now, () => this.#reassert(name, now));
  }

  /** The agent stops: what it can no longer watch over ends. */
  releaseAll(now: number): void {
    this.#quietly(now, () => {
      for (const id of this.#holdings.keys()) this.#end(id, 'released', now);
    });
  }

  /** Moves handles without listening to itself, then looks whether the console still prevails. */
  #quietly(now: number, move: () => void): void {
    this.#busy = true;
    try {
      move();
      const breakers = new Set([...this.#holdings.values()].map(({ held }) => held.breaker));
      for (const name of breakers) this.#reassert(name, now);
    } finally {
      this.#busy = false;
    }
  }

  /** The console prevails over a local handle or reset: its newest override is put on top again. */
  #reassert(name: string, now: number): void {
    const mine = this.#newestOn(name, now);
    if (mine === undefined) return;
    if (this.#deps.breaker(name)?.status().override?.id === mine.held.id) return;
    this.#hold(mine.held, now);
  }

  #endDue(held: Held, contactEndsAt: number, now: number): void {
    if (now >= held.endsAt) return this.#end(held.id, 'lease', held.endsAt);
    this.#end(held.id, 'contact_lost', contactEndsAt);
    const reason = 'ended after 120 s without contact';
    this.#memory.remember({ ...held, outcome: 'expired', reason, final: true }, now);
  }

  #newestOn(breaker: string, now: number): Holding | undefined {
    return [...this.#holdings.values()]
      .filter(({ held }) => held.breaker === breaker && held.endsAt > now)
      .sort((a, b) => b.held.generation - a.held.generation)[0];
  }

  #run(action: Action, now: number): boolean {
    try {
      if (action.type === 'apply') this.#hold(action.held, now);
      else if (action.type === 'lease') this.#changeLease(action.held, now);
      else if (action.type === 'reset') this.#deps.breaker(action.breaker)?.reset();
      else this.#end(action.id, action.why, now);
      return true;
    } catch (error) {
      this.#deps.debug('a breaker refused a command', String(error));
      return false;
    }
  }

  /** Puts the override on the breaker and lets go of the handle it may have had before. */
  #hold(held: Held, now: number): void {
    const before = this.#holdings.get(held.id);
    const handle = this.#deps.breaker(held.breaker)?.override(BREAKER_KIND[held.kind], {
      expiresInMs: held.endsAt - now,
      reason: held.reason,
      actor: held.actor,
      id: held.id,
    });
    if (handle === undefined) return;
    this.#holdings.set(held.id, { held, handle });
    before?.handle.release();
  }

  /** One that lies below a newer one is not moved: it is put on again when its turn comes. */
  #changeLease(held: Held, now: number): void {
    const before = this.#holdings.get(held.id);
    if (before === undefined) return;
    if (this.#deps.breaker(held.breaker)?.status().override?.id === held.id) this.#hold(held, now);
    else this.#holdings.set(held.id, { held, handle: before.handle });
  }

  #end(id: string, reason: EndReason, at: number): void {
    const holding = this.#holdings.get(id);
    if (holding === undefined) return;
    this.#holdings.delete(id);
    holding.handle.release();
    this.#deps.ended(holding.held, reason, at);
  }

  #record(answer: Answer, now: number): void {
    if (answer.final) this.#memory.remember(answer, now);
    if (answer.outcome !== 'applied') return;
    const fence = this.#fences.get(answer.breaker) ?? 0;
    this.#fences.set(answer.breaker, Math.max(fence, answer.generation));
  }
}

const idOf = (action: Action): string => ('held' in action ? action.held.id : action.id);

function refused(answer: Answer): Answer {
  return { ...answer, outcome: 'rejected', reason: 'the breaker refused it' };
}
