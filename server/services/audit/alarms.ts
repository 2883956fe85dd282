import { signatureProblem } from '@/lib/audit/checkpoint';
import type { AuditCheckpoint, RollbackAlarm } from '@/lib/protocol/audit';
import type { AgentSession } from '../contract';
import type { Core } from '../core';
import { gapRow } from './gap-rows';
import type { AuditParts } from './parts';

/** An agent must not be able to fill the trail; what it says again is known already. */
const ALARMS_PER_HOUR = 60;
const HOUR_MS = 3_600_000;

/** How much the alarm is worth: whether what the agent keeps was signed by us, and is not here. */
type Worth = 'proven' | 'refuted' | 'unsigned';

const shown = ({ chainId, number, toRow, headHash, keyId, at }: AuditCheckpoint) => ({
  chainId,
  number,
  toRow,
  headHash,
  keyId,
  at,
});

/** [S-32] Writes down that a client remembers more, or other, than this console. */
export function createAlarms(core: Core, parts: AuditParts, signNow: () => Promise<void>) {
  const { store, clock, hash } = core;
  const told = new Set<string>();
  let hourBegan = Number.NEGATIVE_INFINITY;
  let inHour = 0;

  async function worthOf({ kept }: RollbackAlarm): Promise<Worth> {
    if (signatureProblem(hash, parts.verifySignature, kept) !== null) return 'unsigned';
    const keys = await store.listAuditKeys();
    if (!keys.some((key) => key.keyId === kept.keyId)) return 'unsigned';
    const [row] = await store.readAudit({ after: kept.toRow - 1, limit: 1 });
    return row?.id === kept.toRow && row.hash === kept.headHash ? 'refuted' : 'proven';
  }

  function isNew(session: AgentSession, { kept, kind }: RollbackAlarm): boolean {
    const key = `${session.instanceId} ${kind} ${kept.headHash}`;
    if (told.has(key)) return false;
    if (clock.mono() - hourBegan >= HOUR_MS) {
      hourBegan = clock.mono();
      inHour = 0;
    }
    inHour += 1;
    if (inHour > ALARMS_PER_HOUR) return false;
    told.add(key);
    return true;
  }

  return async (session: AgentSession, alarm: RollbackAlarm): Promise<void> => {
    if (!isNew(session, alarm)) return;
    const { instanceId, instance, service, environment } = session;
    const worth = await worthOf(alarm);
    core.log.error({ instanceId, kind: alarm.kind, worth }, 'an agent keeps another audit trail');
    const details = {
      kind: alarm.kind,
      worth,
      instance,
      service,
      environment,
      kept: shown(alarm.kept),
      seen: shown(alarm.seen),
    };
    await store.appendAudit({
      ...gapRow(clock.wall(), 'audit.alarm', details, 'failed'),
      actor: `instance ${instance}`,
      subject: instanceId,
    });
    await signNow();
  };
}
