import type { EventFact } from './types';

type Data = Readonly<Record<string, unknown>>;

/** A finite number under `key`, else null; a number that is not there is not zero. */
export function numberAt(data: Data, key: string): number | null {
  const value = data[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export const numberOr = (data: Data, key: string, fallback: number): number =>
  numberAt(data, key) ?? fallback;

export function textAt(data: Data, key: string): string {
  const value = data[key];
  return typeof value === 'string' ? value : '';
}

export function objectAt(data: Data, key: string): Data | null {
  const value = data[key];
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  return isObject ? (value as Data) : null;
}

/** From anything to open. */
export type Opening = {
  readonly id: number;
  readonly at: number;
  readonly instanceId: string;
  readonly from: string;
  readonly cause: string;
  readonly reason: string;
  readonly calls: number | null;
  readonly failures: number | null;
  readonly openTimeoutMs: number | null;
};

/** One stay in half-open of one instance. */
export type Attempt = {
  readonly instanceId: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly outcome: 'running' | 'closed' | 'open' | 'other';
  /** Of the transition that ended it. */
  readonly cause: string;
  /** The step it is on, or ended on, and since when. */
  readonly step: number;
  readonly stepStartedAt: number;
  readonly heldSteps: readonly number[];
  readonly starved: boolean;
  readonly eventIds: readonly number[];
};

export type Recoveries = {
  readonly attempts: readonly Attempt[];
  readonly openings: readonly Opening[];
  /** Holds for which the caller's own event loop was to blame. */
  readonly selfHolds: readonly EventFact[];
};

function openingOf({ id, at, instanceId, data }: EventFact): Opening {
  return {
    id,
    at,
    instanceId,
    from: textAt(data, 'from'),
    cause: textAt(data, 'cause'),
    reason: textAt(data, 'reason'),
    calls: numberAt(data, 'calls'),
    failures: numberAt(data, 'failures'),
    openTimeoutMs: numberAt(data, 'openTimeoutMs'),
  };
}

function begin({ id, at, instanceId }: EventFact): Attempt {
  return {
    instanceId,
    startedAt: at,
    endedAt: null,
    outcome: 'running',
    cause: '',
    step: 0,
    stepStartedAt: at,
    heldSteps: [],
    starved: false,
    eventIds: [id],
  };
}

function outcomeOf(to: string): Attempt['outcome'] {
  return to === 'closed' || to === 'open' ? to : 'other';
}

/** What happens within the stay; the same attempt for what says nothing about it. */
function within(attempt: Attempt, event: EventFact): Attempt {
  const { type, at, data, id } = event;
  const eventIds = [...attempt.eventIds, id];
  const step = Math.max(0, Math.floor(numberAt(data, 'step') ?? attempt.step));
  if (type === 'hold') return { ...attempt, heldSteps: [...attempt.heldSteps, step], eventIds };
  if (type === 'starved') return { ...attempt, starved: true, eventIds };
  if (type !== 'step' && type !== 'transition') return attempt;
  return { ...attempt, step, stepStartedAt: at, starved: false, eventIds };
}

function readRun(events: readonly EventFact[], into: { attempts: Attempt[]; openings: Opening[] }) {
  let current: Attempt | null = null;
  for (const event of events) {
    const to = event.type === 'transition' ? textAt(event.data, 'to') : '';
    const from = textAt(event.data, 'from');
    if (to === '' || (current !== null && to === 'half_open' && from === 'half_open')) {
      current = current === null ? null : within(current, event);
      continue;
    }
    if (current !== null) {
      const cause = textAt(event.data, 'cause');
      const eventIds = [...current.eventIds, event.id];
      const ended = { endedAt: event.at, outcome: outcomeOf(to), cause, eventIds };
      into.attempts.push({ ...current, ...ended });
    }
    current = to === 'half_open' ? begin(event) : null;
    if (to === 'open' && from !== 'open') into.openings.push(openingOf(event));
  }
  if (current !== null) into.attempts.push(current);
}

/** Attempts and openings of all instances, each list in time order. */
export function readRecoveries(events: readonly EventFact[]): Recoveries {
  const runs = new Map<string, EventFact[]>();
  const ordered = [...events].sort((a, b) => a.at - b.at || a.id - b.id);
  for (const event of ordered) {
    const key = `${event.instanceId} ${event.run}`;
    const run = runs.get(key);
    if (run) run.push(event);
    else runs.set(key, [event]);
  }
  const into = { attempts: [] as Attempt[], openings: [] as Opening[] };
  for (const run of runs.values()) readRun(run, into);
  return {
    attempts: into.attempts.sort((a, b) => a.startedAt - b.startedAt),
    openings: into.openings.sort((a, b) => a.at - b.at),
    selfHolds: ordered.filter(
      ({ type, data }) => type === 'hold' && textAt(data, 'cause') === 'self',
    ),
  };
}
