import { drawn } from '../core';
import { takenOver } from './capacity';
import type { Fleet } from './fleet';
import type { Member } from './member';
import type { EndpointSetConfig } from './options';
import { BreakerPermit, PanicPermit } from './permits';
import type {
  EndpointPermit,
  EndpointRejection,
  EndpointRejectionReason,
  PickOptions,
} from './types';

const WHOLE = 10_000;

/** Goes round; those that are passed over lose nothing and their turns spread evenly. */
class Ring {
  #at: number;

  constructor(start: number) {
    this.#at = start;
  }

  next(members: readonly Member[], accepts: (member: Member) => boolean): Member | null {
    for (let i = 1; i <= members.length; i++) {
      const at = (this.#at + i) % members.length;
      const member = members[at];
      if (member === undefined || !accepts(member)) continue;
      this.#at = at;
      return member;
    }
    return null;
  }
}

/**
 * Decides who gets the next call.
 *
 * All endpoints have turns, the missing ones too. In service, a turn is a call. Recovering, the
 * breaker decides how many of its turns it takes, so that the step's share is a share of a fair
 * share. What is left goes round among those in service, up to what panic allows.
 */
export class Picker {
  readonly #fleet: Fleet;
  readonly #config: EndpointSetConfig;
  readonly #turns: Ring;
  readonly #takers: Ring;
  readonly #rest: Ring;
  /** Integer credit: a spare turn adds the part that is taken over, a call costs 10,000. */
  #credit = 0;
  picked = 0;
  probes = 0;
  panicPicks = 0;
  rejected = 0;

  constructor(fleet: Fleet, config: EndpointSetConfig, random: () => number) {
    this.#fleet = fleet;
    this.#config = config;
    // Many clients of one target must not all begin with its first endpoint.
    const start = () => Math.floor(drawn(random) * Math.max(1, fleet.members.length));
    this.#turns = new Ring(start());
    this.#takers = new Ring(start());
    this.#rest = new Ring(start());
  }

  pick(options: PickOptions): EndpointPermit | EndpointRejection {
    const { members, panic } = this.#fleet;
    const turn = this.#turns.next(members, () => true);
    if (turn === null) return this.#reject('no_endpoints', options);
    const usable = (member: Member) => options.exclude?.includes(member.name) !== true;
    if (usable(turn) && this.#takesTurn(turn)) {
      const permit = this.#ask(turn, options);
      if (permit !== null) return permit;
    }
    if (!panic || this.#takeOver()) {
      const taker = this.#takers.next(members, (m) => m.phase === 'in' && usable(m));
      const permit = taker === null ? null : this.#ask(taker, options);
      if (permit !== null) return permit;
    }
    if (panic && this.#config.panic === 'use_all') {
      const rest = this.#rest.next(members, (m) => m.phase !== 'in' && usable(m) && !m.forcedOut);
      if (rest !== null) return this.#force(rest);
    }
    if (panic) return this.#reject('panic', options);
    return this.#reject(this.#fleet.count('in') > 0 ? 'excluded' : 'unavailable', options);
  }

  reject(reason: EndpointRejectionReason): EndpointRejection {
    return this.#reject(reason, {});
  }

  /** Recovering endpoints wait for those that are further along. */
  isProbed(member: Member): boolean {
    const limit = this.#config.maxRecovering ?? Math.max(1, this.#fleet.maxEjected);
    let ahead = 0;
    for (const other of this.#fleet.members) if (other.isAheadOf(member)) ahead++;
    return ahead < limit;
  }

  #takesTurn(member: Member): boolean {
    return member.phase === 'in' || (member.phase === 'recovering' && this.isProbed(member));
  }

  #takeOver(): boolean {
    const { members, maxEjected } = this.#fleet;
    this.#credit += takenOver(members.length, this.#fleet.count('in'), maxEjected);
    if (this.#credit < WHOLE) return false;
    this.#credit -= WHOLE;
    return true;
  }

  #ask(member: Member, options: PickOptions): EndpointPermit | null {
    const { idempotent = true, key } = options;
    const asked = key === undefined ? { idempotent } : { idempotent, key };
    const permit = member.breaker.tryAcquire(asked);
    if (!permit.granted) return null;
    this.picked++;
    if (permit.probe) this.probes++;
    return new BreakerPermit(this.#fleet, member.name, permit);
  }

  #force(member: Member): EndpointPermit {
    this.picked++;
    this.panicPicks++;
    return new PanicPermit(this.#fleet, member, this.#config.callTimeoutMs);
  }

  #reject(reason: EndpointRejectionReason, { exclude }: PickOptions): EndpointRejection {
    this.rejected++;
    const waits = this.#fleet.members
      .filter(({ name }) => exclude?.includes(name) !== true)
      .flatMap((member) => this.#waitOf(member) ?? []);
    return {
      granted: false,
      reason,
      panic: this.#fleet.panic,
      retryAfterMs: waits.length === 0 ? null : Math.min(...waits),
    };
  }

  #waitOf({ phase, breaker }: Member): number | null {
    if (phase === 'recovering') return this.#config.minProbeIntervalMs;
    const at = phase === 'out' ? breaker.nextDueAt() : null;
    return at === null ? null : Math.max(0, at - this.#fleet.now);
  }
}
