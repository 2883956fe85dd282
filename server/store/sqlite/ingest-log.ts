import type { HistoryEvent } from '@/lib/protocol/views';
import type { EventInsert, GapInsert, RunBatch } from '../port';
import type { IngestStatements, RunRow } from './ingest-statements';
import { tellsState, type TransitionMarks } from './transition-marks';

/** How far the log of one run got, and what became of one batch of it. */
type LogProgress = {
  ackedSeq: number;
  accepted: number;
  duplicate: number;
  droppedEvents: number;
  missingFrom: number | null;
  readonly stored: HistoryEvent[];
};

type LogWriter = {
  readonly run: RunRow;
  readonly receivedAt: number;
  readonly insert: IngestStatements['event'];
  readonly marks: TransitionMarks;
  readonly breakerKey: (uid: string) => number;
};

type LogRow = EventInsert & { readonly data: HistoryEvent['data'] };

/** What came from a parsed frame is plain JSON; the store hands it on as such. */
function asJson(data: Readonly<Record<string, unknown>>): HistoryEvent['data'] {
  return data as HistoryEvent['data'];
}

function insertRow(writer: LogWriter, row: LogRow): HistoryEvent {
  const { run, receivedAt } = writer;
  const breaker = row.breakerId === null ? null : writer.breakerKey(row.breakerId);
  const { lastInsertRowid } = writer.insert.run(
    run.runId,
    row.seq,
    breaker,
    row.type,
    row.at,
    row.agentAt,
    row.agentMono,
    receivedAt,
    JSON.stringify(row.data),
  );
  const id = Number(lastInsertRowid);
  if (tellsState(row.type) && breaker !== null) writer.marks.add(breaker, row.at, id);
  return {
    id,
    breakerId: row.breakerId,
    instanceId: run.instanceId,
    instance: run.instance,
    type: row.type,
    at: row.at,
    agentAt: row.agentAt,
    receivedAt,
    run: run.epoch,
    seq: row.seq,
    data: row.data,
  };
}

function appendEvent(writer: LogWriter, progress: LogProgress, event: EventInsert): void {
  if (event.seq <= progress.ackedSeq) {
    progress.duplicate++;
    return;
  }
  if (event.seq > progress.ackedSeq + 1) {
    progress.missingFrom = progress.ackedSeq + 1;
    return;
  }
  progress.stored.push(insertRow(writer, { ...event, data: asJson(event.data) }));
  progress.ackedSeq = event.seq;
  progress.accepted++;
}

/** A gap that starts inside what is stored is cut to what is new; its counts stay as reported. */
function appendGap(writer: LogWriter, progress: LogProgress, gap: GapInsert): void {
  if (gap.toSeq <= progress.ackedSeq) {
    progress.duplicate++;
    return;
  }
  if (gap.fromSeq > progress.ackedSeq + 1) {
    progress.missingFrom = progress.ackedSeq + 1;
    return;
  }
  const { toSeq, counts, reason } = gap;
  const fromSeq = progress.ackedSeq + 1;
  const data = { fromSeq, toSeq, counts: { ...counts }, reason };
  const row = { ...gap, seq: fromSeq, type: 'gap', breakerId: null, data };
  progress.stored.push(insertRow(writer, row));
  progress.ackedSeq = toSeq;
  progress.droppedEvents += toSeq - fromSeq + 1;
  progress.accepted++;
}

/** Merges both lists by seq and stores what joins the log; what follows a hole is left for a resend. */
export function appendLog(writer: LogWriter, batch: RunBatch): LogProgress {
  const progress: LogProgress = {
    ackedSeq: writer.run.ackedSeq,
    accepted: 0,
    duplicate: 0,
    droppedEvents: 0,
    missingFrom: null,
    stored: [],
  };
  let nextGap = 0;
  let nextEvent = 0;
  while (progress.missingFrom === null) {
    const gap = batch.gaps[nextGap];
    const event = batch.events[nextEvent];
    if (gap !== undefined && (event === undefined || gap.fromSeq <= event.seq)) {
      appendGap(writer, progress, gap);
      nextGap++;
    } else if (event === undefined) {
      break;
    } else {
      appendEvent(writer, progress, event);
      nextEvent++;
    }
  }
  return progress;
}
