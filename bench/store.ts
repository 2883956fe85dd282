/**
 * The store against the limit of its engine, in one run:
 *
 *   node --import tsx bench/store.ts [--rows 1000000]
 *
 * Ingest is compared with a prepared insert of the same rows into the same table, with the JSON made
 * beforehand, in transactions of the same size. Medians of interleaved rounds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { EventInsert, RunBatch, SampleInsert, Store } from '@/server/store/port';
import { connect, type Connection } from '@/server/store/sqlite/connection';
import { migrate } from '@/server/store/sqlite/migrate';
import { encodeSample } from '@/server/store/sqlite/sample-codec';
import { SqliteStore } from '@/server/store/sqlite/store';

const migrations = fileURLToPath(new URL('../drizzle', import.meta.url));
const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const TIMELINE_ROWS = Number(values.rows);

const T0 = 1_700_000_000_000;
const BREAKERS = 1_000;
const RUNS = 10;
const PER_BATCH = 100;
const COMMIT = RUNS * PER_BATCH;
const ROUNDS = 5;
const ROUND_ROWS = 40_000;

const folder = mkdtempSync(join(tmpdir(), 'recloser-bench-'));

type Subject = { connection: Connection; store: Store; runIds: readonly number[] };
let files = 0;

async function fresh(): Promise<Subject> {
  const connection = connect(join(folder, `${files++}.sqlite`));
  migrate(connection, migrations, new Date());
  const store = new SqliteStore(connection, null);
  const service = { id: 'svc', environment: 'bench', name: 'bench', owner: null, firstSeenAt: T0 };
  const runIds: number[] = [];
  for (let index = 0; index < RUNS; index++) {
    const { run } = await store.registerRun({
      service,
      epoch: 'e'.repeat(32),
      instance: {
        id: `instance-${index}`,
        serviceId: service.id,
        instance: `instance-${index}`,
        host: null,
        pid: null,
        replica: null,
        version: null,
        sdk: 'bench',
        accepts: { kinds: [], maxLeaseMs: 0 },
        tokenId: null,
        startedAt: T0,
        lastSeenAt: T0,
      },
    });
    runIds.push(run.id);
  }
  const breakers = Array.from({ length: BREAKERS }, (_, index) => ({
    id: breakerId(index),
    serviceId: service.id,
    name: `breaker ${index}`,
    target: 'target',
    firstSeenAt: T0,
  }));
  await store.appendBatches([{ ...emptyBatch(runIds[0] ?? 0), breakers }]);
  return { connection, store, runIds };
}

function breakerId(index: number): string {
  return `breaker-${index % BREAKERS}`;
}

function emptyBatch(runId: number): RunBatch {
  return {
    runId,
    receivedAt: T0,
    breakers: [],
    configs: [],
    gaps: [],
    events: [],
    samples: [],
    probes: [],
    states: [],
    samplesSeq: 0,
    droppedSamples: 0,
  };
}

/** Spreads neighbouring rows over the breakers, the same way each time. */
function breakerOf(run: number, seq: number): number {
  return Math.imul(seq * RUNS + run, 7_919) >>> 0;
}

function transition(run: number, seq: number): EventInsert {
  const at = T0 + seq * 40;
  return {
    seq,
    type: 'transition',
    breakerId: breakerId(breakerOf(run, seq)),
    at,
    agentAt: at + 3,
    agentMono: seq * 40.25,
    data: {
      from: 'closed',
      to: 'open',
      automatic: 'open',
      cause: 'trip',
      reason: 'failure rate 0.62 over 0.5',
      calls: 120,
      failures: 74,
      rate: 0.62,
      threshold: 0.5,
      openTimeoutMs: 10_000,
      level: 1,
      breakerEpoch: seq,
    },
  };
}

function second(run: number, seq: number): SampleInsert {
  const at = T0 + seq * 40;
  const name = breakerId(breakerOf(run, seq));
  const buckets = Array.from({ length: 12 }, (_, index): [number, number] => [
    400 + index * 7,
    3 + ((seq + index) % 20),
  ]);
  return {
    breakerId: name,
    at,
    sample: {
      type: 'sample',
      seq,
      at: at + 3,
      mono: seq * 40.25,
      breaker: name,
      periodMs: 1_000,
      state: 'closed',
      step: null,
      share: 1,
      calls: {
        success: 140,
        client_error: 2,
        timeout: 1,
        server_error: 3,
        overload: 0,
        refused: 0,
        rejected_local: 0,
        cancelled: 0,
        ignored: 0,
        not_permitted: 0,
      },
      slow: 1,
      late: 0,
      expired: 0,
      inFlight: 12,
      latency: {
        buckets,
        count: buckets.reduce((sum, [, n]) => sum + n, 0),
        sumMs: 3_210.5,
        maxMs: 97.25,
      },
      baseline: { p50: 12.3, p90: 31.7, p95: 44.1, p99: 88.9, samples: 4_000 },
    },
  };
}

type Fill = (run: number, seq: number) => Partial<RunBatch>;
const range = (from: number) => Array.from({ length: PER_BATCH }, (_, index) => from + index);
const transitions: Fill = (run, from) => ({
  events: range(from).map((seq) => transition(run, seq)),
});
const seconds: Fill = (run, from) => ({
  samples: range(from).map((seq) => second(run, seq)),
  samplesSeq: from + PER_BATCH - 1,
});

function* commits(subject: Subject, rows: number, fill: Fill, after = 0): Generator<RunBatch[]> {
  for (let done = after; done < after + rows; done += COMMIT) {
    const from = done / RUNS + 1;
    yield subject.runIds.map((id, run) => ({ ...emptyBatch(id), ...fill(run, from) }));
  }
}

/** Rows a second of the commits alone; making the rows is not counted. */
async function timeStore(subject: Subject, rows: number, fill: Fill, after = 0): Promise<number> {
  let spent = 0;
  for (const batches of commits(subject, rows, fill, after)) {
    const start = performance.now();
    await subject.store.appendBatches(batches);
    spent += performance.now() - start;
  }
  return (rows / spent) * 1_000;
}

type RawRow = (number | string | Buffer | null)[];

function timeRaw(subject: Subject, rows: number, fill: Fill, sql: string, toRow: ToRow): number {
  const { client } = subject.connection;
  const insert = client.prepare<RawRow>(sql);
  const insertAll = client.transaction((made: RawRow[]) => {
    for (const row of made) insert.run(...row);
  });
  let spent = 0;
  for (const batches of commits(subject, rows, fill)) {
    const made = batches.flatMap((batch) => toRow(batch));
    const start = performance.now();
    insertAll.immediate(made);
    spent += performance.now() - start;
  }
  return (rows / spent) * 1_000;
}

type ToRow = (batch: RunBatch) => RawRow[];
const keyOf = (uid: string): number => Number(uid.slice('breaker-'.length)) + 1;

const rawEvents: ToRow = ({ runId, receivedAt, events }) =>
  events.map(({ seq, breakerId: uid, type, at, agentAt, agentMono, data }) => {
    const text = JSON.stringify(data);
    return [runId, seq, keyOf(uid ?? ''), type, at, agentAt, agentMono, receivedAt, text];
  });
const rawSamples: ToRow = ({ runId, samples }) =>
  samples.map(({ breakerId: uid, at, sample }) => [
    keyOf(uid),
    at,
    runId,
    sample.seq,
    encodeSample(sample, at),
  ]);

const EVENT_SQL = `INSERT INTO events
  (run, seq, breaker, type, at, agent_at, agent_mono, received_at, data)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const SAMPLE_SQL = 'INSERT INTO samples (breaker, at, run, seq, body) VALUES (?, ?, ?, ?, ?)';

function quantile(numbers: readonly number[], share: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);
const thousands = (value: number): string => Math.round(value).toLocaleString('en');

/** Bytes of a table with its indexes, or of one of them, pages that are half full included. */
function bytesOf({ connection }: Subject, where: string): number {
  const sql = `SELECT sum(pgsize) FROM dbstat WHERE ${where}`;
  return Number(connection.client.prepare(sql).pluck().get());
}

async function compareIngest(name: string, fill: Fill, sql: string, toRow: ToRow): Promise<void> {
  const store: number[] = [];
  const raw: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await fresh();
    store.push(await timeStore(ours, ROUND_ROWS, fill));
    await ours.store.close();
    const theirs = await fresh();
    raw.push(timeRaw(theirs, ROUND_ROWS, fill, sql, toRow));
    await theirs.store.close();
  }
  const ratio = median(store) / median(raw);
  console.log(
    `${name}: store ${thousands(median(store))} rows/s, raw ${thousands(median(raw))} rows/s, ratio ${ratio.toFixed(2)} (goal 0.50), ${ROUNDS} rounds of ${thousands(ROUND_ROWS)}`,
  );
}

async function timeTimeline({ store }: Subject): Promise<number[]> {
  const spent: number[] = [];
  for (let index = 0; index < 600; index++) {
    const start = performance.now();
    await store.listHistory({ breakerId: breakerId(index * 31), limit: 100 });
    // The first ones warm the caches and the compiler.
    if (index >= 100) spent.push(performance.now() - start);
  }
  return spent;
}

const ms = (numbers: readonly number[], share: number): string =>
  quantile(numbers, share).toFixed(2);

async function timeline(): Promise<void> {
  const subject = await fresh();
  const small = TIMELINE_ROWS / 10;
  await timeStore(subject, small, transitions);
  const atSmall = await timeTimeline(subject);
  const rate = await timeStore(subject, TIMELINE_ROWS - small, transitions, small);
  const atLarge = await timeTimeline(subject);
  console.log(
    `timeline, newest 100 of one breaker: ${thousands(small)} rows p50 ${ms(atSmall, 0.5)} ms p99 ${ms(atSmall, 0.99)} ms; ${thousands(TIMELINE_ROWS)} rows p50 ${ms(atLarge, 0.5)} ms p99 ${ms(atLarge, 0.99)} ms; ratio ${(median(atLarge) / median(atSmall)).toFixed(2)}`,
  );
  console.log(`filling to ${thousands(TIMELINE_ROWS)} rows: ${thousands(rate)} rows/s`);

  const megabytes = (where: string) => (bytesOf(subject, where) / TIMELINE_ROWS).toFixed(0);
  const json = JSON.stringify(transition(1, 100_000).data).length;
  console.log(
    `transitions: ${megabytes("name LIKE 'events%'")} MB a million rows (table ${megabytes("name = 'events'")}, of which ${json} JSON; by seq ${megabytes("name = 'events_seq'")}, by time ${megabytes("name = 'events_timeline'")})`,
  );
  await subject.store.close();
}

async function sampleSize(): Promise<void> {
  const subject = await fresh();
  await timeStore(subject, ROUND_ROWS, seconds);
  const body = encodeSample(second(1, 5_000).sample, T0 + 5_000 * 40).length;
  const row = bytesOf(subject, "name = 'samples'") / ROUND_ROWS;
  console.log(
    `samples: ${row.toFixed(0)} bytes a row on disk, ${body} of them the body (12 buckets and a baseline)`,
  );
  await subject.store.close();
}

const started = performance.now();
try {
  await compareIngest('events', transitions, EVENT_SQL, rawEvents);
  await compareIngest('samples', seconds, SAMPLE_SQL, rawSamples);
  await sampleSize();
  await timeline();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`took ${((performance.now() - started) / 1_000).toFixed(0)} s`);
