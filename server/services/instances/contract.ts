import type { Caller } from '../caller';

export type RemovedInstance = {
  readonly instanceId: string;
  readonly instance: string;
  readonly serviceId: string;
  /** Logical breakers that no other instance has: they leave the fleet with it. */
  readonly breakersGone: readonly string[];
};

export interface Instances {
  /**
   * Takes one that is offline out of the lists; its history stays, and it is back as soon as it
   * reports again. Refused while it is heard.
   */
  remove(caller: Caller, id: string): Promise<RemovedInstance>;
}
