import { and, asc, between, eq, sql, type SQL } from 'drizzle-orm';
import type { ProbePoint } from '@/lib/protocol/views';
import type { SampleRange, StoredSample } from '../port';
import type { Connection } from './connection';
import { decodeSample } from './sample-codec';
import { breakers, instances, probes, runs, samples } from './schema';

function breakerKey({ db }: Connection, breakerId: string): SQL {
  return sql`(${db.select({ id: breakers.id }).from(breakers).where(eq(breakers.uid, breakerId))})`;
}

function ofInstance(instanceId: string | undefined): SQL | undefined {
  return instanceId === undefined ? undefined : eq(instances.uid, instanceId);
}

export function samplesQuery(connection: Connection, range: SampleRange) {
  return connection.db
    .select({
      instanceId: instances.uid,
      breaker: breakers.name,
      at: samples.at,
      seq: samples.seq,
      body: samples.body,
    })
    .from(samples)
    .innerJoin(breakers, eq(breakers.id, samples.breaker))
    .innerJoin(runs, eq(runs.id, samples.run))
    .innerJoin(instances, eq(instances.id, runs.instance))
    .where(
      and(
        sql`${samples.breaker} = ${breakerKey(connection, range.breakerId)}`,
        between(samples.at, range.from, range.to),
        ofInstance(range.instanceId),
      ),
    )
    .orderBy(asc(samples.at), asc(samples.run), asc(samples.seq))
    .limit(range.limit);
}

/** Oldest first. */
export function readSamples(connection: Connection, range: SampleRange): readonly StoredSample[] {
  return samplesQuery(connection, range)
    .all()
    .map(({ instanceId, body, ...key }) => ({
      instanceId,
      at: key.at,
      sample: decodeSample(body, key),
    }));
}

export function probesQuery(connection: Connection, range: SampleRange) {
  return connection.db
    .select({
      id: probes.id,
      at: probes.at,
      instanceId: instances.uid,
      step: probes.step,
      outcome: probes.outcome,
      latencyMs: probes.latencyMs,
      idempotent: probes.idempotent,
    })
    .from(probes)
    .innerJoin(runs, eq(runs.id, probes.run))
    .innerJoin(instances, eq(instances.id, runs.instance))
    .where(
      and(
        sql`${probes.breaker} = ${breakerKey(connection, range.breakerId)}`,
        between(probes.at, range.from, range.to),
        ofInstance(range.instanceId),
      ),
    )
    .orderBy(asc(probes.at), asc(probes.id))
    .limit(range.limit);
}

/** Oldest first. */
export function readProbes(connection: Connection, range: SampleRange): readonly ProbePoint[] {
  return probesQuery(connection, range).all();
}
