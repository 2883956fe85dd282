import { sql } from 'drizzle-orm';
import type { InstanceRecord, RegisterRun, RunRecord } from '../port';
import { inTransaction, type Connection } from './connection';
import { StoreError } from './errors';
import { readInstance, upsertInstance } from './instances';
import { runs, services } from './schema';

function upsertService({ db }: Connection, service: RegisterRun['service']): number {
  const { id: uid, environment, name, owner, firstSeenAt } = service;
  const { key } = db
    .insert(services)
    .values({ uid, environment, name, owner, firstSeenAt })
    // An agent that does not say leaves what another said.
    .onConflictDoUpdate({
      target: services.uid,
      set: { owner: sql`coalesce(excluded.owner, ${services.owner})` },
    })
    .returning({ key: services.id })
    .get();
  return key;
}

/** A run that connects again goes on where it was; a new epoch starts at 0. */
export function registerRun(
  connection: Connection,
  input: RegisterRun,
): { run: RunRecord; instance: InstanceRecord } {
  const { db } = connection;
  return inTransaction(connection, () => {
    const service = upsertService(connection, input.service);
    const instanceKey = upsertInstance(connection, service, input.instance);
    const row = db
      .insert(runs)
      .values({ instance: instanceKey, epoch: input.epoch })
      .onConflictDoUpdate({
        target: [runs.instance, runs.epoch],
        set: { epoch: sql`excluded.epoch` },
      })
      .returning()
      .get();
    const instance = readInstance(connection, instanceKey);
    if (instance === undefined) {
      throw new StoreError('unknown_id', `Instance ${input.instance.id} is gone; connect again.`);
    }
    const { id, epoch, ackedSeq, samplesSeq } = row;
    return { run: { id, instanceId: instance.id, epoch, ackedSeq, samplesSeq }, instance };
  });
}
