import { cursorOf, foldHeartbeat, foldPatch, foldSnapshot } from '../live/fold';
import type {
  BreakerDetailPatch,
  LiveFrame,
  LivePatch,
  LiveRequest,
  PresentPerson,
} from '../protocol/live-frames';
import { mayReconnect } from '../protocol/version';
import type { Painted } from './breather';
import { Channels } from './channels';
import type { Clock, Timer } from './clock';
import {
  DEAD_AFTER_MS,
  OFFLINE_AFTER_MS,
  PING_AFTER_MS,
  reconnectDelay,
  sameConnection,
  STALE_AFTER_MS,
  type Connection,
} from './connection';
import { parseLiveFrame } from './live-guard';
import { LiveStore } from './live-store';
import { ServerClock } from './server-clock';
import { Ticker } from './ticker';
import { Topics, type DetailListener } from './topics';

export type LiveSocket = { send(text: string): void; close(code?: number): void };
export type SocketEvents = {
  /** With the ticket of this socket. */
  open: (ticket?: string) => unknown;
  message: (text: string) => unknown;
  close: (code: number) => unknown;
};
export type SocketFactory = (events: SocketEvents) => LiveSocket;

export type LiveClientDeps = {
  connect: SocketFactory;
  clock: Clock;
  random: () => number;
  painted?: Painted;
};

const WATCH_EVERY_MS = 500;
const NOBODY: readonly PresentPerson[] = [];
/** Ours for "silent past two heartbeats" and "a revision is missing"; both may come back. */
const CLOSE_SILENT = 4102;
const CLOSE_GAP = 4103;

/**
 * The one live connection of a page: opens, resumes from its cursor, reconnects, and says how
 * much of what it holds may still be called live.
 */
export class LiveClient {
  readonly store: LiveStore;
  readonly ticker: Ticker;
  readonly #channels = new Channels();
  readonly #serverClock = new ServerClock();
  readonly #topics = new Topics(() => this.#sendTopics());
  #presence = new Map<string, readonly PresentPerson[]>();
  #connection: Connection = { status: 'connecting' };
  #socket: LiveSocket | null = null;
  #retry: Timer | null = null;
  #attempt = 0;
  #started = false;
  #refused = false;
  #opened = false;
  #opens = 0;
  #greeted = false;
  #openedAtRevision = -1;
  #ignoreCursor = false;
  #lastWordAt: number;
  #lastPingAt = 0;
  #socketSince = 0;
  #frozenAt: number | null = null;
  #pausedAt: number | null = null;

  constructor(private readonly deps: LiveClientDeps) {
    this.#lastWordAt = deps.clock.now();
    this.store = new LiveStore(deps.clock, deps.painted);
    this.ticker = new Ticker(deps.clock, () => ({
      wall: this.serverNow(),
      live: this.#pausedAt ?? this.#frozenAt ?? this.serverNow(),
    }));
  }

  readonly connection = (): Connection => this.#connection;
  readonly watchConnection = (listener: () => void) => this.#channels.add('connection', listener);

  /** Other people at this breaker, as far as its topic is wanted. The same list until it changes. */
  readonly presentAt = (breakerId: string): readonly PresentPerson[] =>
    this.#presence.get(breakerId) ?? NOBODY;
  readonly watchPresence = (listener: () => void) => this.#channels.add('presence', listener);

  /** After a reconnect or a reset: what was fetched over HTTP may have missed something. */
  readonly watchResync = (listener: () => void) => this.#channels.add('resync', listener);

  serverNow(): number {
    return this.#serverClock.now(this.deps.clock.now());
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#lastWordAt = this.deps.clock.now();
    this.#open();
    this.deps.clock.after(WATCH_EVERY_MS, () => this.#watch());
  }

  /** Comes back at once, for a person who asks and for a network that returns. */
  readonly reconnectNow = (): void => {
    if (!this.#started || this.#socket !== null) return;
    this.#refused = false;
    this.#open();
  };

  readonly pausedAt = (): number | null => this.#pausedAt;

  /** Stops what a person sees, not what we hear: nothing is lost, and the connection stays. */
  setPaused(paused: boolean): void {
    if (paused === this.store.paused()) return;
    this.#pausedAt = paused ? (this.#frozenAt ?? this.serverNow()) : null;
    this.store.setPaused(paused);
    this.ticker.tick();
    // Details went by in the meantime, and were not kept.
    if (!paused) this.#channels.emit('resync');
  }

  wantTopic(topic: string, listener?: DetailListener): () => void {
    return this.#topics.add(topic, listener);
  }

  #open(): void {
    this.#retry?.cancel();
    this.#retry = null;
    this.#opened = false;
    this.#greeted = false;
    this.#socketSince = this.deps.clock.now();
    let current: LiveSocket | null = null;
    // A socket that was given up still fires; its events must not touch its successor.
    const isMine = () => current !== null && this.#socket === current;
    current = this.deps.connect({
      open: (ticket) => isMine() && this.#sendOpen(ticket),
      message: (text) => isMine() && this.#hear(text),
      close: (code) => isMine() && this.#closed(code),
    });
    this.#socket = current;
  }

  #sendOpen(ticket: string | undefined): void {
    this.#opened = true;
    this.#opens += 1;
    // Who is still here is said anew.
    this.#setPresence(new Map());
    const cursor = this.#ignoreCursor ? null : cursorOf(this.store.fleet);
    this.#openedAtRevision = this.store.fleet.revision;
    this.#ignoreCursor = false;
    this.#send({
      type: 'open',
      ...(ticket === undefined ? {} : { ticket }),
      ...(cursor ? { cursor } : {}),
      topics: this.#topics.list(),
    });
  }

  #sendTopics(): void {
    this.#send({ type: 'topics', topics: this.#topics.list() });
  }

  #send(request: LiveRequest): void {
    if (this.#opened) this.#socket?.send(JSON.stringify(request));
  }

  #hear(text: string): void {
    const frame = parseLiveFrame(text);
    if (frame === null) return;
    this.#lastWordAt = this.deps.clock.now();
    this.#take(frame);
    if (this.store.fleet.serverEpoch !== '') this.#attempt = 0;
    this.#judge();
  }

  #take(frame: LiveFrame): void {
    switch (frame.type) {
      case 'snapshot':
        this.#serverClock.hear(frame.now, this.deps.clock.now());
        this.#ignoreCursor = false;
        this.store.apply(foldSnapshot(this.store.fleet, frame));
        this.#greet();
        this.ticker.tick();
        return;
      case 'patch':
        this.#serverClock.hear(frame.now, this.deps.clock.now());
        this.#fold(frame);
        return;
      case 'heartbeat':
        this.#serverClock.hear(frame.now, this.deps.clock.now());
        this.store.apply(foldHeartbeat(this.store.fleet, frame.revision));
        this.#greet();
        return;
      case 'reset':
        this.#ignoreCursor = true;
        return;
      case 'subscribed':
        this.#greet();
        return;
      case 'presence':
        this.#setPresence(new Map(this.#presence).set(frame.breakerId, frame.people));
        return;
      case 'error':
        return;
    }
  }

  #setPresence(presence: Map<string, readonly PresentPerson[]>): void {
    this.#presence = presence;
    this.#channels.emit('presence');
  }

  #fold(patch: LivePatch): void {
    const folded = foldPatch(this.store.fleet, patch);
    if (folded.kind === 'gap') {
      // No progress since this socket opened: the cursor itself is the trouble.
      this.#ignoreCursor = this.#openedAtRevision === this.store.fleet.revision;
      this.#giveUp(CLOSE_GAP, 0);
      return;
    }
    if (folded.kind === 'applied') this.store.apply(folded.fleet);
    for (const [id, detail] of Object.entries(patch.detail ?? {})) this.#tell(id, detail);
    this.#greet();
  }

  #tell(id: string, detail: BreakerDetailPatch): void {
    if (this.#pausedAt !== null) return;
    this.#topics.tell(`breaker:${id}`, detail);
  }

  /** The first word on a socket that brings us up to date. */
  #greet(): void {
    if (this.#greeted) return;
    this.#greeted = true;
    if (this.#opens > 1) this.#channels.emit('resync');
  }

  #closed(code: number): void {
    this.#socket = null;
    this.#opened = false;
    this.#refused = !mayReconnect(code);
    if (!this.#refused) this.#comeBack(reconnectDelay(this.#attempt++, this.deps.random()));
    this.#judge();
  }

  #giveUp(code: number, delayMs: number): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#opened = false;
    socket?.close(code);
    this.#comeBack(delayMs);
  }

  #comeBack(delayMs: number): void {
    this.#retry?.cancel();
    this.#retry = this.deps.clock.after(delayMs, () => this.#open());
  }

  #watch(): void {
    const now = this.deps.clock.now();
    const silentMs = now - this.#lastWordAt;
    const socketAgeMs = now - this.#socketSince;
    if (this.#socket !== null && Math.min(silentMs, socketAgeMs) >= DEAD_AFTER_MS) {
      this.#giveUp(CLOSE_SILENT, reconnectDelay(this.#attempt++, this.deps.random()));
    } else if (
      this.#greeted &&
      silentMs >= PING_AFTER_MS &&
      now - this.#lastPingAt >= PING_AFTER_MS
    ) {
      // `topics` is answered by `subscribed`: the cheapest way to ask an idle server for a word.
      this.#lastPingAt = now;
      this.#sendTopics();
    }
    this.#judge();
    this.deps.clock.after(WATCH_EVERY_MS, () => this.#watch());
  }

  #judge(): void {
    const next = this.#judged();
    if (sameConnection(next, this.#connection)) return;
    this.#connection = next;
    this.#frozenAt = next.status === 'live' ? null : (this.#frozenAt ?? this.serverNow());
    this.#channels.emit('connection');
    this.ticker.tick();
  }

  #judged(): Connection {
    const known = this.store.fleet.serverEpoch !== '';
    const silentMs = this.deps.clock.now() - this.#lastWordAt;
    const since = known ? this.#serverClock.now(this.#lastWordAt) : null;
    if (this.#refused) return { status: 'offline', since, refused: true };
    if (since === null) {
      return silentMs > STALE_AFTER_MS
        ? { status: 'offline', since, refused: false }
        : { status: 'connecting' };
    }
    if (silentMs > OFFLINE_AFTER_MS) return { status: 'offline', since, refused: false };
    return silentMs > STALE_AFTER_MS ? { status: 'stale', since } : { status: 'live' };
  }
}
