import type { Database } from 'better-sqlite3';
import type { BreakerUpsert, ConfigUpsert, RunBatch, RunResult, StateUpsert } from '../port';
import { StoreError } from './errors';
import { appendLog } from './ingest-log';
import { appendRing } from './ingest-samples';
import { prepareIngest, type IngestStatements, type RunRow } from './ingest-statements';
import { KeyCache } from './key-cache';
import { requireKey } from './keys';
import { TransitionMarks } from './transition-marks';

type KnownBreaker = { readonly key: number; readonly target: string | null };

/**
 * Everything that runs send, in one transaction. What a run sent before is recognised by its
 * `acked_seq` and `samples_seq`, which grow in the same transaction as the rows they count.
 */
export class Ingest {
  readonly #client: Database;
  readonly #statements: IngestStatements;
  readonly #breakers = new KeyCache<KnownBreaker>();
  readonly #services = new KeyCache<number>();
  readonly #instances = new KeyCache<number>();
  readonly #inTransaction: (batches: readonly RunBatch[]) => RunResult[];

  constructor(client: Database) {
    this.#client = client;
    this.#statements = prepareIngest(client);
    const transaction = client.transaction((batches: readonly RunBatch[]) =>
      batches.map((batch) => this.#append(batch)),
    );
    this.#inTransaction = (batches) => transaction.immediate(batches);
  }

  append(batches: readonly RunBatch[]): readonly RunResult[] {
    return this.#keeping(() => this.#inTransaction(batches));
  }

  saveStates(states: readonly StateUpsert[]): void {
    const save = this.#client.transaction(() => this.#saveStates(states));
    this.#keeping(() => save.immediate());
  }

  forgetKeys(): void {
    for (const cache of [this.#breakers, this.#services, this.#instances]) cache.clear();
  }

  #keeping<T>(work: () => T): T {
    const caches = [this.#breakers, this.#services, this.#instances];
    try {
      const result = work();
      for (const cache of caches) cache.commit();
      return result;
    } catch (thrown) {
      for (const cache of caches) cache.rollBack();
      throw thrown;
    }
  }

  #append(batch: RunBatch): RunResult {
    const run = this.#statements.run.get(batch.runId);
    if (run === undefined) {
      throw new StoreError('unknown_id', `There is no run ${batch.runId}; register it first.`);
    }
    for (const breaker of batch.breakers) this.#saveBreaker(breaker);
    for (const config of batch.configs) this.#saveConfig(config);
    const breakerKey = (uid: string): number => this.#breakerKey(uid);
    const { receivedAt } = batch;
    const insert = this.#statements.event;
    const marks = new TransitionMarks();
    const log = appendLog({ run, receivedAt, insert, breakerKey, marks }, batch);
    marks.save(this.#statements.lastTransition, run.runId);
    const ring = appendRing({ run, statements: this.#statements, breakerKey }, batch);
    this.#saveStates(batch.states);

    const result: RunResult = {
      runId: run.runId,
      ackedSeq: log.ackedSeq,
      samplesSeq: ring.samplesSeq,
      accepted: log.accepted + ring.accepted,
      duplicate: log.duplicate + ring.duplicate,
      missingFrom: log.missingFrom,
      stored: log.stored,
      storedProbes: ring.storedProbes,
    };
    // A frame that came before has had its dropped samples counted.
    const droppedSamples = ring.samplesSeq > run.samplesSeq ? batch.droppedSamples : 0;
    this.#saveProgress(run, result, log.droppedEvents, droppedSamples);
    return result;
  }

  #saveProgress(run: RunRow, result: RunResult, events: number, samples: number): void {
    if (result.ackedSeq !== run.ackedSeq || result.samplesSeq !== run.samplesSeq) {
      this.#statements.progress.run(result.ackedSeq, result.samplesSeq, run.runId);
    }
    if (result.duplicate + events + samples > 0) {
      this.#statements.tallies.run(result.duplicate, events, samples, run.instanceKey);
    }
  }

  #saveBreaker({ id, serviceId, name, target, firstSeenAt }: BreakerUpsert): void {
    if (this.#breakers.get(id)?.target === target) return;
    const service = this.#key('services', this.#services, serviceId);
    const row = this.#statements.breaker.get(id, service, name, target, firstSeenAt);
    if (row) this.#breakers.learn(id, { key: row.id, target });
  }

  #saveConfig({ breakerId, instanceId, configHash, config }: ConfigUpsert): void {
    const instance = this.#key('instances', this.#instances, instanceId);
    const json = JSON.stringify(config);
    this.#statements.config.run(this.#breakerKey(breakerId), instance, configHash, json);
  }

  #saveStates(states: readonly StateUpsert[]): void {
    for (const { breakerId, instanceId, state, since, at } of states) {
      const instance = this.#key('instances', this.#instances, instanceId);
      const json = JSON.stringify(state);
      this.#statements.state.run(this.#breakerKey(breakerId), instance, json, since, at);
    }
  }

  #breakerKey(uid: string): number {
    const known = this.#breakers.get(uid);
    if (known !== undefined) return known.key;
    const key = requireKey(this.#client, 'breakers', uid);
    this.#breakers.learn(uid, { key, target: null });
    return key;
  }

  #key(table: 'services' | 'instances', cache: KeyCache<number>, uid: string): number {
    const known = cache.get(uid);
    if (known !== undefined) return known;
    const key = requireKey(this.#client, table, uid);
    cache.learn(uid, key);
    return key;
  }
}
