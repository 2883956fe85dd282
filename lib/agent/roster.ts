import type { ReportedState } from '../protocol/breaker-state';
import type { Member } from './member';
import type { SettledCall, WatchedBreaker } from './ports';
import type { NewEvent } from './reporting/map-event';
import { reportState } from './reporting/report-state';
import type { NewSample } from './reporting/sample';
import { Sampler, type NewProbe } from './reporting/sampler';

export type RosterDeps = {
  now(): { at: number; mono: number };
  /** Queues an event and returns its seq, null when it cannot be sent. */
  record(event: NewEvent): number | null;
  sample(item: NewSample | NewProbe): void;
};

type Watched = { readonly member: Member; readonly sampler: Sampler; registeredSeq: number };

/** The breakers of this process: registered, sampled, and moved at their due instants. */
export class Roster {
  readonly #deps: RosterDeps;
  readonly #watched = new Map<string, Watched>();
  readonly #unregistered = new Set<string>();

  constructor(deps: RosterDeps) {
    this.#deps = deps;
  }

  add(member: Member): void {
    const { mono } = this.#deps.now();
    const emit = (item: NewSample | NewProbe) => this.#deps.sample(item);
    const sampler = new Sampler(member.name, member.circuit.status(), mono, emit);
    const watched: Watched = { member, sampler, registeredSeq: 0 };
    this.#watched.set(member.name, watched);
    this.#register(watched);
  }

  remove(name: string): void {
    this.#watched.get(name)?.sampler.flush();
    this.#watched.delete(name);
  }

  circuit(name: string): WatchedBreaker | undefined {
    return this.#watched.get(name)?.member.circuit;
  }

  states(): ReportedState[] {
    return [...this.#watched.values()].map(({ member }) =>
      reportState(member, member.circuit.status()),
    );
  }

  settled(name: string, call: SettledCall): void {
    this.#watched.get(name)?.sampler.settled(call, this.#deps.now());
  }

  /** Once a second. */
  sample(slowLink: boolean, loopDelayMs: number): void {
    const now = this.#deps.now();
    for (const { member, sampler } of this.#watched.values()) {
      member.circuit.noteLoopDelay(loopDelayMs);
      sampler.tick(member.circuit.status(), now, slowLink);
    }
  }

  flush(): void {
    for (const { sampler } of this.#watched.values()) sampler.flush();
  }

  nextDueAt(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { member } of this.#watched.values()) {
      next = Math.min(next, member.circuit.nextDueAt() ?? Number.POSITIVE_INFINITY);
    }
    return next;
  }

  runDue(now: number): void {
    for (const { member } of this.#watched.values()) {
      const dueAt = member.circuit.nextDueAt();
      if (dueAt !== null && dueAt <= now) member.circuit.tick();
    }
  }

  /** The registration of this breaker was dropped before the server had it. */
  registrationLost(name: string): void {
    this.#unregistered.add(name);
  }

  /** The server knows events up to `ackedSeq`; `holds` says which others can still be sent. */
  welcomed(ackedSeq: number, holds: (seq: number) => boolean): void {
    for (const { registeredSeq, member } of this.#watched.values()) {
      if (registeredSeq > ackedSeq && !holds(registeredSeq)) this.#unregistered.add(member.name);
    }
    this.registerAgain();
  }

  /** The server must always know target and config, also after the first word was lost. */
  registerAgain(): void {
    if (this.#unregistered.size === 0) return;
    const names = [...this.#unregistered];
    this.#unregistered.clear();
    for (const name of names) {
      const watched = this.#watched.get(name);
      if (watched !== undefined) this.#register(watched);
    }
  }

  #register(watched: Watched): void {
    const { name: breaker, target, config, configHash } = watched.member;
    const what = { breaker, target, config, configHash };
    const seq = this.#deps.record({ type: 'registered', ...this.#deps.now(), ...what });
    watched.registeredSeq = seq ?? 0;
  }
}
