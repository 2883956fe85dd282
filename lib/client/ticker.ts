import { Channels } from './channels';
import type { Clock, Timer } from './clock';

const SECOND_MS = 1_000;

/** One timer for every countdown on the page; it ticks on the whole seconds of the server. */
export class Ticker {
  readonly #channels = new Channels();
  #watchers = 0;
  #timer: Timer | null = null;
  #wall = 0;
  #live = 0;

  /** `live` stands still while the connection is not live, `wall` never does. */
  constructor(
    private readonly clock: Clock,
    private readonly read: () => { wall: number; live: number },
  ) {}

  readonly wall = (): number => this.#fresh().#wall;
  readonly live = (): number => this.#fresh().#live;

  readonly watch = (listener: () => void): (() => void) => {
    const release = this.#channels.add('tick', listener);
    this.#watchers += 1;
    if (this.#timer === null) this.tick();
    return () => {
      release();
      this.#watchers -= 1;
      if (this.#watchers > 0) return;
      this.#timer?.cancel();
      this.#timer = null;
    };
  };

  /** Nobody watches yet, so nothing has been read: a first render must not show 1970. */
  #fresh(): this {
    if (this.#timer === null) this.#read();
    return this;
  }

  #read(): number {
    const { wall, live } = this.read();
    this.#wall = Math.floor(wall / SECOND_MS) * SECOND_MS;
    this.#live = Math.floor(live / SECOND_MS) * SECOND_MS;
    return wall;
  }

  tick(): void {
    const wall = this.#read();
    this.#timer?.cancel();
    this.#timer =
      this.#watchers > 0
        ? this.clock.after(SECOND_MS - (wall % SECOND_MS), () => this.tick())
        : null;
    this.#channels.emit('tick');
  }
}
