import type { BreakerView } from '@/lib/protocol/views';

export type State = BreakerView['state'];
/** How far the last word about a breaker can be trusted. */
export type Freshness = 'live' | 'stale' | 'offline';
export type Tone = 'closed' | 'half' | 'open' | 'forced' | 'off';

type Hatch = 'falling' | 'rising';
type Grammar = { word: string; tone: Tone; hatch: Hatch | null };

/**
 * The state grammar: one word, one tone, one hatch or none. The shapes are in `glyph.tsx`. Two states
 * whose tones some eyes cannot tell apart differ by the hatch. [U-05]
 */
const GRAMMAR: Record<State, Grammar> = {
  closed: { word: 'Closed', tone: 'closed', hatch: null },
  half_open: { word: 'Half-open', tone: 'half', hatch: null },
  open: { word: 'Open', tone: 'open', hatch: null },
  forced_open: { word: 'Forced open', tone: 'open', hatch: 'falling' },
  forced_closed: { word: 'Forced closed', tone: 'forced', hatch: 'rising' },
  disabled: { word: 'Disabled', tone: 'off', hatch: null },
  metrics_only: { word: 'Watching only', tone: 'closed', hatch: 'falling' },
};

/** Worst first: the order in which a fleet, a legend and a roll-up name states. */
export const STATES_WORST_FIRST: readonly State[] = [
  'forced_closed',
  'forced_open',
  'open',
  'half_open',
  'metrics_only',
  'disabled',
  'closed',
];

export function isState(value: string): value is State {
  return Object.hasOwn(GRAMMAR, value);
}

export const stateWord = (state: State): string => GRAMMAR[state].word;

export function stateTone(state: State, freshness: Freshness = 'live'): Tone {
  return freshness === 'live' ? GRAMMAR[state].tone : 'off';
}

export function stateHatch(state: State, freshness: Freshness = 'live'): Hatch | null {
  if (freshness === 'live') return GRAMMAR[state].hatch;
  return freshness === 'stale' ? 'falling' : null;
}

/** The words of a badge: the state, or how old its last word is. */
export function stateLabel(state: State, freshness: Freshness = 'live'): string {
  if (freshness === 'offline') return 'Offline';
  return freshness === 'stale' ? `Stale, ${stateWord(state).toLowerCase()}` : stateWord(state);
}

/** A roll-up is as fresh as its freshest instance. */
export function rollUpFreshness(instances: BreakerView['instances']): Freshness {
  if (instances.live > 0) return 'live';
  return instances.stale > 0 ? 'stale' : 'offline';
}

/** "2 of 3 open, 1 stale": worst first, and nothing when there is a single instance. */
export function countsText(breaker: Pick<BreakerView, 'states' | 'instances' | 'state'>): string {
  const { instances, states } = breaker;
  const parts: string[] = [];
  if (instances.live > 0) {
    const count = states[breaker.state] ?? instances.live;
    parts.push(`${count} of ${instances.total} ${stateWord(breaker.state).toLowerCase()}`);
  } else {
    parts.push(`0 of ${instances.total} live`);
  }
  if (instances.stale > 0) parts.push(`${instances.stale} stale`);
  if (instances.offline > 0) parts.push(`${instances.offline} offline`);
  return parts.join(', ');
}
