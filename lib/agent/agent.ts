/**
 * Reports the breakers of one process to the console and obeys it within the local policy.
 *
 * Everything in here runs inside a guard: the host never sees an error of the agent, never waits
 * for it, and is not kept alive by it.
 */
import type { BreakerEvent } from '../breaker/types';
import type { Hello } from '../protocol/agent-frames';
import type { Desired, Welcome } from '../protocol/server-frames';
import { CloseCode } from '../protocol/version';
import { Announcer } from './connection/announcer';
import { CommandCheck } from './connection/command-check';
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
import { Roster } from './roster';
import { Witness } from './witness';

const TICK_MS = 1000;
/** More samples than this waiting: the link is slow, and neighbours are merged. */
const SLOW_LINK_SAMPLES = 300;

export type AgentEnvironment = {
  readonly time: AgentTime;
  readonly random: () => number;
  readonly dial: Dial;
  readonly logger: AgentLogger;
  /** Worst delay of the event loop in the last second or two, in ms. */
  readonly loopDelay?: () => number;
  readonly limits?: OutboxLimits;
  readonly onWait?: (delayMs: number) => void;
};

export class Agent {
  readonly #time: AgentTime;
  readonly #guard: Guard;
  readonly #identity: Omit<Hello, 'firstSeq' | 'nextSeq' | 'clock'>;
  readonly #outbox: Outbox;
  readonly #desk: OverrideDesk;
  readonly #parts = new DesiredParts();
  readonly #check: CommandCheck;
  readonly #witness = new Witness();
  readonly #pause = new PauseMeter(TICK_MS);
  readonly #link: Link;
  readonly #due: DueDriver;
  readonly #roster: Roster;
  readonly #debug: (message: string, detail: string) => void;
  readonly #loopDelay: () => number;
  readonly #stopTicker: () => void;
  readonly #unsubscribe: (() => void)[] = [];
  #lastContactAt = 0;
  #stateWanted = false;
  #closing: Promise<void> | null = null;
  #onProgress: (() => void) | null = null;

  constructor(settings: Settings, environment: AgentEnvironment) {
    const logger = safeLogger(environment.logger);
    this.#debug = (message, detail) => logger.debug(message, { detail });
    this.#guard = makeGuard((error) => this.#debug('an error in the agent', String(error)));
    this.#time = guardTime(environment.time, this.#guard);
    this.#loopDelay = environment.loopDelay ?? (() => 0);
    this.#identity = makeIdentity(settings, this.#time);
    this.#check = new CommandCheck(settings.commandKeys, this.#identity);
    const announcer = new Announcer(logger, settings.url);
    this.#outbox = new Outbox(environment.limits ?? DEFAULT_OUTBOX, (lost) => {
      announcer.full();
      if (lost.kind === 'registered') this.#roster.registrationLost(lost.breaker);
    });
    this.#roster = new Roster({
      now: () => this.#now(),
      record: (event) => this.#record(event),
      sample: (item) => this.#outbox.addSample(item),
    });
    this.#desk = new OverrideDesk({
      policy: settings.policy,
      breaker: (name) => this.#roster.circuit(name),
      ended: (held, reason, at) => this.#overrideEnded(held, reason, at),
      debug: this.#debug,
    });
    this.#link = new Link({
      time: this.#time,
      random: environment.random,
      dial: guardDial(environment.dial, this.#guard),
      session: this.#sessionDeps(announcer),
      announcer,
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
    if (this.#closing !== null) return;
    const { name, circuit } = member;
    this.#roster.add(member);
    this.#unsubscribe.push(
      circuit.on((event) => this.#guard(() => this.#changed(name, event))),
      circuit.onSettle((call) => this.#guard(() => this.#roster.settled(name, call))),
    );
    this.#due.sooner(circuit.nextDueAt());
    this.#sendStateSoon();
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
      this.#roster.flush();
      this.#link.session?.pump();
      this.#link.hold(true);
    });
    const deadline = this.#time.mono() + withinMs;
    await this.#until(() => !this.online || this.#link.session?.settled === true, deadline);
    this.#stopTicker();
    this.#due.stop();
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
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

  #sessionDeps(announcer: Announcer): SessionDeps {
    return {
      time: this.#time,
      outbox: this.#outbox,
      epoch: this.#identity.epoch,
      hello: () => this.#hello(),
      states: () => this.#roster.states(),
      welcomed: (welcome) => this.#welcomed(welcome),
      // Who stands in the console's place cannot keep up what it could not have begun.
      contact: (isProved) => {
        if (isProved || !this.#check.isPinned) this.#lastContactAt = this.#time.mono();
      },
      progress: () => this.#onProgress?.(),
      unproven: (raw) => {
        const problem = this.#check.problem(raw);
        if (problem !== null) announcer.unproven(problem);
        return problem;
      },
      desired: (frame) => this.#desired(frame),
      itemRefused: (why) => announcer.partly(why),
      witness: (checkpoint) => this.#witness.see(checkpoint),
      debug: this.#debug,
    };
  }

  #hello(): Hello {
    const { firstSeq, nextSeq } = this.#outbox.events;
    const { at, mono } = this.#now();
    const nonce = this.#check.begin();
    const fresh = { firstSeq, nextSeq, clock: { at, mono }, ...(nonce === null ? {} : { nonce }) };
    return { ...this.#identity, ...fresh };
  }

  #welcomed(welcome: Welcome): void {
    this.#parts.clear();
    this.#witness.connected();
    this.#desk.serverIs(welcome.serverEpoch);
    this.#roster.welcomed(welcome.ackedSeq, (seq) => this.#outbox.events.holds(seq));
  }

  #record(event: NewEvent): number | null {
    const seq = this.#outbox.addEvent(event);
    this.#link.session?.pumpSoon();
    return seq;
  }

  #changed(name: string, event: BreakerEvent): void {
    if (event.type === 'disposed') {
      this.#roster.remove(name);
      this.#sendStateSoon();
    }
    const record = mapEvent(name, event);
    if (record !== null) this.#record(record);
    this.#desk.breakerChanged(name, event, this.#time.mono());
    this.#due.sooner(this.#roster.circuit(name)?.nextDueAt() ?? null);
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
    const now = this.#time.mono();
    this.#pause.tick(now);
    this.#runDue();
    const slow = !this.online || this.#outbox.samples.unsent > SLOW_LINK_SAMPLES;
    this.#roster.sample(slow, this.#loopDelay());
    if (this.online) this.#roster.registerAgain();
    this.#link.tick(now);
    this.#due.rearm();
  }

  #nextDueAt(): number | null {
    const endAt = this.#desk.nextEndAt(this.#lastContactAt) ?? Number.POSITIVE_INFINITY;
    const next = Math.min(endAt, this.#roster.nextDueAt());
    return next === Number.POSITIVE_INFINITY ? null : next;
  }

  #runDue(): void {
    const now = this.#time.mono();
    this.#roster.runDue(now);
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
