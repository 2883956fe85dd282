import type { Fault } from './faults';

/** What the fleet does to itself, again and again, with quiet in between. */
export type Scene = {
  readonly atMs: number;
  readonly services: readonly string[];
  readonly fault: Fault;
  /** For the log and the panel. */
  readonly note: string;
};

const second = 1_000;
const databases = ['inventory-db', 'inventory-db-classic'];

export const scenario: readonly Scene[] = [
  {
    atMs: 12 * second,
    services: databases,
    fault: { kind: 'restart_cold', downMs: 9 * second },
    note: 'both stock databases restart; they will be back in 9 s, cold',
  },
  {
    atMs: 62 * second,
    services: ['inventory-db-classic'],
    fault: { kind: 'clear' },
    note: 'somebody warms the classic copy by hand; it would never get there alone',
  },
  {
    atMs: 80 * second,
    services: ['payments'],
    fault: { kind: 'errors', share: 1 },
    note: 'payments answers 500 to everything; edge and checkout both depend on it',
  },
  {
    atMs: 91 * second,
    services: ['payments'],
    fault: { kind: 'latency', ms: 110 },
    note: 'payments answers again, slowly: the ramp holds instead of climbing',
  },
  {
    atMs: 103 * second,
    services: ['payments'],
    fault: { kind: 'clear' },
    note: 'payments is well; the ramp goes on',
  },
];

/** One round. The rest after the last scene is quiet. */
export const roundMs = 150 * second;

/** Scenes that became due in `(from, to]`, times counted from the first round's start. */
export function scenesBetween(from: number, to: number): readonly Scene[] {
  const found: Scene[] = [];
  for (let round = Math.floor(Math.max(0, from) / roundMs); round * roundMs <= to; round += 1) {
    for (const scene of scenario) {
      const at = round * roundMs + scene.atMs;
      if (at > from && at <= to) found.push(scene);
    }
  }
  return found;
}

/** The next scene and how long until then. */
export function nextScene(now: number): { readonly scene: Scene; readonly inMs: number } {
  const inRound = now % roundMs;
  const [first] = scenario;
  const scene = scenario.find(({ atMs }) => atMs > inRound);
  if (scene) return { scene, inMs: scene.atMs - inRound };
  if (!first) throw new Error('the scenario is empty');
  return { scene: first, inMs: roundMs - inRound + first.atMs };
}

/** Printed at the start: what will be seen, and when. */
export const guide: readonly string[] = [
  '0:12  both stock databases restart. Two breakers trip: inventory-db and its classic twin.',
  '0:18  a first recovery fails, the database is still down: the next wait is twice as long.',
  '0:28  inventory-db ramps 10, 30, 60, 100 % and closes; the classic one lets all in and kills it again.',
  '1:20  payments fails: the breakers of edge and checkout open, then hold their ramp while it is slow.',
  '1:45  quiet. The round starts over at 2:30.',
];
