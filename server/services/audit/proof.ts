import { gapActions, spansOf } from '@/lib/audit/gaps';
import type { AuditProofBody } from '@/lib/protocol/audit';
import type { AuditRecord } from '../../store/port';
import type { Core } from '../core';
import type { SelfCheck } from './self-check';
import type { SinkPump } from './sink-pump';

const MAX_SPANS = 1_000;
const ALARMS_SHOWN = 20;
const ALARMS_FOR_MS = 7 * 86_400_000;

type Alarm = AuditProofBody['alarms'][number];

function alarmOf({ id, at, subject, details }: AuditRecord): Alarm {
  // Written by the console only, as plain JSON.
  return { row: id, at, subject, details: details as Alarm['details'] };
}

/** Check and pump are null when nothing is signed here. */
export async function readProof(
  core: Core,
  check: SelfCheck | null,
  pump: SinkPump | null,
): Promise<AuditProofBody> {
  const { store, clock } = core;
  const now = clock.wall();
  const head = await store.auditHead();
  const checkpoint = await store.newestCheckpoint();
  const gaps = await store.readAudit({ after: 0, actions: gapActions, limit: MAX_SPANS });
  const alarms = await store.listAudit({
    action: 'audit.alarm',
    from: now - ALARMS_FOR_MS,
    limit: ALARMS_SHOWN,
  });
  const signedTo = checkpoint?.toRow ?? (head.chain?.firstRow ?? 1) - 1;
  return {
    now,
    chainId: head.chain?.chainId ?? null,
    head: { row: head.row, hash: head.hash, at: head.at },
    checkpoint,
    unsignedRows: Math.max(0, head.row - signedTo),
    verified: check?.state ?? null,
    sink: (await pump?.state()) ?? null,
    spans: spansOf(gaps) as AuditProofBody['spans'],
    alarms: alarms.map(alarmOf),
  };
}
