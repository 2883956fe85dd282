/**
 * [S-02] What a command on the machine may do with the data folder, without a session: whoever can
 * write there is trusted. It works beside a running server and while none runs.
 */
import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { createPasswords } from './auth/passwords';
import { abandonSealed } from './auth/sealed';
import { loadSecrets, rotateSecret } from './auth/secret';
import { sha256Hex } from './auth/sha256';
import { DATABASE_FILE } from './backend';
import { createInProcessBus } from './bus/in-process';
import { systemClock } from './clock';
import { auditBy, type Caller } from './services/caller';
import type { Logger, Services } from './services/contract';
import { createServices } from './services/create-services';
import type { AuditInsert } from './store/port';
import type { PersonRecord } from './store/port/people';
import { openSqliteStore } from './store/sqlite/open';

export type Local = {
  /** Recovery codes, the setup token. */
  readonly entry: Services['entry'];
  readonly people: Services['people'];
  /** Copies the database into a new file; throws a `StoreError`. */
  backUp(target: string): Promise<void>;
  /** [S-26] A new key, for the next start. Throws a `SecretError`. */
  rotateSecret(): Promise<void>;
  /** Takes away the authenticator apps that the keys of now do not open; whose they were. */
  abandonSealed(): Promise<readonly PersonRecord[]>;
  /** Who the audit says it was. */
  readonly caller: Caller;
  close(): Promise<void>;
};

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  error: () => undefined,
};

/** Throws a `StoreError` whose message is fit for the command line. */
export function openLocal(options: {
  readonly dataDir: string;
  /** `RECLOSER_SECRET`, when it is set. */
  readonly secret?: readonly string[];
  /** Where `drizzle` is. */
  readonly rootDir: string;
}): Local {
  const store = openSqliteStore({
    file: join(options.dataDir, DATABASE_FILE),
    migrationsFolder: join(options.rootDir, 'drizzle'),
    isBeside: true,
  });
  const bus = createInProcessBus(() => undefined);
  const services = createServices({
    store,
    bus,
    clock: systemClock,
    log: silent,
    random: randomBytes,
    hash: sha256Hex,
    passwords: createPasswords(),
  });
  const caller: Caller = {
    principal: { kind: 'local', name: 'command line' },
    ip: null,
    userAgent: null,
    requestId: null,
  };
  const row = (action: string, subject: string, details: AuditInsert['details']): AuditInsert => ({
    at: systemClock.wall(),
    ...auditBy(caller),
    action,
    subject,
    outcome: 'done',
    details,
  });
  return {
    entry: services.entry,
    people: services.people,
    backUp: (target) =>
      store.backUp(target, row('backup.made', 'console', { file: basename(target) })),
    rotateSecret: () =>
      rotateSecret(options.dataDir, (keyIds) =>
        store.appendAudit(row('secret.rotated', 'console', keyIds)),
      ),
    abandonSealed: async () => {
      const secrets = loadSecrets(options.dataDir, options.secret ?? [], false);
      const lost = await abandonSealed(store.people, secrets, (id) => row('factor.lost', id, {}));
      const people = await store.people.listPeople();
      return people.filter(({ id }) => lost.includes(id));
    },
    caller,
    async close() {
      await bus.close();
      await store.close();
    },
  };
}
