import type { Database } from 'better-sqlite3';

export type RunRow = {
  readonly runId: number;
  readonly epoch: string;
  readonly ackedSeq: number;
  readonly samplesSeq: number;
  readonly instanceKey: number;
  readonly instanceId: string;
  readonly instance: string;
};

type Row = (number | string | Buffer | null)[];

/** Prepared once: drizzle's builder costs five times the insert itself. */
export function prepareIngest(client: Database) {
  return {
    run: client.prepare<[number], RunRow>(`
      SELECT r.id AS runId, r.epoch, r.acked_seq AS ackedSeq, r.samples_seq AS samplesSeq,
             i.id AS instanceKey, i.uid AS instanceId, i.instance
      FROM runs r JOIN instances i ON i.id = r.instance WHERE r.id = ?`),
    breaker: client.prepare<Row, { id: number }>(`
      INSERT INTO breakers (uid, service, name, target, first_seen_at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (uid) DO UPDATE SET target = excluded.target RETURNING id`),
    config: client.prepare<Row>(`
      INSERT INTO configs (breaker, instance, hash, json) VALUES (?, ?, ?, ?)
      ON CONFLICT (instance, breaker) DO UPDATE SET hash = excluded.hash, json = excluded.json`),
    event: client.prepare<Row>(`
      INSERT INTO events
        (run, seq, breaker, type, at, agent_at, agent_mono, received_at, data)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    lastTransition: client.prepare<Row>(`
      INSERT INTO last_transitions (breaker, run, first_at, last_at, last_event)
      VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (breaker, run) DO UPDATE SET
        first_at = min(first_at, excluded.first_at),
        last_event = iif(excluded.last_at >= last_at, excluded.last_event, last_event),
        last_at = max(last_at, excluded.last_at)`),
    sample: client.prepare<Row>(
      'INSERT INTO samples (breaker, at, run, seq, body) VALUES (?, ?, ?, ?, ?)',
    ),
    probe: client.prepare<Row>(`
      INSERT INTO probes (breaker, at, run, step, outcome, latency_ms, idempotent)
      VALUES (?, ?, ?, ?, ?, ?, ?)`),
    state: client.prepare<Row>(`
      INSERT INTO reported_states (breaker, instance, state, since, at) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (instance, breaker) DO UPDATE
      SET state = excluded.state, since = excluded.since, at = excluded.at`),
    progress: client.prepare<Row>('UPDATE runs SET acked_seq = ?, samples_seq = ? WHERE id = ?'),
    tallies: client.prepare<Row>(`
      UPDATE instances SET duplicates = duplicates + ?, dropped_events = dropped_events + ?,
        dropped_samples = dropped_samples + ? WHERE id = ?`),
  };
}

export type IngestStatements = ReturnType<typeof prepareIngest>;
