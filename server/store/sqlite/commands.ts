import { and, eq, inArray } from 'drizzle-orm';
import type {
  CommandRecord,
  GenerationConflict,
  Issued,
  OverrideInsert,
  PutCommand,
  PutCommandResult,
  RefreshCommand,
  SettleCommand,
  StartCommand,
  StartCommandResult,
} from '../command-port';
import type { AuditInsert } from '../port';
import { insertAudit } from './audit';
import { commandByIdempotencyKey, findCommand } from './command-rows';
import { inTransaction, type Connection } from './connection';
import { StoreError } from './errors';
import { increment } from './meta';
import { insertOverride, overrideOfGeneration, overridesOfCommand } from './override-rows';
import { insertReview } from './reviews';
import { breakers, commands } from './schema';

type Generations = ReadonlyMap<string, { readonly key: number; readonly generation: number }>;

function generationsOf({ db }: Connection, ids: readonly string[]): Generations {
  const rows =
    ids.length === 0
      ? []
      : db
          .select({ id: breakers.uid, key: breakers.id, generation: breakers.generation })
          .from(breakers)
          .where(inArray(breakers.uid, [...ids]))
          .all();
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** Where somebody acted in between; all of them, so that the person sees the whole of it. */
function conflictsOf(
  connection: Connection,
  expected: Readonly<Record<string, number>>,
  found: Generations,
): GenerationConflict[] {
  return Object.entries(expected).flatMap(([breakerId, seen]) => {
    const breaker = found.get(breakerId);
    if (breaker === undefined || breaker.generation === seen) return [];
    const { key, generation } = breaker;
    return [{ breakerId, generation, latest: overrideOfGeneration(connection, key, generation) }];
  });
}

function refuse(
  connection: Connection,
  audit: AuditInsert,
  conflicts: readonly GenerationConflict[],
): { readonly kind: 'conflict'; readonly conflicts: readonly GenerationConflict[] } {
  const generations = conflicts.map(({ breakerId, generation }) => ({ breakerId, generation }));
  insertAudit(connection, {
    ...audit,
    outcome: 'refused',
    details: { ...audit.details, conflicts: generations },
  });
  return { kind: 'conflict', conflicts };
}

function issue(
  connection: Connection,
  key: number,
  command: CommandRecord,
  inserts: readonly OverrideInsert[],
  found: Generations,
): Issued {
  const { db } = connection;
  for (const insert of inserts) {
    const breaker = found.get(insert.breakerId);
    if (breaker === undefined) {
      throw new StoreError('unknown_id', `There is no row "${insert.breakerId}" in breakers.`);
    }
    const generation = breaker.generation + 1;
    db.update(breakers).set({ generation }).where(eq(breakers.id, breaker.key)).run();
    insertOverride(
      connection,
      { command, commandKey: key, breaker: breaker.key, generation },
      insert,
    );
  }
  const revision = increment(connection, 'desired_revision');
  return {
    kind: 'issued',
    command,
    overrides: overridesOfCommand(connection, command.id),
    revision,
  };
}

function insertCommand({ db }: Connection, command: CommandRecord, idempotencyKey: string): number {
  const { id: uid, ...fields } = command;
  const { key } = db
    .insert(commands)
    .values({ uid, ...fields, idempotencyKey })
    .returning({ key: commands.id })
    .get();
  return key;
}

/** The write lock is held from the first read on, so that two callers cannot see one generation. */
export function putCommand(connection: Connection, input: PutCommand): PutCommandResult {
  const { command, overrides, audit } = input;
  return inTransaction(connection, () => {
    const repeat = commandByIdempotencyKey(connection, input.idempotencyKey);
    if (repeat !== null) {
      const known = overridesOfCommand(connection, repeat.command.id);
      return { kind: 'repeat', command: repeat.command, overrides: known };
    }
    const ids = Object.keys(command.expected);
    const found = generationsOf(connection, ids);
    const unknown = ids.find((id) => !found.has(id));
    if (unknown !== undefined) return { kind: 'unknown_breaker', breakerId: unknown };
    const conflicts = conflictsOf(connection, command.expected, found);
    if (conflicts.length > 0) return refuse(connection, audit, conflicts);
    const key = insertCommand(connection, command, input.idempotencyKey);
    if (input.review !== null) insertReview(connection, key, input.review);
    insertAudit(connection, audit);
    return issue(connection, key, command, overrides, found);
  });
}

/** Checked and used in one transaction: what was approved is what is issued. */
export function startCommand(connection: Connection, input: StartCommand): StartCommandResult {
  return inTransaction(connection, () => {
    const known = findCommand(connection, input.id);
    const waits = known !== null && known.command.status === input.from;
    if (!waits || (input.digest !== null && known.command.digest !== input.digest)) {
      return { kind: 'not_waiting', command: known?.command ?? null };
    }
    const found = generationsOf(
      connection,
      input.overrides.map(({ breakerId }) => breakerId),
    );
    const conflicts = conflictsOf(connection, input.expected ?? {}, found);
    if (conflicts.length > 0) return refuse(connection, input.audit, conflicts);
    const { to: status, at: statusAt, by: statusBy, approvedBy } = input;
    const change = { status, statusAt, statusBy, statusReason: null, approvedBy };
    connection.db.update(commands).set(change).where(eq(commands.id, known.key)).run();
    insertAudit(connection, input.audit);
    const command = { ...known.command, ...change };
    return issue(connection, known.key, command, input.overrides, found);
  });
}

export function settleCommand(connection: Connection, input: SettleCommand): CommandRecord | null {
  const { id, from, to, at, by, reason } = input;
  return inTransaction(connection, () => {
    const { changes } = connection.db
      .update(commands)
      .set({ status: to, statusAt: at, statusBy: by, statusReason: reason })
      .where(and(eq(commands.uid, id), inArray(commands.status, [...from])))
      .run();
    if (changes === 0) return null;
    insertAudit(connection, input.audit);
    return findCommand(connection, id)?.command ?? null;
  });
}

export function refreshCommand(
  connection: Connection,
  input: RefreshCommand,
): CommandRecord | null {
  const { id, from, facts, digest, expected } = input;
  return inTransaction(connection, () => {
    const waits = and(
      eq(commands.uid, id),
      eq(commands.digest, from),
      eq(commands.status, 'pending_approval'),
    );
    const { changes } = connection.db
      .update(commands)
      .set({ facts, digest, expected })
      .where(waits)
      .run();
    if (changes === 0) return null;
    insertAudit(connection, input.audit);
    return findCommand(connection, id)?.command ?? null;
  });
}
