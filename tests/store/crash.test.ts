import { expect, it } from 'vitest';
import { BREAKER, registration, startRun, T0 } from '../contracts/fixtures';
import { nextLine, startChild } from './children';
import { openStore, temporaryFile } from './support';

const CYCLES = 10;
/** Kills fall after 1 to 60 commits, at whatever the writer is doing just then. */
const MAX_COMMITS = 60;

/** Small and seeded, so that a failing run can be repeated. */
function randomIn(max: number, seed: number): number {
  return 1 + ((Math.imul(seed + 1, 2_654_435_761) >>> 8) % max);
}

it(`keeps what it acknowledged, once, over ${CYCLES} kills (R-01, R-02)`, async () => {
  const file = temporaryFile();
  let acked = 0;
  let samplesAcked = 0;
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const writer = startChild('writer', file, [String(acked + 1)]);
    const commits = randomIn(MAX_COMMITS, cycle);
    for (let line = 0; line < commits; line++) {
      const [events = 0, samples = 0] = (await nextLine(writer)).split(' ').map(Number);
      acked = events;
      samplesAcked = samples;
    }
    await writer.kill();

    const store = openStore(file);
    const run = await startRun(store);
    const { run: progress } = await store.registerRun(registration());
    expect(progress.id).toBe(run);
    expect(progress.ackedSeq).toBeGreaterThanOrEqual(acked);
    expect(progress.samplesSeq).toBeGreaterThanOrEqual(samplesAcked);
    const rows = await store.listHistory({ breakerId: BREAKER.id, limit: 1_000_000 });
    const seqs = rows.map((row) => row.seq).toReversed();
    expect(seqs).toEqual(Array.from({ length: progress.ackedSeq }, (_, index) => index + 1));
    const range = { breakerId: BREAKER.id, from: 0, to: 2 * T0, limit: 1_000_000 };
    const frames = progress.ackedSeq / 25;
    expect(await store.readSamples(range)).toHaveLength(frames);
    expect(await store.readProbes(range)).toHaveLength(frames);
    expect(await store.checkIntegrity()).toBeNull();
    await store.close();
    acked = progress.ackedSeq;
  }
  expect(acked).toBeGreaterThan(CYCLES);
}, 60_000);
