import { CircuitBreaker } from '../breaker';
import { firstReading, monotonic } from '../core';
import type { Environment } from '../environment';
import { Announcer } from './announcer';
import { isPanic, maxEjected, missing } from './capacity';
import { Member, phaseOf } from './member';
import { checkEndpointName } from './options';
import type { EndpointSetConfig } from './options';
import { isOutlier } from './outliers';
import type { EndpointEventType, EndpointPhase } from './types';

/**
 * The endpoints of a set and the one time in which they live.
 *
 * Their breakers read the clock of the set. Before anything else happens it walks through all that
 * has become due at any of them, in order of the due instants, so that panic begins and ends at
 * the same instants however often anybody looks.
 */
export class Fleet {
  readonly members: Member[] = [];
  readonly announcer: Announcer;
  panic = false;
  ejections = 0;
  outliers = 0;
  overflow = 0;
  readonly #name: string;
  readonly #config: EndpointSetConfig;
  readonly #environment: Environment;
  #now: number;
  /** An operation is under way: time stands still for it. */
  #busy = false;
  /** A share may have changed since the last review. */
  #moving = true;

  constructor(name: string, config: EndpointSetConfig, environment: Environment) {
    this.#name = name;
    this.#config = config;
    this.#environment = environment;
    this.announcer = new Announcer(environment.onProblem);
    this.#now = firstReading(environment.clock());
  }

  get now(): number {
    return this.#now;
  }

  get maxEjected(): number {
    return maxEjected(this.#config.maxEjectedShare, this.members.length);
  }

  /** Of all endpoints together, in basis points of one. */
  get missingBp(): number {
    return missing(this.members.map(({ breaker }) => breaker.share));
  }

  /** Runs one operation in the present, and draws the consequences. */
  within<T>(operation: () => T): T {
    if (this.#busy) return operation();
    this.#busy = true;
    try {
      this.#catchUp();
      const result = operation();
      this.#judge();
      if (this.#moving) this.review(this.#now);
      return result;
    } finally {
      this.#busy = false;
      this.announcer.flush();
    }
  }

  count(phase: EndpointPhase): number {
    return this.members.filter((member) => member.phase === phase).length;
  }

  find(name: string): Member | undefined {
    return this.members.find((member) => member.name === name);
  }

  add(given: unknown): Member {
    const name = checkEndpointName(given, (other) => this.find(other) !== undefined);
    const breaker = new CircuitBreaker(`${this.#name}/${name}`, {
      ...this.#config.breaker,
      ...this.#environment,
      clock: () => this.#time(),
    });
    const member = new Member(name, breaker, this.#config.outlier?.windowMs ?? null);
    breaker.on((event) => {
      member.follow(event);
      this.#moved(member, phaseOf(event.to), event.reason, event.monoMs);
    });
    breaker.onSettle((settlement) => {
      // Only the share of a recovering endpoint can change without an event.
      if (settlement.probe) this.#moving = true;
      member.settled(settlement, this.#now);
    });
    this.members.push(member);
    this.#moving = true;
    return member;
  }

  /** Calls that are under way there settle as `late`. */
  remove(member: Member): void {
    member.removed = true;
    this.members.splice(this.members.indexOf(member), 1);
    this.#moving = true;
    member.breaker.dispose();
  }

  announce(type: EndpointEventType, endpoint: string | null, reason: string, at: number): void {
    this.announcer.push({
      type,
      endpoint,
      reason,
      endpoints: this.members.length,
      out: this.count('out'),
      panic: this.panic,
      monoMs: at,
    });
  }

  /** Says so when panic begins or ends. */
  review(at: number): void {
    this.#moving = false;
    const total = this.members.length;
    const panic = isPanic(this.missingBp, total, this.maxEjected);
    if (panic === this.panic) return;
    this.panic = panic;
    const reason = total === 0 ? 'no_endpoints' : 'capacity';
    this.announce(panic ? 'panic' : 'panic_over', null, reason, at);
  }

  /** The clock of the breakers. */
  #time(): number {
    this.within(() => undefined);
    return this.#now;
  }

  #catchUp(): void {
    const target = monotonic(this.#environment.clock(), this.#now);
    for (;;) {
      const next = this.#nextDue(target);
      if (next === null) break;
      this.#now = Math.max(this.#now, next.at);
      next.member.breaker.tick();
      this.#judge();
      this.review(this.#now);
    }
    this.#now = target;
  }

  #nextDue(target: number): { readonly member: Member; readonly at: number } | null {
    let found: { member: Member; at: number } | null = null;
    for (const member of this.members) {
      if (member.breaker.quietUntil > target) continue;
      const at = member.breaker.nextDueAt();
      if (at !== null && at <= target && (found === null || at < found.at)) found = { member, at };
    }
    return found;
  }

  #moved(member: Member, phase: EndpointPhase, reason: string, at: number): void {
    if (member.removed) return;
    const before = member.phase;
    if (phase !== before) {
      member.phase = phase;
      member.rates?.clear();
      if (phase === 'out') this.ejections++;
      this.announce(names[phase], member.name, reason, at);
    }
    this.review(at);
    if (!this.#busy) this.announcer.flush();
  }

  #judge(): void {
    const limits = this.#config.outlier;
    if (limits === null) return;
    for (const member of this.members) {
      if (!member.suspect) continue;
      member.suspect = false;
      if (member.phase !== 'in' || !this.#isWorse(member, limits)) continue;
      // Breakers that opened by themselves count too; comparison never goes beyond what is allowed.
      if (this.missingBp + 10_000 > this.maxEjected * 10_000) this.overflow++;
      else if (member.breaker.adopt({ reason: 'outlier' })) this.outliers++;
    }
  }

  #isWorse(member: Member, limits: NonNullable<EndpointSetConfig['outlier']>): boolean {
    const own = member.rates?.totals(this.#now);
    // Nobody is an outlier by less than the gap, so that most looks end here.
    if (own === undefined || own.failures <= own.calls * limits.minimumGap) return false;
    // Those out of service have no calls and so do not count.
    const peers = this.members.flatMap(({ rates }) =>
      rates === null || rates === member.rates ? [] : [rates.totals(this.#now)],
    );
    return isOutlier(limits, own, peers);
  }
}

const names = { in: 'returned', recovering: 'recovering', out: 'ejected' } as const;
