import type { CommandRecord } from '../../store/port';
import { SYSTEM } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { approvalIsOver, expireApproval, settle } from './decide';
import { adopt, auditOf, checkDoubled, overridesOf } from './issue';
import { resolveScope, type Resolved } from './scope';

/** A start that was missed by more than this, as while the console was down, is not made up for. */
const MAX_LATE_MS = 600_000;

const fail = (core: Core, command: CommandRecord, reason: string) =>
  settle(core, command, { from: ['scheduled'], to: 'failed', reason });

/** Somebody else holds one of these breakers since it was planned: their word is newer. */
function takenBy(core: Core, command: CommandRecord, { parts }: Resolved): string | null {
  for (const { breaker } of parts) {
    const live = core.fleet.overrides.activeOfBreaker(breaker.record.id);
    const newer = live.find(({ record }) => record.createdAt > command.createdAt);
    if (newer !== undefined) return newer.record.actor;
  }
  return null;
}

async function start(core: Core, command: CommandRecord): Promise<void> {
  const now = core.clock.wall();
  const { id, startAt, digest, approvedBy } = command;
  if (now - (startAt ?? now) > MAX_LATE_MS) {
    await fail(core, command, 'the console was not there at its start');
    return;
  }
  const resolved = resolveScope(core, command.scope);
  checkDoubled(core, command, resolved);
  const holder = takenBy(core, command, resolved);
  if (holder !== null) {
    await fail(core, command, `${holder} has overridden a breaker of it since it was planned`);
    return;
  }
  const overrides = overridesOf(core, command, resolved);
  const expected = Object.fromEntries(overrides.map(({ breakerId }) => [breakerId, 0]));
  const audit = auditOf(core, SYSTEM, 'override.started', { ...command, expected }, overrides);
  const result = await core.store.startCommand({
    id,
    from: 'scheduled',
    digest,
    at: now,
    by: null,
    approvedBy,
    to: 'issued',
    expected: null,
    overrides,
    audit,
  });
  if (result.kind === 'issued') adopt(core, result);
  else core.waiting.delete(id);
}

async function step(core: Core, command: CommandRecord): Promise<void> {
  try {
    if (command.status === 'pending_approval') await expireApproval(core, command);
    else await start(core, command);
  } catch (error) {
    if (!(error instanceof RecloserError)) throw error;
    await fail(core, command, error.message);
  }
}

const isDue = (core: Core, command: CommandRecord): boolean =>
  command.status === 'pending_approval'
    ? approvalIsOver(core, command)
    : (command.startAt ?? 0) <= core.clock.wall();

/** Approvals that nobody gave and starts that have come. A restart finds them the same way. */
export function createStartDue(core: Core): () => Promise<void> {
  return async () => {
    if (![...core.waiting.values()].some((command) => isDue(core, command))) return;
    await core.overrideLane(async () => {
      for (const command of [...core.waiting.values()].filter((one) => isDue(core, one))) {
        // eslint-disable-next-line no-await-in-loop -- one transaction at a time
        await step(core, command);
      }
    });
  };
}
