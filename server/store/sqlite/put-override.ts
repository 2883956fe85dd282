import { eq } from 'drizzle-orm';
import type { PutOverride, PutOverrideResult } from '../port';
import { insertAudit } from './audit';
import { inTransaction, type Connection } from './connection';
import { StoreError } from './errors';
import { requireKey } from './keys';
import { increment } from './meta';
import { getOverride, overrideByIdempotencyKey, overrideOfGeneration } from './override-rows';
import { breakers, overrides, overrideTargets } from './schema';

function refuse(
  connection: Connection,
  input: PutOverride,
  breaker: number,
  generation: number,
): PutOverrideResult {
  const { expectedGeneration } = input;
  insertAudit(connection, {
    ...input.audit,
    outcome: 'refused',
    details: { ...input.audit.details, expectedGeneration, generation },
  });
  const latest = overrideOfGeneration(connection, breaker, generation);
  return { kind: 'conflict', generation, latest };
}

function insertTargets(connection: Connection, override: number, input: PutOverride): void {
  const { client, db } = connection;
  for (const instanceId of new Set(input.targetInstanceIds)) {
    const instance = requireKey(client, 'instances', instanceId);
    db.insert(overrideTargets).values({ override, instance, updatedAt: input.createdAt }).run();
  }
}

function issue(
  connection: Connection,
  input: PutOverride,
  breaker: number,
  generation: number,
): PutOverrideResult {
  const { db } = connection;
  const { kind, reason, actor, createdAt, deliverBy, leaseMs, endsAt, idempotencyKey } = input;
  db.update(breakers).set({ generation }).where(eq(breakers.id, breaker)).run();
  const { key } = db
    .insert(overrides)
    .values({
      uid: input.id,
      breaker,
      generation,
      kind,
      reason,
      actor,
      createdAt,
      deliverBy,
      leaseMs,
      endsAt,
      idempotencyKey,
    })
    .returning({ key: overrides.id })
    .get();
  insertTargets(connection, key, input);
  insertAudit(connection, input.audit);
  const revision = increment(connection, 'desired_revision');
  const override = getOverride(connection, input.id);
  if (override === null) throw new StoreError('corrupt', `Override ${input.id} did not stay.`);
  return { kind: 'issued', override, revision };
}

/** The write lock is held from the first read on, so that two callers cannot see one generation. */
export function putOverride(connection: Connection, input: PutOverride): PutOverrideResult {
  const { db } = connection;
  return inTransaction(connection, () => {
    const repeat = overrideByIdempotencyKey(connection, input.idempotencyKey);
    if (repeat !== null) return { kind: 'repeat', override: repeat };
    const breaker = db
      .select({ key: breakers.id, generation: breakers.generation })
      .from(breakers)
      .where(eq(breakers.uid, input.breakerId))
      .get();
    if (breaker === undefined) return { kind: 'unknown_breaker' };
    return breaker.generation === input.expectedGeneration
      ? issue(connection, input, breaker.key, breaker.generation + 1)
      : refuse(connection, input, breaker.key, breaker.generation);
  });
}
