import type { WatchedBreaker } from '@/lib/agent/ports';
import type {
  BreakerEvent,
  BreakerState,
  BreakerStatus,
  OverrideHandle,
  OverrideKind,
  OverrideRequest,
} from '@/lib/breaker/types';

type Live = { kind: OverrideKind; request: OverrideRequest };

export const zeroCounters: BreakerStatus['counters'] = {
  admitted: 0,
  rejected: { open: 0, in_flight: 0, share: 0, rate: 0, kind: 0, forced_open: 0, disposed: 0 },
  settled: {
    success: 0,
    client_error: 0,
    timeout: 0,
    server_error: 0,
    overload: 0,
    refused: 0,
    rejected_local: 0,
    cancelled: 0,
    ignored: 0,
  },
  slow: 0,
  healthChecks: { issued: 0, passed: 0, failed: 0, refused: 0 },
  late: 0,
  expired: 0,
  probes: 0,
};

export function status(over: Partial<BreakerStatus> = {}): BreakerStatus {
  return {
    name: 'inventory',
    state: 'closed',
    automatic: 'closed',
    step: null,
    steps: 4,
    share: 1,
    level: 0,
    epoch: 0,
    stepSeq: 0,
    openedAt: null,
    retryAt: null,
    retryInMs: null,
    openTimeoutMs: null,
    hold: null,
    ledger: null,
    window: { calls: 0, failures: 0, slow: 0 },
    baseline: null,
    inFlight: 0,
    override: null,
    counters: zeroCounters,
    ...over,
  };
}

/** Only the overrides of a breaker: a stack of handles, the newest live one in force. */
export class FakeBreaker implements WatchedBreaker {
  resets = 0;
  changes: string[] = [];
  dueAt: number | null = null;
  over: Partial<BreakerStatus> = {};
  refuses = false;
  readonly loopDelays: number[] = [];
  #epoch = 0;
  #stack: Live[] = [];
  readonly #listeners = new Set<(event: BreakerEvent) => void>();

  get effective(): BreakerState {
    return this.#stack.at(-1)?.kind ?? 'closed';
  }

  status(): BreakerStatus {
    const top = this.#stack.at(-1);
    const override =
      top === undefined
        ? null
        : {
            kind: top.kind,
            id: top.request.id ?? 'local',
            reason: top.request.reason,
            actor: top.request.actor,
            remainingMs: top.request.expiresInMs ?? null,
          };
    return status({ state: this.effective, epoch: this.#epoch, override, ...this.over });
  }

  override(kind: OverrideKind, request: OverrideRequest): OverrideHandle {
    if (this.refuses) throw new Error('disposed');
    const live = { kind, request };
    const from = this.effective;
    this.#stack.push(live);
    this.#emit('forced', from);
    return {
      kind,
      id: request.id ?? 'local',
      release: () => {
        if (!this.#stack.includes(live)) return false;
        const before = this.effective;
        const wasTop = this.#stack.at(-1) === live;
        this.#stack = this.#stack.filter((item) => item !== live);
        if (wasTop) this.#emit(this.#stack.length === 0 ? 'resumed' : 'forced', before);
        return true;
      },
    };
  }

  reset(): void {
    this.resets += 1;
    const from = this.effective;
    this.#stack = [];
    this.#emit('reset', from);
  }

  nextDueAt(): number | null {
    return this.dueAt;
  }

  tick(): void {
    this.dueAt = null;
    this.changes.push('tick');
  }

  on(listener: (event: BreakerEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  noteLoopDelay(delayMs: number): void {
    this.loopDelays.push(delayMs);
  }

  onSettle(): () => void {
    return () => undefined;
  }

  #emit(type: BreakerEvent['type'], from: BreakerState): void {
    this.#epoch += 1;
    const top = this.#stack.at(-1)?.request;
    const id = top?.id ?? 'local';
    this.changes.push(`${type} ${this.effective}${top === undefined ? '' : ` ${id}`}`);
    for (const listener of this.#listeners) {
      listener({
        seq: this.#epoch,
        type,
        from,
        to: this.effective,
        automatic: 'closed',
        reason: top?.reason ?? '',
        epoch: this.#epoch,
        step: null,
        stepSeq: 0,
        monoMs: 0,
        wallMs: 0,
        data: top === undefined ? {} : { overrideId: id, actor: top.actor },
      });
    }
  }
}
