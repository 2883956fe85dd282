/**
 * How long the palette takes for one key press over 10,000 things; the goal is 50 ms.
 * `node --import tsx bench/palette.ts [things]`
 */
import { find, makeEntry } from '../lib/client/fuzzy';

const count = Number(process.argv[2] ?? 10_000);
const parts = ['payments', 'inventory', 'pricing', 'search', 'checkout', 'ledger', 'mail', 'stock'];
const ends = ['db', 'api', 'cache', 'queue', 'gateway', 'index'];
const word = (from: readonly string[], n: number) => from[n % from.length] ?? '';

const names = Array.from(
  { length: count },
  (_, n) => `${word(parts, n)}-${word(ends, Math.floor(n / 8))}-${n}`,
);

/** Processor time of this process, so that a busy machine does not spoil the figure. */
const usedMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

const madeFrom = usedMs();
const entries = names.map((name, n) =>
  makeEntry(name, name, `${word(parts, n * 7)} ${word(ends, n)}-${n % 90} production`),
);
console.log(`index of ${count}: ${(usedMs() - madeFrom).toFixed(1)} ms, once per opening`);

const queries = [
  'p',
  'pay',
  'payments-db',
  'pyaments',
  'inventory gateway 42',
  'zzzz',
  'chekout api',
];
for (const query of queries) {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < 40; round += 1) {
    const from = usedMs();
    found = find(entries, query, 40).length;
    times.push(usedMs() - from);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  console.log(`“${query}”: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, ${found} shown`);
}
