import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { RawAgent } from '@/tests/support/raw-agent';
import { createToken, freePort, startServerProcess } from '@/tests/support/server-process';

const CYCLES = 20;
const AGENTS = 4;
const dataDir = mkdtempSync(join(tmpdir(), 'recloser-kill-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** A small generator of repeatable choices, so that a failing run can be told apart by its seed. */
function repeatable(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Sends as fast as acknowledgements free credit, until the connection dies; tells what was acked. */
class Load {
  acked = 0;
  sent = 0;
  constructor(readonly agent: RawAgent) {}

  async run(): Promise<void> {
    const welcome = await this.agent.connect(this.sent + 1, this.acked + 1);
    if (Number(welcome['ackedSeq']) < this.acked)
      throw new Error('the server forgot what it had acknowledged');
    this.acked = Number(welcome['ackedSeq']);
    this.sent = this.acked;
    this.#pump();
  }

  #pump(): void {
    if (this.agent.closeCode !== null) return;
    const events = Array.from({ length: 25 }, (_, index) =>
      this.agent.transition(this.sent + index + 1),
    );
    this.sent += events.length;
    const ack = this.agent.next('ack');
    this.agent.send({ type: 'events', events });
    void this.#onward(ack);
  }

  async #onward(ack: Promise<{ readonly [key: string]: unknown }>): Promise<void> {
    this.acked = Math.max(this.acked, Number((await ack)['seq']));
    this.#pump();
  }
}

describe('a server that is killed under load', () => {
  it(`[R-01] [R-02] [T-01] loses no acknowledged event and stores none twice over ${CYCLES} kills`, async () => {
    const random = repeatable(20_261_130);
    const port = await freePort();
    let server = await startServerProcess(dataDir, { port });
    const token = await createToken(server.url);
    const loads = Array.from(
      { length: AGENTS },
      (_, index) =>
        new Load(new RawAgent(server.url, token, { service: 'shop', instance: `i${index}` })),
    );

    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      await Promise.all(loads.map((load) => load.run()));
      // A number of further acknowledgements, not a time, decides when the power goes.
      const target = loads[0]!.acked + 25 * (1 + Math.floor(random() * 12));
      await loads[0]!.agent.next('ack', (ack) => Number(ack['seq']) >= target);
      await server.kill9();
      for (const load of loads) load.agent.drop();
      server = await startServerProcess(dataDir, { port });
    }

    expect(await server.stop()).toBe(0);
    const db = new Database(join(dataDir, 'recloser.db'), { readonly: true });
    for (const load of loads) {
      const row = db
        .prepare(
          `select count(*) as n, count(distinct e.seq) as kinds, max(e.seq) as top, r.acked_seq as acked
           from events e join runs r on r.id = e.run where r.epoch = ?`,
        )
        .get(load.agent.epoch) as { n: number; kinds: number; top: number; acked: number };
      expect(row.n, 'a hole or a double').toBe(row.top);
      expect(row.kinds).toBe(row.n);
      expect(row.acked).toBe(row.top);
      expect(row.top, 'an acknowledged event is missing').toBeGreaterThanOrEqual(load.acked);
    }
    expect(loads.reduce((sum, load) => sum + load.acked, 0)).toBeGreaterThan(CYCLES * 25);
    db.close();
  });
});
