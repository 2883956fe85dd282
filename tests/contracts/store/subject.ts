import type { Store } from '@/server/store/port';

/** The store of the running test: fresh for each test, another object after `reopen`. */
export type Subject = { store(): Store; reopen(): Promise<Store> };
