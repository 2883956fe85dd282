/**
 * One connection, from `hello` to its end: what is said in which order, independent of sockets.
 *
 * Nothing but `hello` is sent before `welcome`. After it come the full state and then the events
 * after `ackedSeq`, never more frames than the server gave credit for.
 */
import type { Hello } from '../../protocol/agent-frames';
import type { AuditCheckpoint, RollbackAlarm } from '../../protocol/audit';
import type { ReportedState } from '../../protocol/breaker-state';
import type { Desired, ServerFrame, Welcome } from '../../protocol/server-frames';
import { CloseCode } from '../../protocol/version';
import { digestOf } from '../hash';
import type { Outbox } from '../outbox/outbox';
import type { AgentTime, Wire } from '../ports';
import { plainText } from '../text';
import { Credit } from './credit';
import { stateFrames } from './frames';
import { Inbound, type Received } from './inbound';
import { ENVELOPE_BYTES, sendLimits, type SendLimits } from './limits';
import { sendBatches } from './pump';
import type { Farewell } from './verdict';

/** No `welcome` within this time: the server hangs. */
const WELCOME_MS = 15_000;
const SILENCE_MS = 45_000;
const DIGEST_EVERY_MS = 60_000;
/** A server that asks for the state all the time gets it this often at most. */
const STATE_EVERY_MS = 1_000;

export type SessionDeps = {
  readonly time: AgentTime;
  readonly outbox: Outbox;
  readonly epoch: string;
  hello(): Hello;
  states(): readonly ReportedState[];
  /** The position is known now: the moment to add what the server cannot know any more. */
  welcomed(welcome: Welcome): void;
  /** A valid frame of a server that accepted us; `isProved`: one that a pinned key has signed. */
  contact(isProved: boolean): void;
  /** A frame was dealt with: what waits for the connection may look again. */
  progress(): void;
  /** Why a `desired` frame must not be obeyed; null when it may be. */
  unproven(raw: string): string | null;
  desired(frame: Desired): void;
  /** What to answer to a signed state of the console's audit trail; null for nothing. */
  witness(checkpoint: AuditCheckpoint): RollbackAlarm | null;
  /** The console goes on with us but cannot keep an item, and says why. */
  itemRefused(why: string): void;
  debug(message: string, detail: string): void;
};

type Live = { readonly credit: Credit; readonly limits: SendLimits };

export class Session {
  readonly #deps: SessionDeps;
  readonly #wire: Wire;
  readonly #inbound: Inbound;
  readonly #startedAt: number;
  #live: Live | null = null;
  #greeted = false;
  #lastActivityAt: number;
  #digestAt = 0;
  #stateAt = Number.NEGATIVE_INFINITY;
  #stateAsked = false;
  #pumpWanted = false;
  #over = false;
  #farewell: Farewell = {};

  constructor(deps: SessionDeps, wire: Wire) {
    this.#deps = deps;
    this.#wire = wire;
    this.#inbound = new Inbound(() => deps.time.mono());
    this.#startedAt = deps.time.mono();
    this.#lastActivityAt = this.#startedAt;
  }

  get live(): boolean {
    return this.#live !== null && !this.#over;
  }
  get farewell(): Farewell {
    return this.#farewell;
  }
  /** Nothing waits to be sent or acknowledged. */
  get settled(): boolean {
    const { events, samples } = this.#deps.outbox;
    return !events.hasUnacked && samples.unsent === 0 && this.#live?.credit.idle !== false;
  }

  open(): void {
    this.#greeted = true;
    this.#lastActivityAt = this.#deps.time.mono();
    this.#send(JSON.stringify(this.#deps.hello()));
  }

  over(): void {
    this.#over = true;
  }

  activity(): void {
    this.#lastActivityAt = this.#deps.time.mono();
  }

  text(raw: string): void {
    if (this.#over || !this.#greeted) return;
    const received = this.#inbound.receive(raw);
    const commands = received.kind === 'frame' && received.frame.type === 'desired';
    // Not a fault that ends the connection: what it reports is worth as much as before.
    const problem = commands ? this.#deps.unproven(raw) : null;
    this.#take(problem === null ? received : { kind: 'ignored', problem });
  }

  binary(): void {
    if (!this.#over) this.#take(this.#inbound.fault('binary frame'));
  }

  /** Once a second: silence, a hanging handshake, the digest, samples that wait. */
  tick(now: number): void {
    if (this.#over) return;
    if (now - this.#lastActivityAt >= SILENCE_MS) return this.#abandon('no frame for 45 s');
    if (this.#live === null) {
      if (this.#greeted && now - this.#startedAt >= WELCOME_MS) this.#abandon('no welcome');
      return;
    }
    if (this.#stateAsked) this.sendState();
    if (now - this.#digestAt >= DIGEST_EVERY_MS) {
      this.#digestAt = now;
      this.#send(JSON.stringify({ type: 'state', digest: digestOf(this.#deps.states()) }));
    }
    this.pumpSoon();
  }

  /** Sends what is new after the current work of the host; many calls make one sending. */
  pumpSoon(): void {
    if (this.#pumpWanted || !this.live) return;
    this.#pumpWanted = true;
    this.#deps.time.soon(() => {
      this.#pumpWanted = false;
      this.pump();
    });
  }

  pump(): void {
    if (this.#live === null || this.#over) return;
    const { outbox, time } = this.#deps;
    const { gapSent } = sendBatches(outbox, this.#live, this.#wire, time);
    if (gapSent) this.sendState();
  }

  sendState(): void {
    if (this.#live === null || this.#over) return;
    const states = this.#deps.states();
    this.#stateAsked = false;
    this.#stateAt = this.#deps.time.mono();
    this.#digestAt = this.#stateAt;
    const room = this.#live.limits.maxFrameBytes - ENVELOPE_BYTES;
    for (const frame of stateFrames(digestOf(states), states, room)) this.#send(frame);
  }

  send(frames: readonly string[]): void {
    for (const frame of frames) this.#send(frame);
  }

  get maxBodyBytes(): number {
    return (this.#live?.limits.maxFrameBytes ?? 16 * 1024) - ENVELOPE_BYTES;
  }

  goodbye(reason: string): void {
    if (this.live) this.#send(JSON.stringify({ type: 'goodbye', reason: plainText(reason) }));
  }

  #take(received: Received): void {
    if (received.kind === 'frame') return this.#handle(received.frame);
    this.#deps.debug('ignored a frame of the console', received.problem);
    if (received.kind !== 'hostile') return;
    this.#farewell = { ...this.#farewell, ours: true };
    this.#wire.close(CloseCode.PolicyViolation, 'too many faulty frames');
  }

  #handle(frame: ServerFrame): void {
    if (frame.type === 'error') {
      if (frame.seq !== undefined) this.#deps.itemRefused(plainText(frame.message, 200));
      return this.#refused(frame.code, frame.message, frame.permanent);
    }
    if (frame.type === 'restarting') {
      this.#farewell = { ...this.#farewell, retryAfterMs: frame.retryAfterMs };
      return;
    }
    if (frame.type === 'welcome') return this.#welcome(frame);
    if (this.#live === null) {
      this.#take(this.#inbound.fault(`${frame.type} before welcome`));
      return;
    }
    this.#deps.contact(frame.type === 'desired');
    this.#handleLive(frame, this.#live);
    this.#deps.progress();
  }

  #handleLive(frame: Exclude<ServerFrame, { type: 'error' | 'welcome' }>, live: Live): void {
    switch (frame.type) {
      case 'ack':
        live.credit.free(frame.frames);
        if (frame.epoch === this.#deps.epoch) {
          this.#deps.outbox.acknowledge(frame.seq, frame.samplesSeq);
        }
        return this.pumpSoon();
      case 'resend':
        this.#deps.outbox.events.rewind(frame.from);
        return this.pumpSoon();
      case 'need_state':
        return this.#stateWanted();
      case 'desired':
        return this.#deps.desired(frame);
      case 'checkpoint':
        return this.#witness(frame.checkpoint);
      case 'ping':
        return this.#send(JSON.stringify({ type: 'pong', id: frame.id, clock: this.#clock() }));
      case 'slow_down':
      case 'restarting':
        return undefined;
    }
  }

  #witness(checkpoint: AuditCheckpoint): void {
    const alarm = this.#deps.witness(checkpoint);
    if (alarm !== null) this.#send(JSON.stringify(alarm));
  }

  #stateWanted(): void {
    if (this.#deps.time.mono() - this.#stateAt >= STATE_EVERY_MS) this.sendState();
    else this.#stateAsked = true;
  }

  #welcome(frame: Welcome): void {
    if (this.#live !== null) {
      this.#take(this.#inbound.fault('second welcome'));
      return;
    }
    const [required] = frame.requires ?? [];
    if (required !== undefined) {
      this.#refused('requires', `the console needs "${required}", which this agent has not`, true);
      return;
    }
    const limits = sendLimits(frame.limits);
    this.#live = { limits, credit: new Credit(limits.window) };
    this.#deps.outbox.restart(frame.ackedSeq, frame.samplesSeq);
    this.#deps.contact(false);
    this.#deps.welcomed(frame);
    this.sendState();
    this.pumpSoon();
  }

  #refused(code: string, message: string, permanent: boolean): void {
    const text = plainText(`${code}: ${message}`, 200);
    this.#deps.debug('the console reports an error', text);
    if (permanent) this.#farewell = { ...this.#farewell, permanent: text };
    if (permanent) this.#wire.close(CloseCode.Normal, 'refused');
  }

  #abandon(why: string): void {
    this.#deps.debug('gave up on a silent connection', why);
    this.#farewell = { ...this.#farewell, ours: true };
    this.#wire.terminate();
  }

  #clock(): Hello['clock'] {
    return { at: this.#deps.time.wall(), mono: this.#deps.time.mono() };
  }

  #send(text: string): void {
    if (!this.#over) this.#wire.send(text);
  }
}
