/**
 * What the breaker costs a call, beside opossum and cockatiel in the same process: medians of
 * interleaved rounds, in ns of processor time a call, and each goal as a ratio within the run.
 * Bundled first, because the names that tsx keeps make every closure ten times dearer:
 *
 *     npx esbuild bench/breaker.ts --bundle --packages=external --platform=node --format=esm --alias:@=. --outfile=dist/bench/breaker.mjs
 *     node dist/bench/breaker.mjs
 *
 * Memory is in `bench/breaker-memory.ts`.
 */
import { loadavg } from 'node:os';
import { circuitBreaker, CircuitState, handleAll, SamplingBreaker } from 'cockatiel';
import Opossum from 'opossum';
import { CircuitBreaker } from '@/lib/breaker';

const ROUNDS = Number(process.argv[2] ?? 15);
const CALLS = 100_000;

async function plain(): Promise<number> {
  return 1;
}

async function failing(): Promise<number> {
  throw new Error('the target is down');
}

const closed = new CircuitBreaker('closed');
const listened = new CircuitBreaker('listened');
let heard = 0;
let elapsedMs = 0;
listened.onSettle((settlement) => {
  heard += settlement.latencyMs >= 0 ? 1 : 0;
});
const forced = new CircuitBreaker('forced');
forced.override('forced_open', { reason: 'bench', actor: 'bench' });
const tripped = new CircuitBreaker('tripped', {
  trip: [{ kind: 'consecutive', failures: 1 }],
  open: { kind: 'fixed', baseMs: 1e9, minMs: 1e9 },
});
await tripped.run(failing).catch(ignore);

function sampling() {
  return circuitBreaker(handleAll, {
    halfOpenAfter: 1e9,
    breaker: new SamplingBreaker({ threshold: 0.5, duration: 10_000, minimumRps: 1 }),
  });
}
const cockatiel = sampling();
const cockatielOpen = sampling();
while (cockatielOpen.state !== CircuitState.Open) {
  await cockatielOpen.execute(failing).catch(ignore);
}

const bareOptions = { timeout: false, rollingPercentilesEnabled: false } as const;
const opossumBare = new Opossum(plain, bareOptions);
const opossum = new Opossum(plain);
const opossumOpen = new Opossum(plain, { ...bareOptions, resetTimeout: 2 ** 31 - 1 });
opossumOpen.open();

type Case = { readonly name: string; readonly run: () => Promise<void> | void };

const cases: readonly Case[] = [
  { name: 'one clock read', run: () => times(() => performance.now()) },
  { name: 'plain awaited call', run: () => timesAsync(plain) },
  { name: 'plain call, then-chained', run: () => timesAsync(() => plain().then(same, rethrow)) },
  { name: 'call in a promise that can end early', run: () => timesAsync(inOwnPromise) },
  { name: 'the same with two clock reads', run: () => timesAsync(inTimedPromise) },
  { name: 'run, closed', run: () => timesAsync(() => closed.run(plain)) },
  { name: 'run, closed, with a listener', run: () => timesAsync(() => listened.run(plain)) },
  { name: 'cockatiel sampling, closed', run: () => timesAsync(() => cockatiel.execute(plain)) },
  { name: 'opossum bare, closed', run: () => timesAsync(() => opossumBare.fire()) },
  { name: 'opossum defaults, closed', run: () => timesAsync(() => opossum.fire()) },
  { name: 'tryAcquire + success', run: () => times(() => acquire(closed)) },
  { name: 'tryAcquire + success, with a listener', run: () => times(() => acquire(listened)) },
  { name: 'tryAcquire, open, refused', run: () => times(() => tripped.tryAcquire()) },
  { name: 'tryAcquire, forced open, refused', run: () => times(() => forced.tryAcquire()) },
  { name: 'run, open, refused', run: () => timesAsync(() => tripped.run(plain).catch(ignore)) },
  {
    name: 'cockatiel, open, refused',
    run: () => timesAsync(() => cockatielOpen.execute(plain).catch(ignore)),
  },
  { name: 'opossum, open, refused', run: () => timesAsync(() => opossumOpen.fire().catch(ignore)) },
];

function ignore(): void {}

function same<T>(value: T): T {
  return value;
}

function rethrow(error: unknown): never {
  throw error;
}

/** What any wrapper pays that can give a call up before it has ended: a promise of its own. */
function inOwnPromise(): Promise<number> {
  return new Promise((resolve, reject) => {
    plain().then(resolve, reject);
  });
}

/** And what it pays to know how long the call took: the least that `run` could cost. */
function inTimedPromise(): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    void plain().then((value) => {
      elapsedMs += performance.now() - start;
      return resolve(value);
    }, reject);
  });
}

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
const WARM_UP = 2;
for (let round = 0; round < ROUNDS + WARM_UP; round++) {
  for (const { name, run } of cases) {
    const start = process.cpuUsage();
    const pending = run();
    if (pending instanceof Promise) await pending;
    const { user, system } = process.cpuUsage(start);
    if (round >= WARM_UP) results.get(name)?.push(((user + system) * 1e3) / CALLS);
  }
}

function median(name: string): number {
  const sorted = (results.get(name) ?? []).toSorted((x, y) => x - y);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

console.log(
  `Node ${process.version}, ${ROUNDS} rounds of ${CALLS}, load ${loadavg()[0]?.toFixed(1)}`,
);
for (const [name, values] of results) {
  const ratio = `${(median(name) / median('plain awaited call')).toFixed(2)} x plain`;
  const best = `best ${Math.min(...values).toFixed(0)}`;
  const ns = median(name).toFixed(0).padStart(6);
  console.log(`${name.padEnd(40)} ${ns} ns   ${ratio.padEnd(14)} ${best}`);
}

/** Both sides are medians of this run. */
function goal(what: string, value: number, limit: number, unit: string, atMost: boolean): void {
  const met = (atMost ? value <= limit : value >= limit) ? 'met   ' : 'MISSED';
  const wanted = `${atMost ? 'at most' : 'at least'} ${limit}`;
  console.log(`${met} ${what}: ${value.toFixed(2)}${unit}, ${wanted}`);
}

function slower(what: string, than: string, least: number): void {
  goal(`${what} / ${than}`, median(what) / median(than), least, ' x', false);
}

console.log('');
goal('run / plain', median('run, closed') / median('plain awaited call'), 2.5, ' x', true);
console.log(
  `       run / the least it could cost: ${(median('run, closed') / median('the same with two clock reads')).toFixed(2)} x`,
);
slower('cockatiel sampling, closed', 'run, closed', 1.4);
slower('opossum bare, closed', 'run, closed', 3);
slower('opossum defaults, closed', 'run, closed', 3);
goal('tryAcquire + success', median('tryAcquire + success'), 150, ' ns', true);
slower('cockatiel sampling, closed', 'tryAcquire + success', 1.2);
for (const peer of ['cockatiel, open, refused', 'opossum, open, refused']) {
  slower(peer, 'tryAcquire, open, refused', 40);
  slower(peer, 'run, open, refused', 3);
}
if (heard === 0 || elapsedMs === 0) throw new Error('a listener or a clock was not heard');
opossumBare.shutdown();
opossum.shutdown();
opossumOpen.shutdown();
