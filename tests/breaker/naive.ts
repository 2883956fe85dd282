import type { BreakerOptions } from '@/lib/breaker';
import type { Result } from './histories';

type Entry = { readonly at: number; readonly outcome: Result; readonly latencyMs: number };

const failures = new Set<Result>(['timeout', 'server_error', 'overload', 'refused']);
const counted = new Set<Result>([...failures, 'success', 'client_error']);

/** The closed breaker recomputed from the full log: slow, obvious, and independent of the core. */
export class NaiveWindow {
  entries: Entry[] = [];

  constructor(
    readonly options: BreakerOptions,
    readonly guardUntil: number,
  ) {}

  static counts(outcome: Result): boolean {
    return counted.has(outcome);
  }

  add(at: number, outcome: Result, latencyMs: number): void {
    this.entries.push({ at, outcome, latencyMs });
  }

  /** The entries that the window still holds. */
  inWindow(now: number): Entry[] {
    const { window } = this.options;
    switch (window?.kind) {
      case 'count':
        return this.entries.slice(-window.size);
      case 'hybrid':
        return this.entries.slice(-window.size).filter(({ at }) => now - at <= window.durationMs);
      case 'time': {
        const buckets = window.buckets ?? 10;
        const width = window.durationMs / buckets;
        const index = (at: number) => Math.floor(at / width);
        return this.entries.filter(({ at }) => index(at) > index(now) - buckets);
      }
      default:
        throw new Error('no window');
    }
  }

  totals(now: number, slowMs: number): { calls: number; failures: number; slow: number } {
    const entries = this.inWindow(now);
    return {
      calls: entries.length,
      failures: entries.filter(({ outcome }) => failures.has(outcome)).length,
      slow: entries.filter((entry) => isSlow(entry, slowMs)).length,
    };
  }

  holds(now: number): boolean {
    const guarded = now < this.guardUntil;
    const factor = guarded ? (this.options.recovery?.guardFactor ?? 0.5) : 1;
    const scaled = (value: number) => Math.max(1, Math.ceil(value * factor));
    return (this.options.trip ?? []).some((policy) => {
      const slowMs = policy.kind === 'slow' ? policy.slowMs : 0;
      const { calls, failures: failed, slow } = this.totals(now, slowMs);
      const over = (count: number, rate: number) =>
        count * 10_000 >= Math.round(rate * 10_000 * factor) * calls;
      switch (policy.kind) {
        case 'consecutive':
          return this.#inRow(({ outcome }) => failures.has(outcome)) >= scaled(policy.failures);
        case 'refused':
          return this.#inRow(({ outcome }) => outcome === 'refused') >= scaled(policy.failures);
        case 'count':
          return failed >= scaled(policy.failures);
        case 'ratio':
          return calls >= scaled(policy.minimumCalls) && over(failed, policy.rate);
        case 'mixed':
          return (
            failed >= scaled(policy.failures) &&
            calls >= scaled(policy.minimumCalls) &&
            over(failed, policy.rate)
          );
        case 'slow':
          return calls >= scaled(policy.minimumCalls) && over(slow, policy.rate);
        default:
          throw new Error('unknown policy');
      }
    });
  }

  #inRow(matches: (entry: Entry) => boolean): number {
    const last = this.entries.findLastIndex((entry) => !matches(entry));
    return this.entries.length - 1 - last;
  }
}

function isSlow({ outcome, latencyMs }: Entry, slowMs: number): boolean {
  return outcome === 'timeout' || (!failures.has(outcome) && latencyMs >= slowMs);
}
