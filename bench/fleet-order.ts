/**
 * What one update of the fleet list costs before anything is drawn: 5,000 rows of which 1,000 are
 * open or recovering, put into attention order, beside the same rows sorted by name.
 *
 *     node --import tsx bench/fleet-order.ts
 */
import { loadavg } from 'node:os';
import { breakerFixture } from '@/components/design/breaker-fixtures';
import { attentionOrder } from '@/components/fleet/attention';
import { matcher, NO_FILTER } from '@/components/fleet/filter';
import { keepOrder, sameOrder } from '@/components/fleet/hold';
import { summarize } from '@/lib/client/summary';

const ROWS = 5_000;
const LOUD = 1_000;
const ROUNDS = 200;
const NOW = 1_800_000_000_000;

const states = ['open', 'half_open', 'closed'] as const;

/** The fleet at one moment: every fifth row flaps. */
function fleetAt(round: number) {
  return Array.from({ length: ROWS }, (_, at) =>
    breakerFixture(NOW, {
      id: `br_${at}`,
      service: `service-${at % 500}`,
      name: `call-${at}`,
      ...(at % (ROWS / LOUD) === 0
        ? { state: states[(at + round) % 3] ?? 'open', since: NOW - ((at * 37 + round) % 90_000) }
        : {}),
    }),
  );
}

const fleets = [0, 1, 2].map(fleetAt);

function medianMs(work: (round: number) => unknown): number {
  const times = Array.from({ length: ROUNDS }, (_, round) => {
    const from = process.cpuUsage();
    work(round);
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1_000;
  });
  return times.sort((a, b) => a - b)[ROUNDS / 2] ?? Number.NaN;
}

const fleet = (round: number) => fleets[round % 3] ?? [];
const everything = matcher(NO_FILTER);
const searched = matcher({ ...NO_FILTER, text: 'call service' });
const held = attentionOrder(fleet(0), NOW);
const known = { exists: () => true, append: true };

const cases: [string, (round: number) => unknown][] = [
  ['attention order', (round) => attentionOrder(fleet(round), NOW, everything)],
  ['attention order with a search', (round) => attentionOrder(fleet(round), NOW, searched)],
  [
    'keeping the order under the hand',
    (round) => {
      const wanted = attentionOrder(fleet(round), NOW);
      return sameOrder(keepOrder(held, wanted, known), wanted);
    },
  ],
  ['figures of the summary strip', (round) => summarize(fleet(round))],
  [
    'the same rows sorted by name',
    (round) =>
      [...fleet(round)].sort(
        (a, b) =>
          a.environment.localeCompare(b.environment) ||
          a.service.localeCompare(b.service) ||
          a.name.localeCompare(b.name),
      ),
  ],
];

for (const [name, work] of cases) console.log(`${name}: ${medianMs(work).toFixed(2)} ms`);
console.log(
  `${ROWS} rows, ${LOUD} of them loud, processor time, median of ${ROUNDS}; load ${loadavg()[0]?.toFixed(0)}`,
);
