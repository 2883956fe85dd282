/**
 * Reports the breakers of one process to the console and obeys it within the local policy.
 *
 * Everything in here runs inside a guard: the host never sees an error of the agent, never waits
 * for it, and is not kept alive by it.
 */
import type { BreakerEvent } from '../breaker/types';
import type { Hello } from '../protocol/agent-frames';
import type { ReportedState } from '../protocol/breaker-state';
import type { Desired, Welcome } from '../protocol/server-frames';
import { CloseCode } from '../protocol/version';
import { Announcer } from './connection/announcer';
import { appliedFrames } from './connection/frames';
import { Link } from './connection/link';
import type { SessionDeps } from './connection/session';
import { DueDriver } from './due-driver';
import { guardDial, guardTime, makeGuard, type Guard } from './guard';
import { makeIdentity } from './identity';
import { safeLogger } from './log';
import type { Member } from './member';
import type { Settings } from './options';
import { DEFAULT_OUTBOX, Outbox, type OutboxLimits } from './outbox/outbox';
import { OverrideDesk, type EndReason } from './overrides/desk';
import { DesiredParts } from './overrides/desired-parts';
import type { Held } from './overrides/reconcile';
import { PauseMeter } from './pause-meter';
import type { AgentLogger, AgentTime, Dial } from './ports';
import { mapEvent, type NewEvent } from './reporting/map-event';
import { reportState } from './reporting/report-state';
import { Sampler, type SettledCall } from './reporting/sampler';

const TICK_MS = 1000;
/** More samples than this waiting: the link is slow, and neighbours are merged. */
const SLOW_LINK_SAMPLES = 300;

export type AgentEnvironment = {
  readonly time: AgentTime;
  readonly random: () => number;
  readonly dial: Dial;
  readonly logger: AgentLogger;
  readonly limits?: OutboxLimits;
  readonly onWait?: (delayMs: number) => void;
};

type Watched = { readonly member: Member; readonly sampler: Sampler; registeredSeq: number };

export class Agent {
  readonly #time: AgentTime;
  readonly #guard: Guard;
  readonly #identity: Omit<Hello, 'firstSeq' | 'nextSeq' | 'clock'>;
  readonly #outbox: Outbox;
  readonly #desk: OverrideDesk;
  readonly #parts = new DesiredParts();
  readonly #pause = new PauseMeter(TICK_MS);
  readonly #link: Link;
  readonly #due: DueDriver;
  readonly #watched = new Map<string, Watched>();
  readonly #unregistered = new Set<string>();
  readonly #debug: (message: string, detail: string) => void;
  readonly #stopTicker: () => void;
  #lastContactAt = 0;
  #stateWanted = false;
  #closing: Promise<void> | null = null;
  #onProgress: (() => void) | null = null;

  constructor(settings: Settings, environment: AgentEnvironment) {
    const logger = safeLogger(environment.logger);
    this.#debug = (message, detail) => logger.debug(message, { detail });
    this.#guard = makeGuard((error) => this.#debug('an error in the agent', String(error)));
    this.#time = guardTime(environment.time, this.#guard);
    this.#identity = makeIdentity(settings, this.#time);
    this.#outbox = new Outbox(environment.limits ?? DEFAULT_OUTBOX, (lost) => {
      if (lost.kind === 'registered') this.#unregistered.add(lost.breaker);
    });
    this.#desk = new OverrideDesk({
      policy: settings.policy,
      breaker: (name) => this.#watched.get(name)?.member.circuit,
      ended: (held, reason, at) => this.#overrideEnded(held, reason, at),
      debug: this.#debug,
    });
    this.#link = new Link({
      time: this.#time,
      random: environment.random,
      dial: guardDial(environment.dial, this.#guard),
      session: this.#sessionDeps(),
      announcer: new Announcer(logger, settings.url),
      ended: () => this.#onProgress?.(),
      ...(environment.onWait === undefined ? {} : { onWait: environment.onWait }),
    });
    this.#due = new DueDriver(
      this.#time,
      () => this.#nextDueAt(),
      () => this.#runDue(),
    );
    this.#stopTicker = this.#time.every(TICK_MS, () => this.#tick());
    this.#time.soon(() => this.#link.start());
  }

  get online(): boolean {
    return this.#link.online;
  }

  get queue(): { events: number; samples: number; droppedEvents: number; droppedSamples: number } {
    const { events, samples } = this.#outbox;
    return {
      events: events.length,
      samples: samples.length,
      droppedEvents: events.dropped,
      droppedSamples: samples.dropped,
    };
  }

  watch(member: Member): void {
    const { name, circuit } = member;
    const sampler = new Sampler(name, circuit.status(), this.#time.mono(), (item) =>
      this.#outbox.addSample(item),
    );
    const watched: Watched = { member, sampler, registeredSeq: 0 };
    this.#watched.set(name, watched);
    this.#register(watched);
    circuit.on((event) => this.#guard(() => this.#changed(name, event)));
    this.#due.rearm();
    this.#sendStateSoon();
  }

  /** Hears every call that ended on a watched breaker. */
  settled(name: string, call: SettledCall): void {
    this.#guard(() => this.#watched.get(name)?.sampler.settled(call, this.#now()));
  }

  /** Says goodbye and sends what it can within the given time. Never rejects. */
  close(withinMs: number): Promise<void> {
    this.#closing ??= this.#close(withinMs);
    return this.#closing;
  }

  async #close(withinMs: number): Promise<void> {
    this.#guard(() => {
      this.#desk.releaseAll(this.#time.mono());
      this.#tick();
      for (const { sampler } of this.#watched.values()) sampler.flush();
      this.#link.session?.pump();
      this.#link.hold(true);
    });
    const deadline = this.#time.mono() + withinMs;
    await this.#until(() => !this.online || this.#link.session?.settled === true, deadline);
    this.#stopTicker();
    this.#due.stop();
    this.#guard(() => {
      this.#link.session?.goodbye('closed by the service');
      this.#link.stop(CloseCode.Normal, 'goodbye');
    });
    await this.#until(() => this.#link.session === null, deadline);
    this.#guard(() => this.#link.hold(false));
  }

  /** Looks again whenever the connection makes progress; ends at the deadline in any case. */
  #until(done: () => boolean, deadline: number): Promise<void> {
    if (done() || this.#time.mono() >= deadline) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        this.#onProgress = null;
        cancel();
        resolve();
      };
      const cancel = this.#time.after(Math.max(0, deadline - this.#time.mono()), finish);
      this.#onProgress = () => {
        if (done()) finish();
      };
    });
  }

  #sessionDeps(): SessionDeps {
    return {
      time: this.#time,
      outbox: this.#outbox,
      epoch: this.#identity.epoch,
      hello: () => this.#hello(),
      states: () => this.#states(),
      welcomed: (welcome) => this.#welcomed(welcome),
      contact: () => {
        this.#lastContactAt = this.#time.mono();
      },
      progress: () => this.#onProgress?.(),
      desired: (frame) => this.#desired(frame),
      debug: this.#debug,
    };
  }

  #hello(): Hello {
    const { firstSeq, nextSeq } = this.#outbox.events;
    const { at, mono } = this.#now();
    return { ...this.#identity, firstSeq, nextSeq, clock: { at, mono } };
  }

  #states(): ReportedState[] {
    return [...this.#watched.values()].map(({ member }) =>
      reportState(member, member.circuit.status()),
    );
  }

  #welcomed(welcome: Welcome): void {
    this.#parts.clear();
    this.#desk.serverIs(welcome.serverEpoch);
    for (const watched of this.#watched.values()) {
      const { registeredSeq, member } = watched;
      const stored = registeredSeq <= welcome.ackedSeq;
      if (!stored && !this.#outbox.events.holds(registeredSeq)) this.#unregistered.add(member.name);
    }
    this.#registerAgain();
  }

  /** The server must always know target and config, also after the first word was dropped. */
  #registerAgain(): void {
    const names = [...this.#unregistered];
    this.#unregistered.clear();
    for (const name of names) {
      const watched = this.#watched.get(name);
      if (watched !== undefined) this.#register(watched);
    }
  }

  #register(watched: Watched): void {
    const { name: breaker, target, config, configHash } = watched.member;
    const event = {
      type: 'registered',
      ...this.#now(),
      breaker,
      target,
      config,
      configHash,
    } as const;
    watched.registeredSeq = this.#record(event) ?? 0;
  }

  #record(event: NewEvent): number | null {
    const seq = this.#outbox.addEvent(event);
    this.#link.session?.pumpSoon();
    return seq;
  }

  #changed(name: string, event: BreakerEvent): void {
    const record = mapEvent(name, event);
    if (record !== null) this.#record(record);
    this.#desk.breakerChanged(name, event, this.#time.mono());
    this.#due.rearm();
  }

  #overrideEnded(held: Held, reason: EndReason, endedAt: number): void {
    const { at, mono } = this.#now();
    this.#record({
      type: 'override_ended',
      at: at - (mono - endedAt),
      mono: endedAt,
      breaker: held.breaker,
      override: { id: held.id, kind: held.kind },
      reason,
    });
  }

  #desired(frame: Desired): void {
    const { session } = this.#link;
    const now = this.#time.mono();
    const whole = this.#parts.add(frame, now, this.#pause.lateMs);
    if (whole === null || session === null) return;
    const results = this.#desk.receive(whole, now);
    session.send(appliedFrames(frame.revision, results, session.maxBodyBytes));
    this.#due.rearm();
  }

  #tick(): void {
    const now = this.#now();
    this.#pause.tick(now.mono);
    this.#runDue();
    const slow = !this.online || this.#outbox.samples.unsent > SLOW_LINK_SAMPLES;
    for (const { member, sampler } of this.#watched.values()) {
      sampler.tick(member.circuit.status(), now, slow);
    }
    if (this.online && this.#unregistered.size > 0) this.#registerAgain();
    this.#link.tick(now.mono);
    this.#due.rearm();
  }

  #nextDueAt(): number | null {
    let next = this.#desk.nextEndAt(this.#lastContactAt) ?? Number.POSITIVE_INFINITY;
    for (const { member } of this.#watched.values()) {
      next = Math.min(next, member.circuit.nextDueAt() ?? Number.POSITIVE_INFINITY);
    }
    return next === Number.POSITIVE_INFINITY ? null : next;
  }

  #runDue(): void {
    const now = this.#time.mono();
    for (const { member } of this.#watched.values()) {
      const dueAt = member.circuit.nextDueAt();
      if (dueAt !== null && dueAt <= now) member.circuit.tick();
    }
    this.#desk.tick(now, this.#lastContactAt);
  }

  #sendStateSoon(): void {
    if (this.#stateWanted || !this.online) return;
    this.#stateWanted = true;
    this.#time.soon(() => {
      this.#stateWanted = false;
      this.#link.session?.sendState();
    });
  }

  #now(): { at: number; mono: number } {
    return { at: this.#time.wall(), mono: this.#time.mono() };
  }
}
