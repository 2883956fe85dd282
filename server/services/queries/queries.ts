import type { BreakerConfigView, InstanceView, ServiceView } from '@/lib/protocol/views';
import type { AuditRow } from '@/lib/protocol/views';
import type { Queries } from '../contract';
import { aboutText } from '../audit/filter';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import type { BreakerEntry, ServiceEntry } from '../fleet/entries';
import { breakerViewOf, instanceViewOf, overrideViewOf, rowOf, serviceViewOf } from '../feed/views';
import { createHistory } from './history';
import { searchDown } from './search-down';
import { createSeries } from './series';
import { createTargetSeries } from './target-series';

/** Differing configurations of one breaker, each with the instances that run it. */
function configsOf(entry: BreakerEntry): BreakerConfigView[] {
  const byHash = new Map<string, BreakerConfigView>();
  for (const cell of entry.cells.values()) {
    if (cell.config === null) continue;
    const { hash, body } = cell.config;
    const known = byHash.get(hash);
    // Stored as the JSON that the protocol's schema let in.
    const config = body as BreakerConfigView['config'];
    if (known) known.instanceIds.push(cell.instanceId);
    else byHash.set(hash, { configHash: hash, config, instanceIds: [cell.instanceId] });
  }
  return [...byHash.values()];
}

function createBreaker(core: Core): Queries['breaker'] {
  return async (id) => {
    const { fleet } = core;
    const entry = fleet.breakers.get(id);
    const now = core.clock.wall();
    const breaker = entry && breakerViewOf(fleet, entry, core.feed.published(id), now);
    if (!entry || !breaker) throw new RecloserError('not_found', 'the breaker is not known');
    return {
      now,
      breaker,
      instances: [...entry.cells.values()].map((cell) => rowOf(fleet, cell, now)),
      configs: configsOf(entry),
      overrides: fleet.overrides.ofBreaker(id).map((one) => overrideViewOf(fleet, one.record)),
    };
  };
}

function createServiceQueries(core: Core): Pick<Queries, 'services' | 'service'> {
  const { fleet, feed } = core;
  const viewOf = (entry: ServiceEntry): ServiceView =>
    serviceViewOf(fleet, entry, (id) => feed.published(id)?.state);
  const instancesOf = (entry: ServiceEntry): InstanceView[] =>
    [...entry.instances].flatMap((id) => {
      const instance = fleet.instances.get(id);
      return instance
        ? [instanceViewOf(instance, (token) => core.tokenNames.get(token) ?? null)]
        : [];
    });
  return {
    services: async () => [...fleet.services.values()].map(viewOf),
    service: async (id) => {
      const entry = fleet.services.get(id);
      if (!entry) throw new RecloserError('not_found', 'the service is not known');
      return { now: core.clock.wall(), service: viewOf(entry), instances: instancesOf(entry) };
    },
  };
}

/** Rows of the first part of a search. */
const PART_ROWS = 4_096;

function createAudit(core: Core): Queries['audit'] {
  const { store, clock } = core;
  return async ({ before, limit, ...filter }) => {
    const about = aboutText(core, filter.text);
    const { row: newest } = await store.auditHead();
    const rows = await searchDown(clock, {
      top: Math.min(before ?? Infinity, newest + 1),
      bottom: 1,
      width: PART_ROWS,
      limit,
      read: (first, end, most) =>
        store.listAudit({ ...filter, about, before: end, notBefore: first, limit: most }),
      narrow: 'give a time range, a person, an action or a subject',
    });
    const last = rows.length === limit ? rows.at(-1) : undefined;
    return {
      // Audit details are written by the services only, as plain JSON.
      rows: rows.map((row) => ({ ...row, details: row.details as AuditRow['details'] })),
      next: last?.id ?? null,
    };
  };
}

const FLEET: ReadonlySet<string> = new Set(['fleet']);

function createFleet({ feed }: Core): Queries['fleet'] {
  return async () => {
    const { serverEpoch, revision, now, breakers, services, overrides } = feed.snapshot(FLEET);
    return { serverEpoch, revision, now, breakers, services, overrides };
  };
}

export function createQueries(core: Core): Queries {
  return {
    fleet: createFleet(core),
    breaker: createBreaker(core),
    history: createHistory(core),
    series: createSeries(core),
    targetSeries: createTargetSeries(core),
    ...createServiceQueries(core),
    audit: createAudit(core),
  };
}
