import type { BreakerDetailPatch } from '@/lib/protocol/live-frames';
import { foldDetail, NO_DETAIL, type LiveDetail } from './live-detail';

/** Charts need not move more often; a new event is shown at once. */
const EVERY_MS = 1_000;

/** Collects the patches of one breaker, ten a second, into a picture that changes once a second. */
export class DetailStore {
  readonly #listeners = new Set<() => void>();
  #held: LiveDetail = NO_DETAIL;
  #shown: LiveDetail = NO_DETAIL;
  #timer: ReturnType<typeof setTimeout> | null = null;

  readonly shown = (): LiveDetail => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  };

  readonly add = (patch: BreakerDetailPatch): void => {
    this.#held = foldDetail(this.#held, { type: 'patch', patch });
    if (patch.events !== undefined) this.#show();
    else this.#timer ??= setTimeout(() => this.#show(), EVERY_MS);
  };

  readonly resync = (): void => {
    this.#held = NO_DETAIL;
    this.#show();
  };

  #show(): void {
    this.#stop();
    if (this.#shown === this.#held) return;
    this.#shown = this.#held;
    for (const listener of this.#listeners) listener();
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
