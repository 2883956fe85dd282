/** Frames that may still be sent before the server acknowledges some. */
export class Credit {
  readonly #window: number;
  #open = 0;

  constructor(window: number) {
    this.#window = window;
  }

  get forEvents(): boolean {
    return this.#open < this.#window;
  }

  /** One frame stays free for events, so that a transition never waits behind samples. */
  get forSamples(): boolean {
    return this.#open < Math.max(1, this.#window - 1);
  }

  get idle(): boolean {
    return this.#open === 0;
  }

  spend(): void {
    this.#open += 1;
  }

  free(frames: number): void {
    this.#open = Math.max(0, this.#open - frames);
  }
}
