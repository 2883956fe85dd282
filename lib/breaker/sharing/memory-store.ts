import { defaultEnvironment } from '../defaults';
import type { SharedStore, StoredEntry, SwapResult } from './store';

type Kept = { epoch: number; value: string; writtenAt: number; expiresAt: number };

/** A store for the breakers of one process, and for tests. */
export class MemorySharedStore implements SharedStore {
  readonly #clock: () => number;
  readonly #entries = new Map<string, Kept>();
  readonly #members = new Map<string, Map<string, number>>();

  /** `clock`: monotonic ms. */
  constructor({ clock = defaultEnvironment.clock }: { readonly clock?: () => number } = {}) {
    this.#clock = clock;
  }

  async read(key: string): Promise<StoredEntry> {
    const kept = this.#entries.get(key);
    if (kept === undefined) return { epoch: 0, value: null, ageMs: 0 };
    const now = this.#clock();
    const { epoch, value, writtenAt, expiresAt } = kept;
    return now < expiresAt
      ? { epoch, value, ageMs: now - writtenAt }
      : { epoch, value: null, ageMs: 0 };
  }

  async compareAndSet(
    key: string,
    expectedEpoch: number,
    value: string,
    ttlMs: number,
  ): Promise<SwapResult> {
    const epoch = this.#entries.get(key)?.epoch ?? 0;
    if (epoch !== expectedEpoch) return { swapped: false, entry: await this.read(key) };
    const now = this.#clock();
    this.#entries.set(key, { epoch: epoch + 1, value, writtenAt: now, expiresAt: now + ttlMs });
    return { swapped: true, entry: { epoch: epoch + 1, value, ageMs: 0 } };
  }

  async announce(key: string, instance: string, ttlMs: number): Promise<number> {
    const now = this.#clock();
    const members = this.#members.get(key) ?? new Map<string, number>();
    this.#members.set(key, members);
    members.set(instance, now + ttlMs);
    for (const [name, expiresAt] of members) if (expiresAt <= now) members.delete(name);
    return members.size;
  }

  async withdraw(key: string, instance: string): Promise<void> {
    this.#members.get(key)?.delete(instance);
  }
}
