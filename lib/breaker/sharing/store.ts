/** What a store holds under a key. `epoch` rises with every change and outlives the value. */
export type StoredEntry = {
  /** 0: never written. */
  readonly epoch: number;
  /** null: never written, or expired. */
  readonly value: string | null;
  /** Ms since it was written, by the store's own clock. */
  readonly ageMs: number;
};

export type SwapResult = {
  readonly swapped: boolean;
  /** What is there now: the new entry, or the one that was in the way. */
  readonly entry: StoredEntry;
};

/**
 * Where instances meet. Each operation is atomic and short; nothing is ever locked. Times go in and
 * out as durations, so that no two clocks are compared. Any of them may reject or never answer.
 */
export type SharedStore = {
  read(key: string): Promise<StoredEntry>;
  /** Writes if the epoch is still the expected one. The value expires after `ttlMs`, the epoch not with it. */
  compareAndSet(
    key: string,
    expectedEpoch: number,
    value: string,
    ttlMs: number,
  ): Promise<SwapResult>;
  /** Says that an instance lives for the next `ttlMs`. Returns how many do, this one included. */
  announce(key: string, instance: string, ttlMs: number): Promise<number>;
  /** The instance is gone. */
  withdraw(key: string, instance: string): Promise<void>;
};
