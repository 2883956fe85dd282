/** Store, bus and services: everything that the doors stand in front of. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { IdentityDeps } from './auth/identity/context';
import { createIdentity, type Identity } from './auth/identity/identity';
import { createPasswords } from './auth/passwords';
import { reseal } from './auth/sealed';
import { loadSecrets } from './auth/secret';
import { sha256Hex } from './auth/sha256';
import type { Bus } from './bus/port';
import { openCommandKey, type CommandSigner } from './audit/command-key';
import { openAuditParts } from './audit/open-parts';
import { createInProcessBus } from './bus/in-process';
import type { Config } from './config';
import type { Clock, Logger, Services } from './services/contract';
import { createSimulator, type Simulator } from './simulator/simulator';
import { createWebhook } from './notices/webhook';
import { createServices } from './services/create-services';
import type { PeopleStore } from './store/port/people';
import { openSqliteStore } from './store/sqlite/open';

export type Backend = {
  readonly services: Services;
  /** The sign-in doors, once it is known where browsers reach them. */
  openIdentity(place: Pick<IdentityDeps, 'publicUrl' | 'secure'>): Identity;
  readonly bus: Bus;
  readonly commandSigner?: CommandSigner;
  readonly simulator?: Simulator;
  checkWritable(): Promise<void>;
  /** Null when the file is sound. */
  checkIntegrity(): Promise<string | null>;
  /** Flushes what was received, then lets go of the file. */
  close(): Promise<void>;
};

const DAY_MS = 86_400_000;
export const DATABASE_FILE = 'recloser.db';

const noticesTo = ({ webhook }: Config, clock: Clock) =>
  webhook === null ? {} : { sendNotice: createWebhook(webhook, { now: () => clock.wall() }) };

const openStore = ({ dataDir, rootDir }: Config, log: Logger) =>
  openSqliteStore({
    file: join(dataDir, DATABASE_FILE),
    migrationsFolder: join(rootDir, 'drizzle'),
    log: (fields, message) => log.info(fields, message),
  });

/** [S-26] Of somebody's authenticator app, encrypted. */
const holdsSecrets = async (people: PeopleStore): Promise<boolean> =>
  (await people.listPeople()).some(({ hasTotp }) => hasTotp);

async function openSecret(
  { dataDir, secret }: Config,
  people: PeopleStore,
  clock: Clock,
  log: Logger,
): Promise<string> {
  const secrets = loadSecrets(dataDir, secret, await holdsSecrets(people));
  const moved = await reseal(people, secrets, clock.wall());
  if (moved > 0) log.info({ rows: moved }, 'authenticator apps are encrypted under the new key');
  return secrets.current;
}

/** Throws a `StoreError`, `SecretError` or `AuditKeyError` whose message is fit to be the last line of a refused start. */
export async function openBackend(config: Config, clock: Clock, log: Logger): Promise<Backend> {
  const store = openStore(config, log);
  const bus = createInProcessBus((thrown) => log.error({ err: thrown }, 'bus listener failed'));
  const [passwords, simulator] = [createPasswords(), createSimulator()];
  let services: Services;
  let commandSigner: CommandSigner;
  let secret: string;
  try {
    secret = await openSecret(config, store.people, clock, log);
    commandSigner = openCommandKey(config.dataDir);
    log.info({ commandKeyId: commandSigner.keyId }, 'commands are signed with this key');
    services = createServices({
      store,
      bus,
      clock,
      log,
      random: randomBytes,
      hash: sha256Hex,
      passwords,
      audit: openAuditParts(config),
      sinkRequired: config.auditLogRequired,
      ...noticesTo(config, clock),
      simulated: simulator,
      overrideLimits: config.overrideLimits,
      sampleRetentionMs: config.sampleRetentionDays * DAY_MS,
    });
    await services.start();
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
  return {
    services,
    bus,
    commandSigner,
    simulator,
    openIdentity: (place) =>
      createIdentity({
        ...place,
        services,
        people: store.people,
        appendAudit: (row) => store.appendAudit(row),
        passwords,
        bus,
        clock,
        log,
        secret,
        oidc: config.oidc,
      }),
    checkWritable: () => store.checkWritable(),
    checkIntegrity: () => store.checkIntegrity(),
    async close() {
      await services.stop();
      await bus.close();
      await store.close();
    },
  };
}
