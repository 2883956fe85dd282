/**
 * What breakers keep in memory and what a call allocates.
 *
 *     npx esbuild bench/breaker-memory.ts --bundle --packages=external --platform=node --format=esm --alias:@=. --outfile=dist/bench/breaker-memory.mjs
 *     node --expose-gc --max-semi-space-size=256 --min-semi-space-size=256 dist/bench/breaker-memory.mjs
 *
 * The large young generation keeps the collector out while allocation is counted; a measurement
 * during which it came anyway is thrown away.
 */
import { GCProfiler, setFlagsFromString } from 'node:v8';
import { circuitBreaker, handleAll, SamplingBreaker } from 'cockatiel';
import Opossum from 'opossum';
import { CircuitBreaker } from '@/lib/breaker';

const collect = globalThis.gc;
if (collect === undefined) throw new Error('start node with --expose-gc');

/** Bytes that are still reachable. */
function retained(): number {
  collect?.();
  collect?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function plain(): Promise<number> {
  return 1;
}

function acquire(breaker: CircuitBreaker): void {
  const permit = breaker.tryAcquire();
  if (permit.granted) permit.success();
}

function report(what: string, value: number, limit: number, unit: string): void {
  const verdict = value <= limit ? 'met   ' : 'MISSED';
  console.log(`${verdict} ${what}: ${value.toFixed(1)} ${unit}, at most ${limit} ${unit}`);
}

/** Median of five, in bytes a call. */
async function allocated(work: () => unknown, calls = 50_000): Promise<number> {
  const values: number[] = [];
  for (let i = 0; values.length < 5 && i < 50; i++) {
    collect?.();
    const profiler = new GCProfiler();
    profiler.start();
    const before = process.memoryUsage().heapUsed;
    for (let call = 0; call < calls; call++) {
      const pending = work();
      if (pending instanceof Promise) await pending;
    }
    const after = process.memoryUsage().heapUsed;
    if (profiler.stop()?.statistics.length === 0 && i > 1) values.push((after - before) / calls);
  }
  if (values.length === 0) throw new Error('the collector came every time: give it more room');
  return middle(values);
}

async function allocation(): Promise<void> {
  const breaker = new CircuitBreaker('allocation');
  const cockatiel = circuitBreaker(handleAll, {
    halfOpenAfter: 1e9,
    breaker: new SamplingBreaker({ threshold: 0.5, duration: 10_000, minimumRps: 1 }),
  });
  const opossum = new Opossum(plain, { timeout: false, rollingPercentilesEnabled: false });
  console.log('bytes allocated a call, closed');
  const cases: readonly (readonly [string, () => unknown])[] = [
    ['plain awaited call', plain],
    ['tryAcquire + success', () => acquire(breaker)],
    ['run', () => breaker.run(plain)],
    ['cockatiel sampling', () => cockatiel.execute(plain)],
    ['opossum bare', () => opossum.fire()],
  ];
  for (const [name, work] of cases) {
    console.log(`  ${name.padEnd(24)} ${(await allocated(work)).toFixed(0).padStart(6)}`);
  }
  opossum.shutdown();
}

function manyBreakers(): CircuitBreaker[] {
  const before = retained();
  const many = Array.from({ length: 10_000 }, (_, i) => new CircuitBreaker(`b${i}`));
  const idle = retained() - before;
  report('an idle breaker', idle / many.length / 1_024, 16, 'KiB');
  for (const breaker of many) for (let i = 0; i < 200; i++) acquire(breaker);
  const used = retained() - before;
  report('a breaker after 200 calls', used / many.length / 1_024, 16, 'KiB');
  report('10,000 breakers in use', used / 2 ** 20, 200, 'MB');
  return many;
}

/** Latencies from 1 ms on, over so many orders of magnitude. */
function live(
  breaker: CircuitBreaker,
  clock: { now: number },
  calls: number,
  orders: number,
): void {
  for (let call = 1; call <= calls; call++) {
    clock.now += 0.1;
    const permit = breaker.tryAcquire();
    const latencyMs = 10 ** ((orders * (call % 1_000)) / 1_000);
    if (permit.granted && call % 100 === 0) permit.failure('server_error', latencyMs);
    else if (permit.granted) permit.success(latencyMs);
  }
  if (breaker.state !== 'closed') throw new Error(`the breaker is ${breaker.state}`);
}

/** Several side by side, because a reading of the heap is right to some tens of KiB only. */
function longLife(orders: number): void {
  const clock = { now: 0 };
  const options = { clock: () => clock.now };
  // What the engine keeps of the code itself is not the breaker's, and must not change meanwhile.
  setFlagsFromString('--no-opt');
  live(new CircuitBreaker('warm up', options), clock, 1_000_000, orders);
  const before = retained();
  const breakers = Array.from({ length: 4 }, (_, i) => new CircuitBreaker(`long ${i}`, options));
  const sizes: number[] = [];
  for (let million = 1; million <= 10; million++) {
    for (const breaker of breakers) live(breaker, clock, 1_000_000, orders);
    sizes.push((retained() - before) / breakers.length / 1_024);
  }
  const first = middle(sizes.slice(0, 3));
  const last = middle(sizes.slice(-3));
  report(`after 10 million calls over ${orders} orders of latency`, last, 16, 'KiB');
  report('of that more than after 2 million', last - first, 2, 'KiB');
}

function middle(values: readonly number[]): number {
  return values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? 0;
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}

await allocation();
const idle = timers();
const many = manyBreakers();
longLife(3);
report(`timers of ${many.length} idle breakers`, timers() - idle, 0, 'timers');
