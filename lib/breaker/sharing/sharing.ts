import type { CircuitBreaker } from '../breaker';
import { report } from '../events';
import type { BreakerEvent } from '../types';
import { sharingConfig } from './options';
import type { SharingConfig, SharingOptions } from './options';
import { decide, holdsLease, leaveFor } from './plan';
import type { Leave, LocalView, News, Plan } from './plan';
import { decodeRecord, encodeRecord, nothingShared } from './shared-record';
import type { SharedPhase, SharedRecord } from './shared-record';
import type { StoredEntry } from './store';

const MAX_RACES = 5;
/** A host whose timers have died hears of no failure; after so many stale times it goes on alone too. */
const STALE_TIMES = 10;

/** A plain object for reading; every call makes a new one. */
export type SharingStatus = {
  /** local: the store has failed and not answered for `staleAfterMs`; the breaker goes by its own rules. */
  readonly mode: 'shared' | 'local';
  /** Instances among which absolute limits are divided. */
  readonly instances: number;
  /** As of the last answer. */
  readonly phase: SharedPhase;
  /** This instance holds the lease to probe. */
  readonly leading: boolean;
  /** Of the shared record. */
  readonly epoch: number;
  readonly sinceAnswerMs: number;
  readonly failures: number;
  readonly lostRaces: number;
  readonly adopted: number;
};

/**
 * Brings a breaker together with its peers in other processes, over a store.
 *
 * It works beside the breaker, never in the way of a call: on a timer it says that it lives, reads
 * what the others agreed on and tells what happened here. What it has to say to the breaker is how
 * much it may probe and, where asked for, that a peer has tripped. Rules D1 and following in
 * `SPEC.md`.
 */
export class BreakerSharing {
  /** Resolves after the first attempt, whatever came of it. Wait for it before taking calls. */
  readonly ready: Promise<void>;
  readonly #breaker: CircuitBreaker;
  readonly #config: SharingConfig;
  readonly #storeKey: string;
  readonly #unsubscribe: () => void;
  #resolveReady: () => void = () => undefined;
  #record: SharedRecord = nothingShared;
  #epoch = 0;
  #seen = nothingShared.opening;
  #news: News | null = null;
  #openings = 0;
  #instances: number;
  #answeredAt: number;
  #leaveUntil = Number.NEGATIVE_INFINITY;
  #sharedBy = 1;
  /** When this instance begins to go by its own rules; null while the store answers. */
  #aloneAt: number | null = null;
  #failedInRow = 0;
  #failures = 0;
  #lostRaces = 0;
  #adopted = 0;
  #timer: { cancel(): void } | null = null;
  #syncing = false;
  #again = false;
  #disposed = false;

  /** Throws `BreakerOptionError` for an option that cannot work. */
  constructor(breaker: CircuitBreaker, options: SharingOptions) {
    this.#breaker = breaker;
    this.#config = sharingConfig(breaker.name, options);
    // Instances that mean different things by a record must not share one.
    this.#storeKey = `${this.#config.key}:${this.#config.trips}`;
    this.#instances = this.#config.expectedInstances;
    this.#answeredAt = this.#config.clock();
    this.ready = new Promise((resolve) => {
      this.#resolveReady = resolve;
    });
    this.#unsubscribe = breaker.on((event) => this.#follow(event));
    this.#limit();
    this.#syncIn(0);
  }

  status(): SharingStatus {
    const sinceAnswerMs = this.#config.clock() - this.#answeredAt;
    const stale = this.#aloneAt !== null && sinceAnswerMs >= this.#config.staleAfterMs;
    return {
      mode: stale ? 'local' : 'shared',
      instances: this.#instances,
      phase: this.#record.phase,
      leading: holdsLease(this.#config, this.#record),
      epoch: this.#epoch,
      sinceAnswerMs,
      failures: this.#failures,
      lostRaces: this.#lostRaces,
      adopted: this.#adopted,
    };
  }

  /** The breaker goes on alone. Nothing of the others is ended by it; a lease runs out. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#unsubscribe();
    this.#timer?.cancel();
    this.#breaker.limitProbes(null);
    this.#resolveReady();
    const { store, instance, onProblem } = this.#config;
    this.#ask(() => store.withdraw(this.#storeKey, instance)).catch((problem: unknown) =>
      report(onProblem, problem),
    );
  }

  #follow({ type, reason, data }: BreakerEvent): void {
    if (type === 'disposed') {
      this.dispose();
      return;
    }
    if (type === 'opened' && reason !== 'peer') {
      this.#news = { kind: data.cause === 'trip' ? 'tripped' : 'fell_back' };
    }
    if (type === 'closed') this.#news = { kind: 'closed' };
    if (type === 'opened') {
      // No probing before the others have been asked, unless they cannot be.
      this.#give({ forMs: 0, sharedBy: this.#instances });
      if (this.#aloneAt !== null) this.#goAlone();
    }
    if (telling.has(type)) this.#syncIn(0);
  }

  #give({ forMs, sharedBy }: Leave): void {
    this.#leaveUntil = this.#config.clock() + forMs;
    this.#sharedBy = sharedBy;
    this.#limit();
  }

  #limit(): void {
    const { clock, staleAfterMs } = this.#config;
    const now = clock();
    const alone = this.#aloneAt ?? this.#answeredAt + STALE_TIMES * staleAfterMs;
    this.#breaker.limitProbes({
      forMs: Math.max(0, this.#leaveUntil - now),
      againAfterMs: Math.max(0, alone - now),
      sharedBy: this.#sharedBy,
      afterwardsSharedBy: this.#instances,
    });
  }

  /**
   * The store has failed. This instance goes by its own rules when it has not answered for long
   * enough, its leave has run out and the retry is due; and then not all at the same instant.
   */
  #goAlone(): void {
    const { clock, random, staleAfterMs, localSpreadMs } = this.#config;
    const { retryInMs } = this.#breaker.status();
    const retryAt = clock() + (retryInMs ?? 0);
    const due = Math.max(this.#answeredAt + staleAfterMs, this.#leaveUntil, retryAt);
    this.#aloneAt = due + random() * localSpreadMs;
    this.#limit();
  }

  #syncIn(ms: number): void {
    if (this.#disposed) return;
    if (this.#syncing) {
      this.#again = true;
      return;
    }
    this.#timer?.cancel();
    this.#timer = this.#config.timer.after(ms, () => void this.#sync());
  }

  async #sync(): Promise<void> {
    this.#syncing = true;
    this.#again = false;
    try {
      await this.#meet();
      this.#failedInRow = 0;
    } catch (problem) {
      this.#failures++;
      this.#failedInRow++;
      // Once per outage: the next attempts fail for the same reason.
      if (this.#failedInRow === 1 && !this.#disposed) {
        report(this.#config.onProblem, problem);
        this.#goAlone();
      }
    }
    this.#syncing = false;
    this.#resolveReady();
    const { syncEveryMs, random } = this.#config;
    this.#syncIn(this.#again && this.#failedInRow === 0 ? 0 : syncEveryMs * (0.9 + 0.2 * random()));
  }

  /** One meeting with the others: announce, read, decide, and write if there is something to say. */
  async #meet(): Promise<void> {
    const { store, instance, staleAfterMs, retentionMs } = this.#config;
    const key = this.#storeKey;
    const live = await this.#ask(() => store.announce(key, instance, staleAfterMs));
    let askedAt = this.#config.clock();
    let entry = await this.#ask(() => store.read(key));
    for (let race = 0; race < MAX_RACES && !this.#disposed; race++) {
      const record = decodeRecord(entry.value);
      if (record === null) throw new Error(`"${key}" holds what this version cannot read`);
      const news = this.#news;
      const plan = decide(this.#config, this.#view(), record, entry.ageMs);
      if (plan.write === null) {
        this.#carryOut(plan, news, record, entry, askedAt, live);
        return;
      }
      const value = encodeRecord(plan.write);
      const { epoch } = entry;
      askedAt = this.#config.clock();
      const swap = await this.#ask(() => store.compareAndSet(key, epoch, value, retentionMs));
      if (swap.swapped && !this.#disposed) {
        this.#carryOut(plan, news, plan.write, swap.entry, askedAt, live);
        return;
      }
      this.#lostRaces++;
      entry = swap.entry;
    }
    if (!this.#disposed) throw new Error(`"${key}" changed ${MAX_RACES} times under our hands`);
  }

  #carryOut(
    plan: Plan,
    news: News | null,
    record: SharedRecord,
    entry: StoredEntry,
    askedAt: number,
    live: number,
  ): void {
    // What happened meanwhile is told by the next meeting, which it has asked for.
    if (this.#news === news) this.#news = null;
    this.#seen = plan.seen;
    this.#record = record;
    this.#epoch = entry.epoch;
    this.#instances = Math.max(1, Number.isFinite(live) ? live : 1);
    this.#answeredAt = askedAt;
    this.#aloneAt = null;
    if (plan.adopt !== null && this.#breaker.adopt(plan.adopt)) this.#adopted++;
    const sinceMs = this.#config.clock() - askedAt;
    const view = this.#view();
    this.#give(leaveFor(this.#config, view, record, entry.ageMs, sinceMs, this.#instances));
  }

  #view(): LocalView {
    const { state, step, retryInMs, level } = this.#breaker.status();
    return {
      state,
      step,
      retryInMs: retryInMs ?? 0,
      level,
      seen: this.#seen,
      news: this.#news,
      opening: `${this.#config.instance}#${++this.#openings}`,
    };
  }

  /** Whatever comes after the timeout is not heard; a write that went through is found at the next reading. */
  #ask<T>(question: () => Promise<T>): Promise<T> {
    const { timer, storeTimeoutMs } = this.#config;
    return new Promise((resolve, reject) => {
      const limit = timer.after(storeTimeoutMs, () =>
        reject(new Error(`The shared store did not answer within ${storeTimeoutMs} ms`)),
      );
      Promise.resolve()
        .then(question)
        .then(resolve, reject)
        .finally(() => limit.cancel());
    });
  }
}

const telling: ReadonlySet<string> = new Set([
  'opened',
  'half_open',
  'step',
  'closed',
  'forced',
  'resumed',
  'reset',
]);
