/**
 * Does the time of a verification, or of a whole answer over loopback, tell what was wrong with the
 * header? Medians per kind of header, with the spread. `node --import tsx bench/probe-header.ts [rounds]`
 */
import { randomBytes } from 'node:crypto';
import { Agent, createServer, get } from 'node:http';
import { ProbeSigner, ProbeVerifier, type NodeRequest, type ProbeReason } from '../lib/agent';

const rounds = Number(process.argv[2] ?? 20_000);
const key = { id: 'k1', secret: randomBytes(32) };
const signer = new ProbeSigner({ key });
const thief = new ProbeSigner({ key: { id: 'k1', secret: randomBytes(32) } });
const stranger = new ProbeSigner({ key: { id: 'zz', secret: randomBytes(32) } });
const old = new ProbeSigner({ key, clock: () => Date.now() - 100_000 });
const verifier = new ProbeVerifier({
  hosts: ['stock'],
  callers: { checkout: [key] },
  maxNonces: 10_000_000,
});

const target = { method: 'GET', url: 'http://stock/items/7', breaker: 'stock' };
const used = signer.sign(target);
const values: Partial<Record<ProbeReason, () => string>> = {
  valid: () => signer.sign(target),
  replayed: () => used,
  forged: () => thief.sign(target),
  unknown_key: () => stranger.sign(target),
  too_old: () => old.sign(target),
  malformed: () => 'x'.repeat(140),
  repeated: () => `${used}, ${used}`,
};

/** No kind always follows the same other one. */
function shuffled(): [string, () => string][] {
  return Object.entries(values)
    .map((entry) => ({ entry, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => entry);
}

function request(value: string): NodeRequest {
  return {
    method: 'GET',
    url: '/items/7',
    headers: { host: 'stock', 'x-probe-request': value },
  };
}

verifier.verify(request(used));
const times = new Map<string, number[]>(Object.keys(values).map((kind) => [kind, []]));
for (let i = 0; i < rounds; i++) {
  for (const [kind, make] of shuffled()) {
    const message = request(make());
    const from = performance.now();
    const { reason } = verifier.verify(message);
    const took = performance.now() - from;
    if (reason !== kind) throw new Error(`wanted ${kind}, got ${reason}`);
    // The first rounds run uncompiled.
    if (i > rounds / 10) times.get(kind)?.push(took * 1_000);
  }
}
report('verify', 1);

// The same over HTTP: the answer does not say what the verdict was.
const server = createServer((message, response) => {
  verifier.verify(message);
  response.end('ok');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function answer(value: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { host: 'stock', 'x-probe-request': value };
    get({ host: '127.0.0.1', port, path: '/items/7', agent, headers }, (response) => {
      response.resume().on('end', resolve);
    }).on('error', reject);
  });
}

for (const list of times.values()) list.length = 0;
for (let i = 0; i < rounds / 10; i++) {
  for (const [kind, make] of shuffled()) {
    const value = make();
    const from = performance.now();
    await answer(value);
    if (i > rounds / 100) times.get(kind)?.push((performance.now() - from) * 1_000);
  }
}
report('answer over loopback', 0);
agent.destroy();
server.close();

function report(what: string, digits: number): void {
  const medians = [...times].map(([kind, list]) => {
    const sorted = list.sort((a, b) => a - b);
    return { kind, median: sorted[Math.floor(sorted.length / 2)] ?? 0 };
  });
  console.log(what);
  for (const { kind, median } of medians) {
    console.log(' ', kind.padEnd(12), median.toFixed(digits), 'µs');
  }
  const all = medians.map(({ median }) => median);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const middle = (low + high) / 2;
  console.log('  spread      ', `±${((50 * (high - low)) / middle).toFixed(1)} %`);
}
