/**
 * What the breaker costs a call: medians of interleaved rounds, in ns of processor time a call.
 * Bundled first, because the names that tsx keeps make every closure ten times dearer:
 *
 *     npx esbuild bench/breaker.ts --bundle --platform=node --format=esm --alias:@=. --outfile=/tmp/breaker.mjs
 *     node --expose-gc /tmp/breaker.mjs
 */
import { CircuitBreaker } from '@/lib/breaker';

const ROUNDS = 15;
const CALLS = 100_000;

const closed = new CircuitBreaker('closed');
const listened = new CircuitBreaker('listened');
let seen = 0;
listened.onSettle((settlement) => {
  seen += settlement.inFlight;
});
const open = new CircuitBreaker('open');
open.override('forced_open', { reason: 'bench', actor: 'bench' });
const tripped = new CircuitBreaker('tripped', {
  trip: [{ kind: 'consecutive', failures: 1 }],
  open: { kind: 'fixed', baseMs: 1e9, minMs: 1e9 },
});
const first = tripped.tryAcquire();
if (first.granted) first.failure('server_error');

async function plain(): Promise<number> {
  return 1;
}

type Case = { readonly name: string; readonly run: () => Promise<void> | void };

const cases: readonly Case[] = [
  { name: 'two clock reads', run: () => times(() => performance.now() + performance.now()) },
  { name: 'plain awaited call', run: () => timesAsync(plain) },
  { name: 'run, closed', run: () => timesAsync(() => closed.run(plain)) },
  { name: 'run, closed, with a listener', run: () => timesAsync(() => listened.run(plain)) },
  { name: 'tryAcquire + success', run: () => times(() => acquire(closed)) },
  { name: 'tryAcquire + success, with a listener', run: () => times(() => acquire(listened)) },
  { name: 'tryAcquire, open, refused', run: () => times(() => tripped.tryAcquire()) },
  { name: 'tryAcquire, forced open, refused', run: () => times(() => open.tryAcquire()) },
  { name: 'run, open, refused', run: () => timesAsync(() => tripped.run(plain).catch(ignore)) },
];

function ignore(): void {}

function acquire(breaker: CircuitBreaker): void {
  const permit = breaker.tryAcquire();
  if (permit.granted) permit.success();
}

function times(work: () => unknown): void {
  for (let i = 0; i < CALLS; i++) work();
}

async function timesAsync(work: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < CALLS; i++) await work();
}

const results = new Map(cases.map(({ name }) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round++) {
  for (const { name, run } of cases) {
    const start = process.cpuUsage();
    const pending = run();
    if (pending instanceof Promise) await pending;
    const { user, system } = process.cpuUsage(start);
    if (round > 0) results.get(name)?.push(((user + system) * 1e3) / CALLS);
  }
}
const plainNs = median(results.get('plain awaited call') ?? []);
for (const [name, values] of results) {
  const ns = median(values);
  const ratio = `${(ns / plainNs).toFixed(1)} x plain`;
  const best = `best ${Math.min(...values).toFixed(0)}`;
  console.log(`${name.padEnd(40)} ${ns.toFixed(0).padStart(6)} ns   ${ratio.padEnd(14)} ${best}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? 0;
}

console.log(`settlements heard: ${seen >= 0 ? 'yes' : 'no'}`);

const before = memory();
const many = Array.from({ length: 10_000 }, (_, i) => new CircuitBreaker(`b${i}`));
console.log(
  `${((memory() - before) / many.length / 1024).toFixed(1)} KiB a breaker, idle, of ${many.length}`,
);
const busy = many.slice(0, 1_000);
const idle = memory();
for (const breaker of busy) for (let i = 0; i < 2_000; i++) acquire(breaker);
console.log(
  `${((memory() - idle) / busy.length / 1024).toFixed(1)} KiB more after 2,000 calls each`,
);

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}
