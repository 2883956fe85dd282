import { afterEach, beforeEach, describe } from 'vitest';
import type { Store } from '@/server/store/port';
import { commandsContract } from './store/commands';
import { fleetContract } from './store/fleet';
import { historyContract } from './store/history';
import { ingestContract } from './store/ingest';
import { overridesContract } from './store/overrides';
import { samplesContract } from './store/samples';
import type { Subject } from './store/subject';
import { tokensContract } from './store/tokens';

/** A store on fresh data, and how to close it and open the same data again. */
export type StoreUnderTest = {
  readonly store: Store;
  reopen(): Promise<Store>;
  dispose(): Promise<void>;
};

/** What every store does, whatever it is made of. */
export function storeContract(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} keeps the store contract`, () => {
    let current: StoreUnderTest;
    let store: Store;

    beforeEach(async () => {
      current = await create();
      store = current.store;
    });
    afterEach(() => current.dispose());

    const subject: Subject = {
      store: () => store,
      reopen: async () => {
        store = await current.reopen();
        return store;
      },
    };
    ingestContract(subject);
    samplesContract(subject);
    historyContract(subject);
    fleetContract(subject);
    overridesContract(subject);
    commandsContract(subject);
    tokensContract(subject);
  });
}
