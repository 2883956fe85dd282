import type { SimulatorBody } from '@/lib/protocol/simulation';
import type { Caller } from '../caller';

/** No token in the store has it: ids there begin with a prefix. */
export const SIMULATOR_TOKEN_ID = 'simulator';

/** The pretend fleet, as far as the services need to know it. */
export type SimulatedFleet = {
  /** When it stops by itself, epoch ms; null while it does not run. */
  readonly endsAt: number | null;
  /** There is somewhere to report to. */
  readonly isReady: boolean;
  /** Does nothing while it runs. */
  start(): void;
  /** Resolves when nothing of it will be reported any more. */
  stop(): Promise<void>;
};

export interface Simulator {
  status(): Promise<SimulatorBody>;
  /** Starts it, or leaves it running. */
  start(caller: Caller): Promise<SimulatorBody>;
  /** Stops it and deletes everything that it reported; audit rows stay. */
  remove(caller: Caller): Promise<SimulatorBody>;
}
