import type {
  BreakerEvent,
  BreakerStatus,
  Outcome,
  OverrideHandle,
  OverrideKind,
  OverrideRequest,
  Receipt,
} from '../breaker/types';

/** One call that ended. */
export type SettledCall = {
  readonly outcome: Outcome;
  readonly receipt: Receipt;
  readonly latencyMs: number;
  readonly probe: boolean;
  readonly step: number | null;
  readonly idempotent: boolean;
  readonly inFlight: number;
};

export type Cancel = () => void;

/** Every clock and timer of the agent. None of these timers may keep the process alive. */
export interface AgentTime {
  /** Monotonic milliseconds, float. Durations and leases are measured with it. */
  mono(): number;
  /** Epoch milliseconds; stamps only, never compared. */
  wall(): number;
  after(delayMs: number, run: () => void): Cancel;
  every(periodMs: number, run: () => void): Cancel;
  /** Runs once, after the current work of the host. */
  soon(run: () => void): void;
}

export type LogDetails = Readonly<Record<string, string | number | boolean>>;

export interface AgentLogger {
  debug?(message: string, details?: LogDetails): void;
  info(message: string, details?: LogDetails): void;
  error(message: string, details?: LogDetails): void;
}

/** What the agent needs of a breaker to watch it, report it and obey on it. */
export interface WatchedBreaker {
  status(): BreakerStatus;
  override(kind: OverrideKind, request: OverrideRequest): OverrideHandle;
  reset(): void;
  /** Monotonic instant at which `tick` would change something, null when there is none. */
  nextDueAt(): number | null;
  tick(): void;
  /** While the process itself is late, slow answers are not the target's fault. */
  noteLoopDelay(delayMs: number): void;
  on(listener: (event: BreakerEvent) => void): () => void;
  /** Every call that ends, also late ones. */
  onSettle(listener: (call: SettledCall) => void): () => void;
}

/** One open or opening connection. Calls after its end do nothing. */
export interface Wire {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Ends at once, without a closing handshake. */
  terminate(): void;
  bufferedBytes(): number;
  /** True keeps the process alive for this connection (only while saying goodbye). */
  hold(keepAlive: boolean): void;
}

/** How a connection (or an attempt) ended, as far as the transport knows. */
export type WireEnd = {
  readonly code?: number;
  readonly reason?: string;
  readonly httpStatus?: number;
  readonly retryAfterMs?: number;
  readonly error?: string;
};

export interface WireEvents {
  opened(): void;
  text(raw: string): void;
  binary(): void;
  /** Anything at all came in: also control frames. */
  activity(): void;
  /** Exactly once, also when the connection never opened. */
  ended(end: WireEnd): void;
}

export type Dial = (events: WireEvents) => Wire;
