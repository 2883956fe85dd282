/** [S-34] The trail as a file: JSON lines with the proof, or CSV for reading. */
import { setImmediate as letOthers } from 'node:timers/promises';
import { checkpointLine, exactRowLine, safeJson } from '@/lib/audit/lines';
import { csvHeader, csvLine } from '@/lib/audit/csv';
import type { AuditFilterQuery } from '@/lib/protocol/audit';
import type { AuditRecord } from '../../store/port';
import { auditBy, idOf } from '../caller';
import type { AuditProof } from '../contract';
import type { Core } from '../core';
import { createRateLimit } from '../rate-limit';
import { aboutText } from './filter';

const PAGE_ROWS = 500;
/** [S-23] What one statement looks at, found or not. */
const PART_ROWS = 10_000;
/** [S-21] */
const PER_MINUTE = 5;
const utc = (at: number): string => new Date(at).toISOString();

async function* pages(
  core: Core,
  filter: AuditFilterQuery,
  upTo: number,
): AsyncGenerator<readonly AuditRecord[]> {
  const about = aboutText(core, filter.text);
  let after = 0;
  while (after < upTo) {
    const end = Math.min(after + PART_ROWS, upTo);
    // eslint-disable-next-line no-await-in-loop -- a page at a time, as fast as it is taken
    const rows = await core.store.readAudit({
      ...filter,
      about,
      after,
      upTo: end,
      limit: PAGE_ROWS,
    });
    if (rows.length > 0) yield rows;
    after = rows.length < PAGE_ROWS ? end : (rows.at(-1)?.id ?? end);
    // eslint-disable-next-line no-await-in-loop -- a filter that finds little goes on for long
    await letOthers();
  }
}

async function* csv(core: Core, filter: AuditFilterQuery, upTo: number): AsyncGenerator<string> {
  yield csvHeader;
  for await (const rows of pages(core, filter, upTo)) {
    yield rows.map((row) => csvLine(row, utc(row.at))).join('');
  }
}

async function* checkpointLines({ store }: Core, upTo: number): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    // eslint-disable-next-line no-await-in-loop -- a page at a time
    const found = await store.listCheckpoints({ after, limit: PAGE_ROWS });
    const covered = found.filter((one) => one.toRow <= upTo);
    if (covered.length > 0) yield covered.map((one) => `${checkpointLine(one)}\n`).join('');
    if (found.length < PAGE_ROWS) return;
    after = found.at(-1)?.number ?? 0;
  }
}

async function* jsonl(core: Core, filter: AuditFilterQuery, upTo: number): AsyncGenerator<string> {
  const { store, clock } = core;
  const { chain } = await store.auditHead();
  const chainId = chain?.chainId ?? null;
  const keys = await store.listAuditKeys();
  const head = { kind: 'audit_export', time: utc(clock.wall()), filter, chainId, upTo, keys };
  yield `${safeJson(head)}\n`;
  for await (const rows of pages(core, filter, upTo)) {
    yield rows.map((row) => `${exactRowLine(row, chainId, utc(row.at))}\n`).join('');
  }
  yield* checkpointLines(core, upTo);
}

/** The row that says so is stored before the first line leaves. */
export function createExport(core: Core): AuditProof['export'] {
  const { store, clock } = core;
  const rate = createRateLimit(clock, {
    perMinute: PER_MINUTE,
    refusal: `At most ${PER_MINUTE} exports a minute.`,
  });
  return async (caller, query) => {
    rate.check(idOf(caller));
    rate.count(idOf(caller));
    const { format, ...filter } = query;
    const { row: upTo } = await store.auditHead();
    await store.appendAudit({
      at: clock.wall(),
      ...auditBy(caller),
      action: 'audit.exported',
      subject: 'audit',
      outcome: 'done',
      details: { format, filter, upToRow: upTo },
    });
    return format === 'csv'
      ? {
          name: 'recloser-audit.csv',
          type: 'text/csv; charset=utf-8; header=present',
          chunks: csv(core, filter, upTo),
        }
      : {
          name: 'recloser-audit.jsonl',
          type: 'application/jsonl; charset=utf-8',
          chunks: jsonl(core, filter, upTo),
        };
  };
}
