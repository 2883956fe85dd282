import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { connect, type Connection } from '@/server/store/sqlite/connection';
import { auditQuery } from '@/server/store/sqlite/audit';
import {
  presentConfigsQuery,
  presentInstancesQuery,
  presentStatesQuery,
} from '@/server/store/sqlite/fleet';
import { commandsQuery } from '@/server/store/sqlite/command-rows';
import { releasesQuery } from '@/server/store/sqlite/releases';
import { gapsQuery, historyQuery } from '@/server/store/sqlite/history';
import { livenessQuery } from '@/server/store/sqlite/liveness';
import { migrate } from '@/server/store/sqlite/migrate';
import {
  activeOverridesQuery,
  endedOverridesQuery,
  overridesOfCommandQuery,
  overridesQuery,
  targetsQuery,
} from '@/server/store/sqlite/override-rows';
import { pruneQueries } from '@/server/store/sqlite/prune';
import { probesQuery, samplesQuery } from '@/server/store/sqlite/samples';
import { tokenByHash } from '@/server/store/sqlite/tokens';
import { MARKED_RUNS, TRANSITIONS_BEFORE } from '@/server/store/sqlite/transition-marks';
import { makeFolder, MIGRATIONS, removeFolder } from './support';

/** Walks over all of a table that grows; `e`, `s` and `p` are how queries call the biggest. */
const FULL_SCAN =
  /^SCAN ((events|samples|probes|[esp])\b|(runs|instances|liveness_changes|overrides|override_targets|audit|reported_states|configs)$)/;

type Query = { toSQL(): { sql: string; params: unknown[] } };

const range = { breakerId: 'b', from: 1, to: 2, limit: 10 };
const page = { breakerId: 'b', limit: 100 };
const before = { at: 5, id: 6 };

describe('query plans', () => {
  const folder = makeFolder();
  let connection: Connection;

  beforeAll(() => {
    connection = connect(join(folder, 'plans.sqlite'));
    migrate(connection, MIGRATIONS, new Date());
  });
  afterAll(() => {
    connection.client.close();
    removeFolder(folder);
  });

  function planOf(query: Query | string): string[] {
    const { sql, params } = typeof query === 'string' ? { sql: query, params: [] } : query.toSQL();
    const statement = connection.client.prepare<unknown[], { detail: string }>(
      `EXPLAIN QUERY PLAN ${sql}`,
    );
    const blanks = sql.match(/\?/g)?.map(() => 1) ?? [];
    const rows = typeof query === 'string' ? statement.all(...blanks) : statement.all(...params);
    return rows.map((row) => row.detail);
  }

  const cases: readonly [name: string, query: (c: Connection) => Query, used: string][] = [
    ['newest events', (c) => historyQuery(c, page), 'events_timeline (breaker=?)'],
    [
      'events before',
      (c) => historyQuery(c, { ...page, before }),
      'events_timeline (breaker=? AND at<?)',
    ],
    [
      'events of one instance',
      (c) => historyQuery(c, { ...page, before, instanceId: 'i', types: ['step'], from: 1, to: 9 }),
      'events_timeline (breaker=? AND at>? AND at<?)',
    ],
    ['gaps', (c) => gapsQuery(c, ['i', 'j'], 1, 2), 'events_gap (run=? AND at>? AND at<?)'],
    ['liveness', (c) => livenessQuery(c, ['i'], 1, 2), 'liveness_timeline (instance=? AND at>?'],
    ['samples', (c) => samplesQuery(c, range), 'PRIMARY KEY (breaker=? AND at>? AND at<?)'],
    ['probes', (c) => probesQuery(c, range), 'probes_timeline (breaker=? AND at>? AND at<?)'],
    ['audit page', (c) => auditQuery(c, { before: 9, limit: 5 }), 'PRIMARY KEY (rowid<?)'],
    ['audit of one', (c) => auditQuery(c, { subject: 's', limit: 5 }), 'audit_subject (subject=?'],
    [
      'overrides of one',
      (c) => overridesQuery(c, { breakerId: 'b', active: true, limit: 5 }),
      'overrides_',
    ],
    [
      'active overrides, newest',
      (c) => overridesQuery(c, { active: true, limit: 5 }),
      'overrides_active',
    ],
    ['active overrides', activeOverridesQuery, 'overrides_active'],
    ['ended overrides', (c) => endedOverridesQuery(c, 5), 'overrides_ended'],
    ['waiting commands', (c) => commandsQuery(c, { waiting: true, limit: 5 }), 'commands_waiting'],
    ['open releases', (c) => releasesQuery(c, { open: true, limit: 5 }), 'releases_open'],
    ['overrides of a command', (c) => overridesOfCommandQuery(c, 'c'), 'overrides_command'],
    ['override targets', (c) => targetsQuery(c, [1, 2]), '(override=?)'],
    ['instances', presentInstancesQuery, 'instances_present'],
    ['states', presentStatesQuery, 'instances_present'],
    ['configurations', presentConfigsQuery, 'instances_present'],
    ['token', (c) => tokenByHash(c, 'h'), 'tokens_hash_unique (hash=?)'],
  ];

  it.each(cases)('%s: uses its index', (_name, query, used) => {
    const plan = planOf(query(connection));
    expect(plan.join('\n')).toContain(used);
    expect(plan.filter((step) => FULL_SCAN.test(step))).toEqual([]);
  });

  it.each([
    ['history', (c: Connection) => historyQuery(c, { ...page, before })],
    ['samples', (c: Connection) => samplesQuery(c, range)],
    ['probes', (c: Connection) => probesQuery(c, range)],
    ['audit', (c: Connection) => auditQuery(c, { limit: 5 })],
    ['overrides', (c: Connection) => overridesQuery(c, { limit: 5 })],
  ])('%s: is read in order, without a sort', (_name, query) => {
    expect(planOf(query(connection)).join('\n')).not.toContain('TEMP B-TREE');
  });

  it('last transitions: from the marks, then back along the timeline', () => {
    const marks = planOf(MARKED_RUNS);
    expect(marks[0]).toContain('PRIMARY KEY (breaker=?)');
    expect(
      [...marks, ...planOf(TRANSITIONS_BEFORE)].filter((step) => FULL_SCAN.test(step)),
    ).toEqual([]);
    expect(planOf(TRANSITIONS_BEFORE)).toEqual([
      'SEARCH events USING INDEX events_timeline (breaker=? AND at<?)',
    ]);
  });

  it.each(pruneQueries.map((query) => [query]))('prune: %s', (query) => {
    const plan = planOf(query);
    expect(plan.some((step) => step.includes('(breaker=? AND at<?)'))).toBe(true);
    expect(plan.filter((step) => FULL_SCAN.test(step))).toEqual([]);
  });
});
