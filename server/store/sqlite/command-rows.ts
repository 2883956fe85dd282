import { desc, eq, sql, type SQL } from 'drizzle-orm';
import type { CommandRecord } from '../command-port';
import type { Connection } from './connection';
import { commands } from './schema';

export const commandColumns = {
  id: commands.uid,
  kind: commands.kind,
  environment: commands.environment,
  scope: commands.scope,
  includeNew: commands.includeNew,
  reason: commands.reason,
  actor: commands.actor,
  requester: commands.requester,
  createdAt: commands.createdAt,
  startAt: commands.startAt,
  leaseMs: commands.leaseMs,
  deliverWithinMs: commands.deliverWithinMs,
  risk: commands.risk,
  breakGlass: commands.breakGlass,
  expected: commands.expected,
  facts: commands.facts,
  digest: commands.digest,
  status: commands.status,
  statusAt: commands.statusAt,
  statusBy: commands.statusBy,
  statusReason: commands.statusReason,
  approvedBy: commands.approvedBy,
};

export type FoundCommand = { readonly key: number; readonly command: CommandRecord };

function find({ db }: Connection, condition: SQL): FoundCommand | null {
  const row = db
    .select({ key: commands.id, ...commandColumns })
    .from(commands)
    .where(condition)
    .get();
  if (row === undefined) return null;
  const { key, ...command } = row;
  return { key, command };
}

export const findCommand = (connection: Connection, id: string): FoundCommand | null =>
  find(connection, eq(commands.uid, id));

export const commandByIdempotencyKey = (connection: Connection, key: string): FoundCommand | null =>
  find(connection, eq(commands.idempotencyKey, key));

/** As in the index, without parameters: else the planner cannot know that it fits. */
const WAITING = sql`${commands.status} IN ('pending_approval', 'scheduled')`;

export type CommandFilter = { readonly waiting?: boolean; readonly limit: number };

export function commandsQuery({ db }: Connection, { waiting, limit }: CommandFilter) {
  return (
    db
      .select(commandColumns)
      .from(commands)
      .where(waiting === true ? WAITING : undefined)
      // The plus takes the id from the planner as an order to walk in: few of many wait.
      .orderBy(waiting === true ? desc(sql`+${commands.id}`) : desc(commands.id))
      .limit(limit)
  );
}

/** Newest first. */
export function listCommands(
  connection: Connection,
  filter: CommandFilter,
): readonly CommandRecord[] {
  return commandsQuery(connection, filter).all();
}
