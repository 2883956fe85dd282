import { CircuitBreaker } from '@/lib/breaker';
import type {
  BreakerEvent,
  BreakerOptions,
  OverrideHandle,
  OverrideKind,
  Permit,
  Receipt,
} from '@/lib/breaker';
import type { Command, Result } from './histories';

/** The same generator for every run, so that only what is varied can differ. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export type Observer = {
  /** Before an operation, with the breaker brought to the present. */
  before?: (player: Player) => void;
  after?: (player: Player) => void;
  settled?: (
    player: Player,
    permit: Permit,
    outcome: Result,
    latencyMs: number,
    receipt: Receipt,
  ) => void;
  arrived?: (player: Player, permit: Permit | null, reason: string) => void;
};

/** Plays a history on one breaker and writes down everything that can be seen of it. */
export class Player {
  now = 0;
  wallShift = 0;
  readonly breaker: CircuitBreaker;
  readonly events: BreakerEvent[] = [];
  readonly log: string[] = [];
  /** Permits that nobody has settled, oldest first. */
  readonly out: Permit[] = [];
  readonly done: Permit[] = [];
  readonly handles: OverrideHandle[] = [];

  constructor(
    readonly options: BreakerOptions,
    seed: number,
    readonly observer: Observer = {},
    readonly scale = 1,
    readonly extraTicks = false,
  ) {
    this.breaker = new CircuitBreaker('property', {
      ...options,
      clock: () => this.now,
      wallClock: () => 1e12 + this.now + this.wallShift,
      random: generator(seed),
      onProblem: () => undefined,
    });
    this.breaker.on((event) => this.events.push(event));
  }

  play(commands: readonly Command[]): this {
    for (const command of commands) this.#do(command);
    return this;
  }

  advance(ms: number): void {
    const target = this.now + ms * this.scale;
    if (this.extraTicks) {
      for (const part of [0.1, 0.5, 0.9]) {
        this.now = Math.max(this.now, target - (1 - part) * ms * this.scale);
        if (part === 0.5) this.breaker.status();
        else this.breaker.tick();
      }
    }
    this.now = target;
    this.#look();
  }

  #look(): void {
    if (this.extraTicks) this.breaker.tick();
    this.observer.before?.(this);
  }

  acquire(idempotent: boolean): Permit | null {
    this.#look();
    const permit = this.breaker.tryAcquire({ idempotent });
    const reason = permit.granted ? permit.role : permit.reason;
    this.log.push(`acquire ${reason}`);
    if (permit.granted) this.out.push(permit);
    this.observer.arrived?.(this, permit.granted ? permit : null, reason);
    this.observer.after?.(this);
    return permit.granted ? permit : null;
  }

  settle(permit: Permit, outcome: Result, latencyMs: number): void {
    this.#look();
    const latency = latencyMs * this.scale;
    const receipt =
      outcome === 'success' ? permit.success(latency) : permit.failure(outcome, latency);
    this.log.push(`settle ${outcome} ${receipt}`);
    const index = this.out.indexOf(permit);
    if (index >= 0) this.out.splice(index, 1);
    this.done.push(permit);
    if (this.done.length > 50) this.done.shift();
    this.observer.settled?.(this, permit, outcome, latency, receipt);
    this.observer.after?.(this);
  }

  #stream(calls: number, everyMs: number, outcome: Result): void {
    for (let i = 0; i < calls; i++) {
      const permit = this.acquire(true);
      this.advance(everyMs);
      if (permit) this.settle(permit, outcome, everyMs);
    }
  }

  #override(kind: OverrideKind, expiresInMs: number | null): void {
    this.#look();
    const request = { reason: 'test', actor: 'ann' };
    const lease = expiresInMs === null ? {} : { expiresInMs: expiresInMs * this.scale };
    this.handles.push(this.breaker.override(kind, { ...request, ...lease }));
    this.observer.after?.(this);
  }

  #do(command: Command): void {
    const { breaker } = this;
    switch (command.do) {
      case 'acquire':
        this.acquire(command.idempotent);
        return;
      case 'settle': {
        const permit = this.out[Math.floor(command.pick * (this.out.length - 1))];
        if (permit) this.settle(permit, command.outcome, command.latencyMs);
        return;
      }
      case 'again': {
        const permit = this.done[Math.floor(command.pick * (this.done.length - 1))];
        if (permit) this.log.push(permit.failure('server_error'));
        return;
      }
      case 'advance':
        this.advance(command.ms);
        this.observer.after?.(this);
        return;
      case 'wall':
        this.wallShift += command.ms;
        return;
      case 'stream':
        this.#stream(command.calls, command.everyMs, command.outcome);
        return;
      case 'override':
        this.#override(command.kind, command.expiresInMs);
        return;
      case 'release': {
        const handle = this.handles[Math.floor(command.pick * (this.handles.length - 1))];
        if (handle) this.log.push(`release ${handle.release()}`);
        return;
      }
      case 'reset':
        breaker.reset();
    }
  }
}

/** Events as they are compared between runs: without what a run may rightly change. */
export function story(player: Player): unknown[] {
  return player.events.map((event) => ({ ...event, wallMs: 0 }));
}
