/**
 * Appends to one run without end, from the seq that is given, and prints what each commit
 * acknowledged: `<ackedSeq> <samplesSeq>`. Resends the last commit before each new one.
 */
import { writeSync } from 'node:fs';
import { openSqliteStore } from '@/server/store/sqlite/open';
import { batch, log, probe, registration, sampleRow } from '../../contracts/fixtures';

const [file = '', migrationsFolder = '', from = '1'] = process.argv.slice(2);
const store = openSqliteStore({ file, migrationsFolder });
const { run } = await store.registerRun(registration());

const SIZE = 25;
const frame = (first: number) => {
  const last = first + SIZE - 1;
  return batch(run.id, {
    events: log(first, last),
    samples: [sampleRow(first)],
    probes: [probe(last)],
    samplesSeq: last,
  });
};

for (let first = Number(from); ; first += SIZE) {
  const previous = first > SIZE ? [frame(first - SIZE)] : [];
  const results = await store.appendBatches([...previous, frame(first)]);
  const result = results.at(-1);
  writeSync(1, `${result?.ackedSeq} ${result?.samplesSeq}\n`);
}
