import type { AgentTime, Cancel, Dial, Wire, WireEnd, WireEvents } from '../ports';
import type { Announcer } from './announcer';
import { backoffDelay, HEALTHY_MS, hintedDelay, permanentDelay } from './backoff';
import { Session, type SessionDeps } from './session';
import { judgeEnd, type Verdict } from './verdict';

export type LinkDeps = {
  readonly time: AgentTime;
  readonly random: () => number;
  readonly dial: Dial;
  readonly session: SessionDeps;
  readonly announcer: Announcer;
  /** A connection or an attempt is over. */
  ended(): void;
  /** Called with every wait before the next attempt. */
  readonly onWait?: (delayMs: number) => void;
};

const NO_WIRE: Wire = {
  send: () => undefined,
  close: () => undefined,
  terminate: () => undefined,
  bufferedBytes: () => 0,
  hold: () => undefined,
};

type Current = { readonly wire: Wire; readonly session: Session };

/** Keeps one connection: dials, watches it, and dials again after the right wait. */
export class Link {
  readonly #deps: LinkDeps;
  #current: Current | null = null;
  #attempt = 0;
  #healthySince: number | null = null;
  #wait: Cancel | null = null;
  #stopped = false;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
  }

  get session(): Session | null {
    return this.#current?.session ?? null;
  }

  get online(): boolean {
    return this.#current?.session.live ?? false;
  }

  start(): void {
    this.#wait = null;
    if (this.#stopped || this.#current !== null) return;
    // The wire may report its end before `dial` has returned it.
    let session: Session | null = null;
    let early: WireEnd | null = null;
    const wire = this.#dial({
      opened: () => session?.open(),
      text: (raw) => this.#text(session, raw),
      binary: () => session?.binary(),
      activity: () => session?.activity(),
      ended: (end) => {
        if (session === null) early = end;
        else this.#ended(session, end);
      },
    });
    session = new Session(this.#deps.session, wire);
    this.#current = { wire, session };
    if (early !== null) this.#ended(session, early);
  }

  /** A dial that throws is an attempt that failed. */
  #dial(events: WireEvents): Wire {
    try {
      return this.#deps.dial(events);
    } catch (error) {
      events.ended({ error: String(error) });
      return NO_WIRE;
    }
  }

  tick(now: number): void {
    this.#current?.session.tick(now);
  }

  /** Keeps the process alive for the open connection, for a bounded goodbye. */
  hold(keepAlive: boolean): void {
    this.#current?.wire.hold(keepAlive);
  }

  stop(code: number, reason: string): void {
    this.#stopped = true;
    this.#wait?.();
    this.#wait = null;
    this.#current?.wire.close(code, reason);
  }

  #text(session: Session | null, raw: string): void {
    if (session === null) return;
    const before = session.live;
    session.text(raw);
    if (before || !session.live) return;
    this.#healthySince = this.#deps.time.mono();
    this.#deps.announcer.back();
  }

  #ended(session: Session, end: WireEnd): void {
    if (this.#current?.session !== session) return;
    session.over();
    this.#current = null;
    this.#deps.ended();
    if (this.#stopped) return;
    const now = this.#deps.time.mono();
    const healthy = this.#healthySince !== null && now - this.#healthySince >= HEALTHY_MS;
    if (healthy) this.#attempt = 0;
    this.#healthySince = null;
    const verdict = judgeEnd(end, session.farewell);
    const delayMs = this.#delay(verdict);
    if (verdict.kind === 'permanent') this.#deps.announcer.permanent(verdict.why);
    else this.#deps.announcer.lost(now, verdict.why);
    this.#deps.onWait?.(delayMs);
    this.#wait = this.#deps.time.after(delayMs, () => this.start());
  }

  #delay(verdict: Verdict): number {
    const { random } = this.#deps;
    if (verdict.kind === 'permanent') return permanentDelay(random);
    if (verdict.kind === 'hinted') return hintedDelay(verdict.retryAfterMs, random);
    const delayMs = backoffDelay(this.#attempt, random);
    this.#attempt += 1;
    return delayMs;
  }
}
