/**
 * One agent socket. Frames are read in order, handled in order and acknowledged after the commit;
 * whatever goes wrong in between, the agent still holds what was not acknowledged and sends it again.
 */
import type { AgentFrame, Hello } from '@/lib/protocol/agent-frames';
import type { AuditCheckpoint } from '@/lib/protocol/audit';
import { parseAgentFrame } from '@/lib/protocol/parse';
import type { ServerFrame } from '@/lib/protocol/server-frames';
import { CloseCode } from '@/lib/protocol/version';
import type { AgentSession } from '../../services/contract';
import { createFlow } from '../flow';
import { startHeartbeat, type Heartbeat } from '../heartbeat';
import { createRateGate } from '../rate-gate';
import type { SocketPort } from '../socket';
import { isCredited, type Batch, type Received } from './batches';
import type { AgentConnectionDeps, AgentToken } from './deps';
import { createDesiredPump } from './desired-pump';
import { createFailures } from './failures';
import { helloProblem, speaksAnotherVersion, welcome } from './greet';
import { createInbox } from './inbox';
import { FRAME_RATE, HELLO_TIMEOUT_MS, MAX_UNACKNOWLEDGED, MAX_WAITING } from './limits';
import { sendCheckpoint, sendDesired, serveBatch, tellHeard } from './live';
import { createPings } from './pings';
import { createResends } from './resends';
import type { Session } from './session';
import { createSignDesired, type SignDesired } from './sign-desired';

export class AgentConnection {
  readonly token: AgentToken;
  #session: Session = { phase: 'awaiting-hello' };
  /** Outlives the socket: what had arrived when the peer left is still stored. */
  #agent: AgentSession | null = null;
  #unacknowledged = 0;
  #received = 0;
  #goodbye = false;
  #signed: SignDesired = (frame) => frame;
  #pinsKey = false;
  #heartbeat: Heartbeat | null = null;
  #over = () => {};
  /** Resolves when the socket is closed and the agents service knows. */
  readonly done = new Promise<void>((resolve) => {
    this.#over = resolve;
  });
  readonly #socket: SocketPort;
  readonly #deps: AgentConnectionDeps;
  readonly #helloDeadline: { cancel(): void };
  readonly #flow;
  readonly #rate;
  readonly #inbox;
  readonly #pings;
  readonly #failures;
  readonly #desired;
  readonly #resends = createResends();

  constructor(socket: SocketPort, token: AgentToken, deps: AgentConnectionDeps) {
    this.token = token;
    this.#socket = socket;
    this.#deps = deps;
    this.#flow = createFlow(socket);
    this.#rate = createRateGate(deps.clock, this.#flow, FRAME_RATE);
    this.#inbox = createInbox({
      handle: (batch, receivedAt) => this.#handle(batch, receivedAt),
      freed: (bytes) => this.#freed(bytes),
    });
    this.#pings = createPings(deps.clock, (frame) => this.#reply(frame));
    this.#failures = createFailures({
      reply: (frame) => this.#reply(frame),
      close: (code, reason) => this.close(code, reason),
      fields: () => ({ tokenId: token.id, instanceId: this.instanceId }),
      log: deps.log,
      newId: deps.newId,
    });
    this.#desired = createDesiredPump(
      () => this.#sendDesired(),
      (thrown) => this.#failures.fail(thrown),
    );
    this.#helloDeadline = deps.clock.after(HELLO_TIMEOUT_MS, () =>
      this.close(CloseCode.HelloTimeout, 'no hello in time'),
    );
    socket.listen({
      message: (raw, bytes) => this.#guarded(() => this.#message(raw, bytes)),
      pinged: () => this.#rate.charge(),
      pong: () => undefined,
      closed: () => void this.#closed(),
    });
  }

  /** Null until the agent has been welcomed. */
  get instanceId(): string | null {
    return this.#agent?.instanceId ?? null;
  }

  desiredChanged(): void {
    if (this.#session.phase === 'live') this.#desired.wake();
  }

  checkpoint(checkpoint: AuditCheckpoint): void {
    if (this.#session.phase === 'live') this.#reply({ type: 'checkpoint', checkpoint });
  }

  /** Says so, stops reading, lets what was received reach the store and its ack the agent. */
  async restart(retryAfterMs: number): Promise<void> {
    this.#reply({ type: 'restarting', retryAfterMs });
    this.#flow.hold('stopping');
    await this.#inbox.idle();
    this.close(CloseCode.Restarting, 'the server restarts');
    await this.done;
  }

  /** From our side: what still waits is dropped and stays with the agent. */
  close(code: CloseCode, reason: string): void {
    if (this.#session.phase === 'closed') return;
    this.#end();
    this.#inbox.clear();
    this.#socket.close(code, reason);
  }

  /** A throw here would be the process's. */
  #guarded(run: () => void): void {
    try {
      run();
    } catch (thrown) {
      this.#failures.fail(thrown);
    }
  }

  #message(raw: string | null, bytes: number): void {
    const { phase } = this.#session;
    // A closing socket can still deliver what was already in flight.
    if (phase === 'closed') return;
    this.#rate.charge();
    this.#heartbeat?.heard();
    const first = phase === 'awaiting-hello';
    if (raw === null) {
      this.#failures.fault('binary frames are not taken', first);
      return;
    }
    const frame = parseAgentFrame(raw);
    if (!frame.ok) {
      if (first && speaksAnotherVersion(raw)) this.#failures.mismatch('another protocol version');
      else this.#failures.fault(frame.problem, first);
      return;
    }
    if (first) this.#greet(frame.value, bytes);
    else this.#accept(frame.value, bytes);
  }

  #greet(frame: AgentFrame, bytes: number): void {
    if (frame.type !== 'hello') {
      this.close(CloseCode.PolicyViolation, 'hello comes first');
      return;
    }
    const problem = helloProblem(frame);
    if (problem !== null) {
      this.#failures.mismatch(problem);
      return;
    }
    this.#helloDeadline.cancel();
    this.#session = { phase: 'connecting' };
    this.#enqueue(frame, bytes);
  }

  #accept(frame: AgentFrame, bytes: number): void {
    if (frame.type === 'hello') {
      this.close(CloseCode.PolicyViolation, 'hello comes once');
      return;
    }
    if (isCredited(frame)) {
      this.#unacknowledged += 1;
      this.#received += 1;
      if (this.#unacknowledged > MAX_UNACKNOWLEDGED) {
        this.close(CloseCode.PolicyViolation, 'more frames unacknowledged than the window allows');
        return;
      }
    }
    this.#heard(frame);
    if (frame.type !== 'pong') this.#enqueue(frame, bytes);
  }

  #heard(frame: AgentFrame): void {
    if (this.#session.phase !== 'live') return;
    const { agents, clock } = this.#deps;
    const roundTripMs = frame.type === 'pong' ? this.#pings.roundTripMs(frame.id) : null;
    tellHeard(agents, this.#session.agent, frame, clock.wall(), roundTripMs);
  }

  #enqueue(frame: Received['frame'], bytes: number): void {
    const { budget, clock } = this.#deps;
    budget.take(bytes);
    this.#inbox.push({ frame, bytes, receivedAt: clock.wall(), index: this.#received });
    if (this.#inbox.waiting >= MAX_WAITING) this.#flow.hold('queue');
    if (budget.waitForRoom(() => this.#flow.release('budget'))) this.#flow.hold('budget');
  }

  #freed(bytes: number): void {
    this.#deps.budget.give(bytes);
    if (this.#inbox.waiting < MAX_WAITING) this.#flow.release('queue');
  }

  async #handle(batch: Batch, receivedAt: number): Promise<void> {
    try {
      if (batch.kind === 'hello') await this.#connect(batch.frame, receivedAt);
      else if (this.#agent !== null) await this.#serve(this.#agent, batch, receivedAt);
    } catch (thrown) {
      this.#failures.fail(thrown);
    }
  }

  async #connect(hello: Hello, receivedAt: number): Promise<void> {
    const { agents, clock, log, serverEpoch } = this.#deps;
    const { session, ...stored } = await agents.connect({
      hello,
      token: this.token,
      receivedAt,
      onReplaced: () => this.close(CloseCode.Replaced, 'another connection took over'),
    });
    this.#agent = session;
    this.#signed = createSignDesired(hello, this.#deps.commandSigner);
    this.#pinsKey = hello.nonce !== undefined;
    // It may have gone, or been replaced, while the store was asked.
    if (this.#session.phase !== 'connecting') return;
    this.#session = { phase: 'live', agent: session };
    this.#reply(welcome(clock, serverEpoch, stored));
    this.#heartbeat = startHeartbeat(clock, {
      ping: () => this.#beat(),
      dead: () => this.close(CloseCode.Silent, 'no word for too long'),
      deaf: () => this.#flow.held,
    });
    this.#desired.wake();
    sendCheckpoint(agents, (frame) => this.#reply(frame)).catch((thrown: unknown) =>
      this.#failures.fail(thrown),
    );
    // The clock offset is worth knowing before the first event is dated.
    this.#pings.send();
    log.debug({ instanceId: session.instanceId, sessionId: session.id }, 'agent connected');
  }

  #beat(): void {
    if (this.#deps.clock.wall() >= this.token.expiresAt) {
      this.close(CloseCode.Unauthorized, 'the token has expired');
      return;
    }
    this.#pings.send();
    // To an agent that pins a key only what is signed is a sign of life, and pings are not.
    if (this.#pinsKey) this.#desired.wake();
  }

  #serve(agent: AgentSession, batch: Exclude<Batch, { kind: 'hello' }>, receivedAt: number) {
    return serveBatch(this.#deps.agents, agent, batch, receivedAt, {
      reply: (frame) => this.#reply(frame),
      acknowledged: (frames) => {
        this.#unacknowledged -= frames;
      },
      refused: (item) => this.#failures.refused(item),
      shouldAskResend: (lastIndex) => this.#resends.shouldAsk(lastIndex, this.#received),
      goodbye: () => {
        this.#goodbye = true;
        this.close(CloseCode.Normal, 'goodbye');
      },
    });
  }

  async #sendDesired(): Promise<void> {
    if (this.#session.phase !== 'live') return;
    await sendDesired(this.#deps.agents, this.#session.agent, (frame) =>
      this.#reply(this.#signed(frame)),
    );
  }

  #reply(frame: ServerFrame): void {
    this.#socket.send(JSON.stringify(frame));
  }

  #end(): void {
    this.#session = { phase: 'closed' };
    this.#helloDeadline.cancel();
    this.#heartbeat?.stop();
    this.#rate.stop();
    this.#desired.stop();
  }

  async #closed(): Promise<void> {
    this.#end();
    await this.#inbox.idle();
    const { agents, clock, log } = this.#deps;
    try {
      if (this.#agent !== null) {
        await agents.disconnected(this.#agent, clock.wall(), this.#goodbye);
      }
    } catch (thrown) {
      log.error({ tokenId: this.token.id, err: thrown }, 'agent disconnect failed');
    }
    this.#over();
  }
}
