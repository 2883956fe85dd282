import type * as command from '../command-port';
import type * as port from '../port';
import type { ApiTokenStore } from '../port/api-tokens';
import type { PeopleStore } from '../port/people';
import { auditHead, foreignAuditRows, insertAudit, listAudit, readAudit } from './audit';
import {
  addAuditKey,
  appendCheckpoint,
  listAuditKeys,
  listCheckpoints,
  newestCheckpoint,
} from './audit-proof';
import { inTransaction, type Connection } from './connection';
import { copyInto } from './copy';
import * as commandRows from './command-rows';
import * as commands from './commands';
import { endOverrides, recordDeliveries } from './deliveries';
import { StoreError, toStoreError } from './errors';
import { loadFleet } from './fleet';
import { lastTransitions, listGaps, listHistory } from './history';
import { archiveInstances, removeInstance, touchInstance } from './instances';
import { startCheck, type Check } from './integrity';
import { listLiveness, recordLiveness } from './liveness';
import type { FileLock } from './lock';
import { increment } from './meta';
import { addTargets, changeLeases } from './leases';
import { getOverride, listOverrides, overridesOfCommand } from './override-rows';
import { listPolicies, setPolicy } from './policies';
import { createApiTokenStore } from './api-tokens/store';
import { createPeopleStore } from './people/store';
import { prune } from './prune';
import { removeEnvironment } from './remove-environment';
import * as releases from './releases';
import * as reviews from './reviews';
import { registerRun } from './runs';
import { readProbes, readSamples } from './samples';
import { createToken, findToken, listTokens, revokeToken, touchToken } from './tokens';
import { createInlineWriter, type Writer } from './writer';

type Page<Method extends Exclude<keyof port.Store, 'people' | 'apiTokens'>> = Parameters<
  port.Store[Method]
>[0];

/** Each method is one unit of work of its topic's file. Nothing is published here. */
export class SqliteStore implements port.Store {
  readonly #connection: Connection;
  readonly #lock: FileLock | null;
  readonly #writer: Writer;
  readonly #checks = new Set<Check>();
  readonly people: PeopleStore = createPeopleStore((work) => this.#unit(work));
  readonly apiTokens: ApiTokenStore = createApiTokenStore((work) => this.#unit(work));

  constructor(connection: Connection, lock: FileLock | null) {
    this.#connection = connection;
    this.#lock = lock;
    this.#writer = createInlineWriter(connection.client);
  }

  async #unit<T>(work: (connection: Connection) => T | Promise<T>): Promise<T> {
    if (!this.#connection.client.open) {
      throw new StoreError('closed', 'The store is closed; open it again to use it.');
    }
    try {
      return await work(this.#connection);
    } catch (thrown) {
      throw toStoreError(thrown, this.#connection.file);
    }
  }

  loadFleet(): Promise<port.FleetRecord> {
    return this.#unit(loadFleet);
  }
  registerRun(input: port.RegisterRun) {
    return this.#unit((connection) => registerRun(connection, input));
  }
  appendBatches(batches: readonly port.RunBatch[]): Promise<readonly port.RunResult[]> {
    return this.#unit(() => this.#writer.append(batches));
  }
  saveStates(states: readonly port.StateUpsert[]): Promise<void> {
    return this.#unit(() => this.#writer.saveStates(states));
  }
  recordLiveness(changes: readonly port.LivenessChange[]): Promise<void> {
    return this.#unit((connection) => recordLiveness(connection, changes));
  }
  touchInstance(input: Page<'touchInstance'>): Promise<void> {
    return this.#unit((connection) => touchInstance(connection, input));
  }
  archiveInstances(before: number, at: number): Promise<readonly string[]> {
    return this.#unit((connection) => archiveInstances(connection, before, at));
  }

  removeInstance(id: string, at: number, audit: port.AuditInsert): Promise<boolean> {
    return this.#unit((connection) => removeInstance(connection, id, at, audit));
  }

  removeEnvironment(environment: string, audit: port.AuditInsert): Promise<void> {
    return this.#unit((connection) => {
      removeEnvironment(connection, environment, audit);
      this.#writer.forgetKeys();
    });
  }

  listHistory(page: port.HistoryPage) {
    return this.#unit((connection) => listHistory(connection, page));
  }
  lastTransitions(breakerId: string, before: number) {
    return this.#unit((connection) => lastTransitions(connection, breakerId, before));
  }
  listLiveness(instanceIds: readonly string[], from: number, to: number) {
    return this.#unit((connection) => listLiveness(connection, instanceIds, from, to));
  }
  listGaps(instanceIds: readonly string[], from: number, to: number) {
    return this.#unit((connection) => listGaps(connection, instanceIds, from, to));
  }
  readSamples(range: port.SampleRange) {
    return this.#unit((connection) => readSamples(connection, range));
  }
  readProbes(range: port.SampleRange) {
    return this.#unit((connection) => readProbes(connection, range));
  }

  putCommand(input: command.PutCommand): Promise<command.PutCommandResult> {
    return this.#unit((connection) => commands.putCommand(connection, input));
  }
  startCommand(input: command.StartCommand): Promise<command.StartCommandResult> {
    return this.#unit((connection) => commands.startCommand(connection, input));
  }
  settleCommand(input: command.SettleCommand) {
    return this.#unit((connection) => commands.settleCommand(connection, input));
  }
  refreshCommand(input: command.RefreshCommand) {
    return this.#unit((connection) => commands.refreshCommand(connection, input));
  }
  getCommand(id: string): Promise<command.CommandRecord | null> {
    return this.#unit((one) => commandRows.findCommand(one, id)?.command ?? null);
  }
  findCommandByKey(key: string): Promise<command.CommandRecord | null> {
    return this.#unit((one) => commandRows.commandByIdempotencyKey(one, key)?.command ?? null);
  }
  listCommands(filter: Page<'listCommands'>) {
    return this.#unit((connection) => commandRows.listCommands(connection, filter));
  }
  overridesOfCommand(id: string) {
    return this.#unit((connection) => overridesOfCommand(connection, id));
  }
  changeLeases(inputs: readonly command.ChangeLease[]) {
    return this.#unit((connection) => changeLeases(connection, inputs));
  }
  addTargets(input: command.AddTargets) {
    return this.#unit((connection) => addTargets(connection, input));
  }

  putRelease(release: command.ReleaseRecord, audit: port.AuditInsert): Promise<void> {
    return this.#unit((connection) => releases.putRelease(connection, release, audit));
  }
  stepRelease(input: command.StepRelease) {
    return this.#unit((connection) => releases.stepRelease(connection, input));
  }
  getRelease(id: string) {
    return this.#unit((connection) => releases.getRelease(connection, id));
  }
  listReleases(filter: Page<'listReleases'>) {
    return this.#unit((connection) => releases.listReleases(connection, filter));
  }

  listPolicies() {
    return this.#unit(listPolicies);
  }
  setPolicy(policy: command.PolicyRecord, audit: port.AuditInsert): Promise<void> {
    return this.#unit((connection) => setPolicy(connection, policy, audit));
  }

  listReviews(filter: Page<'listReviews'>) {
    return this.#unit((connection) => reviews.listReviews(connection, filter));
  }
  getReview(id: string) {
    return this.#unit((connection) => reviews.getReview(connection, id));
  }
  closeReview(input: Page<'closeReview'>) {
    return this.#unit((connection) => reviews.closeReview(connection, input));
  }

  endOverrides(inputs: readonly port.EndOverride[]) {
    return this.#unit((connection) => endOverrides(connection, inputs));
  }
  recordDeliveries(updates: readonly port.DeliveryUpdate[]) {
    return this.#unit((connection) => recordDeliveries(connection, updates));
  }
  getOverride(id: string): Promise<port.OverrideRecord | null> {
    return this.#unit((connection) => getOverride(connection, id));
  }
  listOverrides(filter: Page<'listOverrides'>) {
    return this.#unit((connection) => listOverrides(connection, filter));
  }

  createToken(token: port.TokenRecord, hash: string, audit: port.AuditInsert): Promise<void> {
    return this.#unit((connection) => createToken(connection, token, hash, audit));
  }
  findToken(hash: string): Promise<port.TokenRecord | null> {
    return this.#unit((connection) => findToken(connection, hash));
  }
  listTokens(): Promise<readonly port.TokenRecord[]> {
    return this.#unit(listTokens);
  }
  touchToken(id: string, at: number): Promise<void> {
    return this.#unit((connection) => touchToken(connection, id, at));
  }
  revokeToken(id: string, at: number, audit: port.AuditInsert) {
    return this.#unit((connection) => revokeToken(connection, id, at, audit));
  }

  appendAudit(row: port.AuditInsert): Promise<port.AuditRecord> {
    return this.#unit((connection) =>
      inTransaction(connection, () => insertAudit(connection, row)),
    );
  }
  listAudit(page: Page<'listAudit'>) {
    return this.#unit((connection) => listAudit(connection, page));
  }
  readAudit(range: Page<'readAudit'>) {
    return this.#unit((connection) => readAudit(connection, range));
  }
  auditHead(): Promise<port.AuditPosition> {
    return this.#unit(auditHead);
  }
  foreignAuditRows(): Promise<readonly number[]> {
    return this.#unit(foreignAuditRows);
  }
  appendCheckpoint(checkpoint: Page<'appendCheckpoint'>): Promise<boolean> {
    return this.#unit((connection) => appendCheckpoint(connection, checkpoint));
  }
  listCheckpoints(range: Page<'listCheckpoints'>) {
    return this.#unit((connection) => listCheckpoints(connection, range));
  }
  newestCheckpoint() {
    return this.#unit(newestCheckpoint);
  }
  addAuditKey(key: port.AuditKeyRecord, audit: port.AuditInsert): Promise<void> {
    return this.#unit((connection) => addAuditKey(connection, key, audit));
  }
  listAuditKeys() {
    return this.#unit(listAuditKeys);
  }

  prune(before: number, limit: number): Promise<port.PruneResult> {
    return this.#unit((connection) => prune(connection, before, limit));
  }
  backUp(target: string, audit: port.AuditInsert): Promise<void> {
    return this.#unit((connection) => {
      inTransaction(connection, () => insertAudit(connection, audit));
      copyInto(connection, target);
    });
  }
  checkWritable(): Promise<void> {
    // In a transaction: a commit that fails behind a row that was asked back is not told.
    return this.#unit((connection) =>
      inTransaction(connection, () => void increment(connection, 'writable')),
    );
  }
  checkIntegrity(): Promise<string | null> {
    return this.#unit(async (connection) => {
      const check = startCheck(connection);
      this.#checks.add(check);
      try {
        return await check.done;
      } finally {
        this.#checks.delete(check);
      }
    });
  }

  /** Waits for what is being written; a second call does nothing. */
  async close(): Promise<void> {
    if (!this.#connection.client.open) return;
    await Promise.all([...this.#checks].map((check) => check.stop()));
    await this.#writer.close();
    this.#connection.client.close();
    this.#lock?.release();
  }
}
