import { and, eq, isNull } from 'drizzle-orm';
import type { BreakerRecord, ConfigUpsert, FleetRecord, ServiceRecord, StateUpsert } from '../port';
import { inSnapshot, type Connection } from './connection';
import { instanceColumns } from './instances';
import { readCounter } from './meta';
import { overridesAtStart } from './override-rows';
import { breakers, configs, instances, reportedStates, services } from './schema';

/** Ended overrides that a browser may still list; the rest is history. */
const ENDED_OVERRIDES = 500;

function readServices({ db }: Connection): readonly ServiceRecord[] {
  const { uid: id, environment, name, owner, firstSeenAt } = services;
  return db.select({ id, environment, name, owner, firstSeenAt }).from(services).all();
}

function readBreakers({ db }: Connection): readonly BreakerRecord[] {
  const { uid: id, name, target, generation, firstSeenAt } = breakers;
  return db
    .select({ id, serviceId: services.uid, name, target, generation, firstSeenAt })
    .from(breakers)
    .innerJoin(services, eq(services.id, breakers.service))
    .all();
}

export function presentInstancesQuery({ db }: Connection) {
  return db
    .select(instanceColumns)
    .from(instances)
    .innerJoin(services, eq(services.id, instances.service))
    .where(isNull(instances.archivedAt));
}

// A cross join keeps the order that is written: present instances first, archived ones never.
export function presentStatesQuery({ db }: Connection) {
  const { state, since, at } = reportedStates;
  return db
    .select({ breakerId: breakers.uid, instanceId: instances.uid, state, since, at })
    .from(instances)
    .crossJoin(reportedStates)
    .innerJoin(breakers, eq(breakers.id, reportedStates.breaker))
    .where(and(isNull(instances.archivedAt), eq(reportedStates.instance, instances.id)));
}

export function presentConfigsQuery({ db }: Connection) {
  const { hash: configHash, json: config } = configs;
  return db
    .select({ breakerId: breakers.uid, instanceId: instances.uid, configHash, config })
    .from(instances)
    .crossJoin(configs)
    .innerJoin(breakers, eq(breakers.id, configs.breaker))
    .where(and(isNull(instances.archivedAt), eq(configs.instance, instances.id)));
}

/** Archived instances stay in history and are left out here. */
export function loadFleet(connection: Connection): FleetRecord {
  return inSnapshot(connection, () => {
    const states: readonly StateUpsert[] = presentStatesQuery(connection).all();
    const present: readonly ConfigUpsert[] = presentConfigsQuery(connection).all();
    return {
      services: readServices(connection),
      breakers: readBreakers(connection),
      instances: presentInstancesQuery(connection).all(),
      states,
      configs: present,
      overrides: overridesAtStart(connection, ENDED_OVERRIDES),
      desiredRevision: readCounter(connection, 'desired_revision'),
    };
  });
}
