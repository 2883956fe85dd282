import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { ClientAddresses } from '../auth/client-address';
import type { DoorRules } from '../auth/doors';
import type { Identity } from '../auth/identity/identity';
import type { Logger, Services } from '../services/contract';
import type { Readiness } from './readiness';
import type { Route } from './route';

export type ApiDeps = {
  readonly rules: DoorRules;
  /** Null while the server starts or stops. */
  readonly running: () => { readonly services: Services; readonly identity: Identity } | null;
  readonly addresses: ClientAddresses;
  readonly readiness: Readiness;
  /** Browsers reach the console over TLS. */
  readonly isSecure: boolean;
  readonly now: () => number;
  readonly log: Logger;
  readonly routes?: readonly Route[];
};

export type ApiEnv = { Bindings: HttpBindings };
export type ApiContext = Context<ApiEnv>;
