import type { AuditInsert } from '../port';
import { insertAudit } from './audit';
import { inTransaction, type Connection } from './connection';

const SERVICES = 'SELECT id FROM services WHERE environment = ?';
const BREAKERS = `SELECT id FROM breakers WHERE service IN (${SERVICES})`;
const INSTANCES = `SELECT id FROM instances WHERE service IN (${SERVICES})`;
const RUNS = `SELECT id FROM runs WHERE instance IN (${INSTANCES})`;
const OVERRIDES = `SELECT id FROM overrides WHERE breaker IN (${BREAKERS})`;
const COMMANDS = 'SELECT id FROM commands WHERE environment = ?';

/** What points at a row goes before it. Each takes the environment once. */
const QUERIES: readonly string[] = [
  `DELETE FROM samples WHERE breaker IN (${BREAKERS})`,
  `DELETE FROM probes WHERE breaker IN (${BREAKERS})`,
  `DELETE FROM last_transitions WHERE breaker IN (${BREAKERS})`,
  `DELETE FROM events WHERE run IN (${RUNS})`,
  `DELETE FROM reported_states WHERE instance IN (${INSTANCES})`,
  `DELETE FROM configs WHERE instance IN (${INSTANCES})`,
  `DELETE FROM liveness_changes WHERE instance IN (${INSTANCES})`,
  `DELETE FROM releases WHERE EXISTS (
    SELECT 1 FROM json_each(releases.override_ids) wanted JOIN overrides o ON o.uid = wanted.value
    WHERE o.breaker IN (${BREAKERS}))`,
  `DELETE FROM override_targets WHERE override IN (${OVERRIDES})`,
  `DELETE FROM overrides WHERE breaker IN (${BREAKERS})`,
  `DELETE FROM reviews WHERE command IN (${COMMANDS})`,
  'DELETE FROM commands WHERE environment = ?',
  `DELETE FROM runs WHERE instance IN (${INSTANCES})`,
  `DELETE FROM instances WHERE service IN (${SERVICES})`,
  `DELETE FROM breakers WHERE service IN (${SERVICES})`,
  'DELETE FROM services WHERE environment = ?',
];

export function removeEnvironment(
  connection: Connection,
  environment: string,
  audit: AuditInsert,
): void {
  inTransaction(connection, () => {
    for (const query of QUERIES) connection.client.prepare(query).run(environment);
    insertAudit(connection, audit);
  });
}
