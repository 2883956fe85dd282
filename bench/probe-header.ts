/**
 * Does the time of a verification tell what was wrong with the header? Medians per kind of header,
 * in microseconds, with the spread. `node --import tsx bench/probe-header.ts [rounds]`
 */
import { randomBytes } from 'node:crypto';
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
  for (const [kind, make] of Object.entries(values)) {
    const message = request(make());
    const from = performance.now();
    const { reason } = verifier.verify(message);
    const took = performance.now() - from;
    if (reason !== kind) throw new Error(`wanted ${kind}, got ${reason}`);
    // The first rounds run uncompiled.
    if (i > rounds / 10) times.get(kind)?.push(took * 1_000);
  }
}
const medians = [...times].map(([kind, list]) => {
  const sorted = list.sort((a, b) => a - b);
  return { kind, median: sorted[Math.floor(sorted.length / 2)] ?? 0 };
});
for (const { kind, median } of medians) console.log(kind.padEnd(12), median.toFixed(2), 'µs');
const all = medians.map(({ median }) => median);
console.log('spread      ', (Math.max(...all) - Math.min(...all)).toFixed(2), 'µs');
