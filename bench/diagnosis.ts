/** What a diagnosis costs, in processor time: `node --import tsx bench/diagnosis.ts`. */
import process from 'node:process';
import { diagnose } from '@/lib/diagnosis/diagnose';
import { Tally } from '@/lib/diagnosis/tally';
import type { History } from '@/lib/diagnosis/types';
import { calls, sampleOf } from '@/tests/services/support';
import { history, instance, MINUTE, NOW, span, Story } from '@/tests/diagnosis/support';

const instances = ['a', 'b', 'c', 'd'].map((id) => instance(id));

/** Recovers and trips again all the time: the most that the console reads of one breaker. */
function flapping(events: number, probes: number): History {
  const story = new Story('a', NOW - 600 * MINUTE).trip();
  while (story.events.length < events) {
    story.pass(5_000).climb(3);
    for (let probe = 0; probe < 36; probe++) story.pass(50).probe(probe % 4, 20);
    story.go('half_open', 'closed').pass(8_000).trip();
  }
  const spans = Array.from({ length: 24 }, (_, index) =>
    span(120 - index * 5, { closedCalls: 900, closedFailures: 4, peakCalls: 40 }),
  );
  const told = { events: story.events.slice(0, events), probes: story.probes.slice(0, probes) };
  return history({ ...told, instances, spans });
}

function cpuMs(times: number, run: (index: number) => void): number {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index++) run(index);
  return process.cpuUsage(before).user / 1_000 / times;
}

const quiet = history({ instances });
const busy = flapping(1_000, 5_000);
for (let warm = 0; warm < 100; warm++) diagnose(warm % 2 === 0 ? quiet : busy);
console.log(`quiet breaker: ${cpuMs(5_000, () => diagnose(quiet)).toFixed(3)} ms`);
const { events, probes } = busy;
const size = `${events.length} events, ${probes.length} probes`;
console.log(`${size}: ${cpuMs(200, () => diagnose(busy)).toFixed(2)} ms`);

const tally = new Tally();
const sample = { ...sampleOf([]), calls: calls({ success: 20, timeout: 1 }) };
const perSample = cpuMs(500_000, (index) =>
  tally.add(`i${index % 4}`, NOW + index * 250, sample, 10_000),
);
console.log(`one sample: ${(perSample * 1_000).toFixed(2)} µs`);
