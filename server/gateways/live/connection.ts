/** One browser: what it wants to see, and the revision up to which it has been told. */
import {
  LIVE_HEARTBEAT_MS,
  liveRequest,
  type LiveFrame,
  type LiveRequest,
} from '@/lib/protocol/live-frames';
import { allows } from '@/lib/protocol/access';
import { parseWith } from '@/lib/protocol/parse';
import { CloseCode } from '@/lib/protocol/version';
import type { User } from '../../auth/identity/sessions';
import { createFlow } from '../flow';
import { startHeartbeat, type Heartbeat } from '../heartbeat';
import { createRateGate } from '../rate-gate';
import type { SocketPort } from '../socket';
import { catchUp, needsSnapshot, sameTopics } from './catch-up';
import type { LiveGatewayDeps } from './deps';
import type { FanOut } from './fan-out';
import { MAX_FAULTS, MAX_OPEN_BYTES, OPEN_TIMEOUT_MS, REQUEST_RATE, REVALIDATE_MS } from './limits';
import { createOutlet, type Outlet } from './outlet';
import type { Presence, PresenceReader } from './presence';
import { createWatches } from './watches';

type Session =
  | { readonly phase: 'awaiting-open' }
  | { readonly phase: 'live'; readonly topics: ReadonlySet<string>; leave(): void }
  | { readonly phase: 'closed' };

export class LiveConnection {
  #session: Session = { phase: 'awaiting-open' };
  #faults = 0;
  #beat: { cancel(): void } | null = null;
  #revalidation: { cancel(): void } | null = null;
  readonly #socket: SocketPort;
  readonly #user: User;
  readonly #settled: () => void;
  readonly #deps: LiveGatewayDeps;
  readonly #fanOut: FanOut;
  readonly #presence: Presence;
  readonly #here: PresenceReader;
  readonly #outlet: Outlet;
  readonly #openDeadline: { cancel(): void };
  readonly #alive: Heartbeat;
  readonly #rate;
  readonly #watches;

  constructor(
    socket: SocketPort,
    user: User,
    deps: LiveGatewayDeps,
    { fanOut, presence }: { readonly fanOut: FanOut; readonly presence: Presence },
    { settled, gone }: { readonly settled: () => void; readonly gone: () => void },
  ) {
    const { clock, feed } = deps;
    this.#socket = socket;
    this.#user = user;
    this.#settled = settled;
    this.#deps = deps;
    this.#fanOut = fanOut;
    this.#presence = presence;
    this.#here = { user, tell: (frame) => this.#send(frame) };
    this.#watches = createWatches(feed);
    const flow = createFlow(socket);
    this.#rate = createRateGate(clock, flow, REQUEST_RATE);
    this.#outlet = createOutlet(socket, clock, {
      tooSlow: () => this.close(CloseCode.SlowReader, 'too slow, take a snapshot'),
    });
    this.#openDeadline = clock.after(OPEN_TIMEOUT_MS, () =>
      this.close(CloseCode.HelloTimeout, 'no open in time'),
    );
    this.#alive = startHeartbeat(clock, {
      ping: () => socket.ping(),
      dead: () => this.close(CloseCode.Silent, 'no word for too long'),
      deaf: () => flow.held,
    });
    socket.listen({
      message: (raw, bytes) => this.#guarded(() => this.#message(raw, bytes)),
      pinged: () => this.#rate.charge(),
      pong: () => this.#alive.heard(),
      closed: () => {
        this.#end();
        gone();
      },
    });
  }

  close(code: CloseCode, reason: string): void {
    if (this.#session.phase === 'closed') return;
    this.#end();
    this.#socket.close(code, reason);
  }

  /** [S-10] Whoever is still signed in comes back at once with a new ticket and the rights of now. */
  accessChanged(personId: string): void {
    if (this.#user.id !== personId || this.#session.phase === 'closed') return;
    this.#recheck(CloseCode.AccessChanged).catch(() => undefined);
  }

  /** Closes unless the session goes on; with `then` it closes all the same, to be opened anew. */
  async #recheck(then?: CloseCode): Promise<void> {
    const now = await this.#deps.refresh(this.#user.sessionId).catch(() => null);
    if (now === null) this.close(CloseCode.Unauthorized, 'the session has ended');
    else if (!allows(now.grants, 'fleet.read')) {
      this.close(CloseCode.Unauthorized, 'you may not see the fleet');
    } else if (then !== undefined) this.close(then, 'what you may do has changed');
  }

  #scheduleRevalidation(): void {
    this.#revalidation = this.#deps.clock.after(REVALIDATE_MS, () => {
      this.#recheck().catch(() => undefined);
      if (this.#session.phase !== 'closed') this.#scheduleRevalidation();
    });
  }

  #guarded(run: () => void): void {
    try {
      run();
    } catch (thrown) {
      const faultId = this.#deps.newId();
      this.#deps.log.error({ faultId, err: thrown }, 'live request failed');
      this.close(CloseCode.Internal, `unexpected failure ${faultId}`);
    }
  }

  #message(raw: string | null, bytes: number): void {
    const { phase } = this.#session;
    if (phase === 'closed') return;
    this.#rate.charge();
    this.#alive.heard();
    if (raw === null) return this.#fault('binary frames are not taken');
    if (phase === 'awaiting-open' && bytes > MAX_OPEN_BYTES) {
      return this.close(CloseCode.TooBig, 'open is too big');
    }
    const request = parseWith(liveRequest, raw);
    return request.ok ? this.#take(request.value) : this.#fault(request.problem);
  }

  #take(request: LiveRequest): void {
    const session = this.#session;
    if (session.phase === 'awaiting-open') {
      if (request.type !== 'open') {
        this.close(CloseCode.PolicyViolation, 'open comes first');
        return;
      }
      this.#open(request);
    } else if (request.type === 'open') {
      this.#fault('open comes once');
    } else if (session.phase === 'live') {
      this.#change(session, new Set(request.topics));
    }
  }

  #open(request: Extract<LiveRequest, { type: 'open' }>): void {
    const { clock, feed, redeemTicket } = this.#deps;
    const { sessionId, grants } = this.#user;
    // [S-05] The cookie came with the upgrade, from whichever page; only our own has a ticket.
    if (request.ticket === undefined || !redeemTicket(request.ticket, sessionId)) {
      this.close(CloseCode.Unauthorized, 'the ticket is not good');
      return;
    }
    if (!allows(grants, 'fleet.read')) {
      this.close(CloseCode.Unauthorized, 'you may not see the fleet');
      return;
    }
    this.#openDeadline.cancel();
    this.#settled();
    const topics = new Set(request.topics);
    this.#follow(topics);
    for (const frame of catchUp(feed, topics, request.cursor, clock.wall())) this.#send(frame);
    this.#presence.follow(this.#here, topics);
    this.#scheduleBeat();
    this.#scheduleRevalidation();
  }

  #change(session: Extract<Session, { phase: 'live' }>, topics: ReadonlySet<string>): void {
    const { feed } = this.#deps;
    if (!sameTopics(session.topics, topics)) {
      this.#fanOut.flush();
      session.leave();
      this.#follow(topics);
    }
    this.#presence.follow(this.#here, topics);
    const revision = this.#outlet.lastSent ?? this.#fanOut.revision();
    this.#send({ type: 'subscribed', topics: [...topics], revision });
    if (needsSnapshot(session.topics, topics)) this.#send(feed.snapshot(topics));
  }

  /** Nothing may await between joining and saying where the reader stands. */
  #follow(topics: ReadonlySet<string>): void {
    this.#watches.follow(topics);
    const leave = this.#fanOut.join(topics, this.#outlet);
    this.#session = { phase: 'live', topics, leave };
  }

  #scheduleBeat(): void {
    const { clock } = this.#deps;
    this.#beat = clock.after(LIVE_HEARTBEAT_MS, () => {
      const revision = this.#outlet.lastSent ?? this.#fanOut.revision();
      this.#send({ type: 'heartbeat', revision, now: clock.wall() });
      this.#scheduleBeat();
    });
  }

  #fault(problem: string): void {
    this.#faults += 1;
    this.#send({ type: 'error', code: 'invalid_frame', message: problem });
    if (this.#session.phase === 'awaiting-open' || this.#faults >= MAX_FAULTS) {
      this.close(CloseCode.PolicyViolation, 'unreadable frames');
    }
  }

  #send(frame: LiveFrame): void {
    this.#outlet.send(JSON.stringify(frame));
  }

  #end(): void {
    this.#revalidation?.cancel();
    if (this.#session.phase === 'live') this.#session.leave();
    this.#session = { phase: 'closed' };
    this.#openDeadline.cancel();
    this.#beat?.cancel();
    this.#alive.stop();
    this.#rate.stop();
    this.#outlet.stop();
    this.#watches.stop();
    this.#presence.follow(this.#here, new Set());
  }
}
