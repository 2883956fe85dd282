import type { BreakerStatus } from '../../breaker/types';
import type { ProbeReport } from '../../protocol/events';
import { LatencyHistogram } from '../../stats';
import type { SettledCall } from '../ports';
import { wireCount, wireMs } from '../text';
import { CallKinds } from './kinds';
import { canMerge, isIdle, makeSample, mergeSamples, type NewSample } from './sample';

/** Reported one by one; the rest of the second is counted in `probesNotSent`. */
const PROBES_PER_SECOND = 50;

export type NewProbe = Omit<ProbeReport, 'seq'>;

type Now = { readonly at: number; readonly mono: number };

/** Turns what one breaker does into a sample a second and a report per probe. */
export class Sampler {
  readonly #breaker: string;
  readonly #emit: (item: NewSample | NewProbe) => void;
  #before: BreakerStatus['counters'];
  #latency = new LatencyHistogram();
  readonly #kinds = new CallKinds();
  #sinceMono: number;
  #probes = 0;
  #notSent = 0;
  #pending: NewSample | null = null;

  constructor(
    breaker: string,
    status: BreakerStatus,
    mono: number,
    emit: (item: NewSample | NewProbe) => void,
  ) {
    this.#breaker = breaker;
    this.#before = status.counters;
    this.#sinceMono = mono;
    this.#emit = emit;
  }

  settled(call: SettledCall, now: Now): void {
    // Only answers and timeouts say how long the target takes; refusals are fast for no reason.
    const telling = call.outcome === 'success' || call.outcome === 'timeout';
    // A late result belongs to another time and is counted apart.
    if (telling && call.receipt !== 'late' && call.receipt !== 'bypassed') {
      this.#latency.record(call.latencyMs);
    }
    this.#kinds.add(call);
    if (!call.probe || call.step === null) return;
    this.#probes += 1;
    if (this.#probes > PROBES_PER_SECOND) {
      this.#notSent += 1;
      return;
    }
    this.#emit({
      type: 'probe',
      at: wireMs(now.at),
      mono: wireMs(now.mono),
      breaker: this.#breaker,
      step: wireCount(call.step),
      outcome: call.outcome,
      latencyMs: wireMs(call.latencyMs),
      idempotent: call.idempotent,
      inFlight: wireCount(call.inFlight),
    });
  }

  /** Once a second. On a slow link the sample waits to be merged with its neighbours. */
  tick(status: BreakerStatus, now: Now, slowLink: boolean): void {
    const sample = this.#take(status, now);
    if (sample !== null) this.#pass(sample);
    if (!slowLink || sample === null) this.flush();
  }

  flush(): void {
    if (this.#pending !== null) this.#emit(this.#pending);
    this.#pending = null;
  }

  #pass(sample: NewSample): void {
    if (this.#pending !== null && canMerge(this.#pending, sample)) {
      this.#pending = mergeSamples(this.#pending, sample);
      return;
    }
    this.flush();
    this.#pending = sample;
  }

  #take(status: BreakerStatus, now: Now): NewSample | null {
    const periodMs = now.mono - this.#sinceMono;
    const before = this.#before;
    this.#sinceMono = now.mono;
    this.#before = status.counters;
    const latency = this.#latency;
    const probesNotSent = this.#notSent;
    const groups = this.#kinds.take();
    this.#probes = 0;
    this.#notSent = 0;
    if (isIdle(before, status) && latency.count === 0) return null;
    this.#latency = new LatencyHistogram();
    const breaker = this.#breaker;
    return makeSample({
      breaker,
      before,
      status,
      latency,
      probesNotSent,
      groups,
      periodMs,
      ...now,
    });
  }
}
