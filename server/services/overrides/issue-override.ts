import type { IssueOverrideBody } from '@/lib/protocol/api';
import type { OverrideView } from '@/lib/protocol/views';
import type { AuditInsert, OverrideRecord, PutOverride } from '../../store/port';
import { auditBy, nameOf, type Caller } from '../caller';
import type { Overrides } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { overrideViewOf } from '../feed/views';
import { adoptOverride, showOverride } from './show-override';
import { limitsOf, targetsOf } from './validate-override';

function commandOf(core: Core, caller: Caller, body: IssueOverrideBody): PutOverride {
  const entry = core.fleet.breakers.get(body.breakerId);
  if (entry === undefined) throw new RecloserError('not_found', 'the breaker is not known');
  const { leaseMs, deliverWithinMs } = limitsOf(body);
  const targetInstanceIds = targetsOf(core, entry, body);
  const id = core.ids.override();
  const createdAt = core.clock.wall();
  const { kind, reason, breakerId, expectedGeneration, idempotencyKey } = body;
  const endsAt = createdAt + (kind === 'reset' ? deliverWithinMs : leaseMs);
  const liveness = Object.fromEntries(
    targetInstanceIds.map((one) => [one, core.fleet.instances.get(one)?.record.liveness ?? null]),
  );
  return {
    id,
    breakerId,
    kind,
    reason,
    actor: nameOf(caller),
    createdAt,
    deliverBy: createdAt + deliverWithinMs,
    leaseMs,
    endsAt,
    expectedGeneration,
    idempotencyKey,
    targetInstanceIds,
    audit: {
      at: createdAt,
      ...auditBy(caller),
      action: 'override.issued',
      subject: id,
      outcome: 'done',
      details: { breakerId, kind, reason, leaseMs, deliverWithinMs, expectedGeneration, liveness },
    },
  };
}

/** Who acted in between, when and why, so that the person can decide anew. */
function conflict(generation: number, latest: OverrideRecord | null): RecloserError {
  const who = latest === null ? 'somebody' : latest.actor;
  const shown =
    latest === null
      ? null
      : {
          id: latest.id,
          kind: latest.kind,
          actor: latest.actor,
          reason: latest.reason,
          at: latest.createdAt,
          endsAt: latest.endsAt,
          endedAt: latest.endedAt,
          endedBy: latest.endedBy,
        };
  return new RecloserError('conflict', `${who} changed this breaker in the meantime`, {
    details: { generation, latest: shown },
  });
}

/** What a person would call the same command; another one under its key must not pass for done. */
function isSameCommand(known: OverrideRecord, caller: Caller, body: IssueOverrideBody): boolean {
  const { leaseMs = known.leaseMs } = body;
  return (
    known.breakerId === body.breakerId &&
    known.kind === body.kind &&
    known.reason === body.reason &&
    known.actor === nameOf(caller) &&
    known.leaseMs === leaseMs
  );
}

async function put(core: Core, caller: Caller, body: IssueOverrideBody): Promise<OverrideView> {
  const command = commandOf(core, caller, body);
  const result = await core.store.putOverride(command);
  switch (result.kind) {
    case 'issued': {
      const entry = core.fleet.breakers.get(body.breakerId);
      const { generation } = result.override;
      if (entry) entry.record = { ...entry.record, generation };
      adoptOverride(core, result.override);
      showOverride(core, result.override, result.revision);
      return overrideViewOf(core.fleet, result.override);
    }
    case 'repeat':
      if (!isSameCommand(result.override, caller, body)) {
        throw new RecloserError('conflict', 'this idempotencyKey was used for another command');
      }
      return overrideViewOf(core.fleet, result.override);
    case 'conflict':
      throw conflict(result.generation, result.latest);
    default:
      throw new RecloserError('not_found', 'the breaker is not known');
  }
}

/** A refusal is as much a fact as a command. The store itself audits a conflict. */
function refusalOf(
  core: Core,
  caller: Caller,
  body: IssueOverrideBody,
  error: RecloserError,
): AuditInsert {
  const { kind, reason, breakerId } = body;
  return {
    at: core.clock.wall(),
    ...auditBy(caller),
    action: 'override.issue',
    subject: breakerId,
    outcome: 'refused',
    details: { kind, reason, code: error.code, message: error.message },
  };
}

/** Command, frozen targets, generation and audit row in one transaction, before anything is sent. */
export function createIssueOverride(core: Core): Overrides['issue'] {
  return (caller, body) =>
    core.overrideLane(async () => {
      try {
        return await put(core, caller, body);
      } catch (error) {
        if (error instanceof RecloserError && error.code === 'invalid_input') {
          await core.store.appendAudit(refusalOf(core, caller, body, error));
        }
        throw error;
      }
    });
}
