import type { TargetPoint } from '../protocol/views';
import type { InstanceSample } from './aggregate';
import { admittedOf, failuresOf } from './call-counts';
import { partOf, spread } from './spread';

type Bucket = Omit<TargetPoint, 'at' | 'probing'> & { readonly recovering: Set<string> };

const CALLS = ['ramping', 'steady', 'refused', 'failures'] as const;

/**
 * What reaches one target, over all breakers that guard it: what the ramps let through, what all
 * others do, and what is turned away. Each instance counts by the state that it was in.
 */
export class TargetAggregator {
  readonly #resolutionMs: number;
  readonly #buckets = new Map<number, Bucket>();

  constructor(resolutionMs: number) {
    this.#resolutionMs = resolutionMs;
  }

  add({ instanceId, at, sample }: InstanceSample): void {
    const recovering = sample.state === 'half_open';
    const admitted = admittedOf(sample.calls);
    const calls = {
      ramping: recovering ? admitted : 0,
      steady: recovering ? 0 : admitted,
      refused: sample.calls.not_permitted,
      failures: failuresOf(sample.calls),
    };
    const { first, pieces } = spread({ at, periodMs: sample.periodMs }, this.#resolutionMs);
    for (let piece = 0; piece < pieces; piece++) {
      const bucket = this.#bucket(first + piece * this.#resolutionMs);
      for (const kind of CALLS) bucket[kind] += partOf(calls[kind], piece, pieces);
      // One instance may have several breakers to the target; it still probes once.
      if (recovering) bucket.recovering.add(instanceId);
    }
  }

  points(): TargetPoint[] {
    return [...this.#buckets]
      .sort(([a], [b]) => a - b)
      .map(([at, { recovering, ...calls }]) => ({ at, ...calls, probing: recovering.size }));
  }

  #bucket(at: number): Bucket {
    const known = this.#buckets.get(at);
    if (known) return known;
    const bucket: Bucket = {
      ramping: 0,
      steady: 0,
      refused: 0,
      failures: 0,
      recovering: new Set(),
    };
    this.#buckets.set(at, bucket);
    return bucket;
  }
}
