import type { AgentTime } from '@/lib/agent/ports';
import { FakeClock } from '@/tests/support/fake-clock';

/** The agent's clocks and timers on a clock that moves only when told to. */
export class ManualTime implements AgentTime {
  readonly clock = new FakeClock(1_000);
  wallMs = 1_800_000_000_000;
  readonly #soon: (() => void)[] = [];

  mono(): number {
    return this.clock.now();
  }

  wall(): number {
    return this.wallMs + this.clock.now();
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = this.clock.after(delayMs, () => {
      run();
      this.settle();
    });
    return () => timer.cancel();
  }

  every(periodMs: number, run: () => void): () => void {
    let cancel: (() => void) | undefined;
    const arm = () => {
      cancel = this.after(periodMs, () => {
        arm();
        run();
      });
    };
    arm();
    return () => cancel?.();
  }

  soon(run: () => void): void {
    this.#soon.push(run);
  }

  /** Runs what was put off, as the event loop would after the current work. */
  settle(): void {
    for (let run = this.#soon.shift(); run !== undefined; run = this.#soon.shift()) run();
  }

  advance(ms: number): void {
    this.settle();
    this.clock.advance(ms);
    this.settle();
  }
}
