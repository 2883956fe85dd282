import type { Fault } from './faults';
import { nextScene, scenesBetween } from './scenario';

const TICK_MS = 250;

type Deps = {
  readonly apply: (service: string, fault: Fault) => Promise<unknown>;
  readonly log: (line: string) => void;
  readonly now?: () => number;
};

/** Plays the scenario against the fleet; can be paused, and starts a fresh round afterwards. */
export class ScenarioRunner {
  readonly #deps: Deps;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #playedTo = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#now = deps.now ?? (() => performance.now());
  }

  get running(): boolean {
    return this.#timer !== undefined;
  }

  play(): void {
    if (this.running) return;
    this.#startedAt = this.#now();
    this.#playedTo = 0;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  describe(): { running: boolean; next: string | null; inMs: number | null } {
    if (!this.running) return { running: false, next: null, inMs: null };
    const { scene, inMs } = nextScene(this.#now() - this.#startedAt);
    return { running: true, next: scene.note, inMs: Math.round(inMs) };
  }

  #tick(): void {
    const to = this.#now() - this.#startedAt;
    const due = scenesBetween(this.#playedTo, to);
    this.#playedTo = to;
    for (const { services, fault, note } of due) {
      this.#deps.log(note);
      for (const service of services) {
        this.#deps.apply(service, fault).catch((error: unknown) => this.#deps.log(String(error)));
      }
    }
  }
}
