import { stateWord } from '@/components/state';
import { formatDuration, formatRate, formatShare } from '@/components/ui/format';
import type { CommandPreview } from '@/lib/protocol/command-views';
import type { BreakerView } from '@/lib/protocol/views';
import { KINDS, type Kind } from './kinds';

export type Consequence = {
  readonly title: string;
  readonly body: string;
  readonly danger: boolean;
};

type Breaker = CommandPreview['breakers'][number];
type Facts = Pick<CommandPreview, 'failureShare' | 'callsPerSecond' | 'breakers'>;

const calls = ({ callsPerSecond }: Facts): string =>
  `${formatRate(callsPerSecond)} calls per second`;

/** "inventory-api" or "3 targets": as short as it can be without hiding one. */
function named(names: Iterable<string>, many: string): string {
  const [first, ...others] = new Set(names);
  return first !== undefined && others.length === 0 ? first : `${others.length + 1} ${many}`;
}

const targets = ({ breakers }: Facts) =>
  named(
    breakers.map((one) => one.target),
    'targets',
  );
const services = ({ breakers }: Facts) =>
  named(
    breakers.map((one) => one.service),
    'services',
  );

const answering = (facts: Facts): string =>
  new Set(facts.breakers.map((one) => one.target)).size === 1
    ? `${targets(facts)} answers`
    : `All ${targets(facts)} answer`;

function failing(facts: Facts): Breaker | undefined {
  return facts.breakers
    .filter((one) => (one.failureShare ?? 0) > 0)
    .toSorted((a, b) => (b.failureShare ?? 0) - (a.failureShare ?? 0))[0];
}

function forceClosed(facts: Facts): Consequence {
  const worst = failing(facts);
  const unknown = facts.breakers.some((one) => one.failureShare === null);
  const body =
    worst === undefined
      ? unknown
        ? `Nobody has called ${targets(facts)} in the last ten seconds, so it is not known whether calls would succeed. Nothing will stop calls, however many fail.`
        : `${answering(facts)} at the moment. If calls begin to fail, nothing will stop them.`
      : `${worst.target} is failing now: ${formatShare(worst.failureShare)} of calls in the last ten seconds. Nothing will stop further calls, however many fail.`;
  return {
    title: `All calls go to ${targets(facts)}: ${calls(facts)}`,
    body,
    danger: worst !== undefined || unknown,
  };
}

function forceOpen(facts: Facts): Consequence {
  return {
    title: `Every call from ${services(facts)} to ${targets(facts)} fails at once: ${calls(facts)}`,
    body: 'No call reaches the target, not even a probe. What people see is decided by the fallbacks of the service; where there is none, they see an error.',
    danger: true,
  };
}

function reset(facts: Facts): Consequence {
  const one = facts.breakers.length === 1;
  return {
    title: `${one ? 'The breaker closes and forgets' : `${facts.breakers.length} breakers close and forget`}: ${calls(facts)} go to ${targets(facts)}`,
    body: 'The window, the backoff level and a running recovery start anew. It stays automatic and trips again if calls fail.',
    danger: failing(facts) !== undefined,
  };
}

const BY_KIND: Record<Kind, (facts: Facts) => Consequence> = {
  force_closed: forceClosed,
  force_open: forceOpen,
  reset,
};

/** What a command of this kind does, in words that cannot be read two ways. [U-23] */
export function consequence(kind: Kind, facts: Facts): Consequence {
  return BY_KIND[kind](facts);
}

/** "3 live, 1 stale, 1 offline": who will hear of it now. */
export function reachText({ live, stale, offline }: CommandPreview['instances']): string {
  const parts = [`${live} live`];
  if (stale > 0) parts.push(`${stale} stale`);
  if (offline > 0) parts.push(`${offline} offline`);
  return parts.join(', ');
}

/** "64 % of 50 %": the share of failed calls against the one at which it trips. */
export function shareText(
  one: Pick<BreakerView, 'failureShare' | 'failureThreshold'>,
): string | null {
  if (one.failureShare === null) return null;
  const share = formatShare(one.failureShare);
  return one.failureThreshold === null ? share : `${share} of ${formatShare(one.failureThreshold)}`;
}

type Computed = Pick<BreakerView, 'state' | 'wouldBeOpen' | 'failureShare' | 'failureThreshold'>;

/** The state that it has, and beside a forced one what its own rules would make of it. */
export function computedText(one: Computed): string {
  const word = stateWord(one.state);
  const share = shareText(one);
  const figures = share === null ? '' : `: ${share}`;
  if (one.wouldBeOpen !== null)
    return `${word}; would be ${one.wouldBeOpen ? 'open' : 'closed'} now${figures}`;
  if (one.state === 'forced_open')
    return `${word}; no call gets through, so nobody knows what it would be`;
  return share === null ? `${word}; no calls` : `${word}${figures} failing`;
}

const afterLease = (kind: Kind): string =>
  kind === 'force_open'
    ? 'Then it goes half-open and recovers step by step.'
    : 'Then it is closed and automatic again.';

/** What ends it without anybody doing anything. */
export function endsWords(kind: Kind, { leaseMs, contactLossMs }: CommandPreview['ends']): string {
  if (leaseMs === null) return 'It happens once; nothing has to end.';
  const contact =
    contactLossMs === null
      ? ''
      : `, or ${formatDuration(contactLossMs)} without the console on an instance`;
  return `The lease, after ${formatDuration(leaseMs)}${contact}. ${afterLease(kind)}`;
}

const MOVED = 0.1;

/** What is not as it was when it was looked at; empty when nothing that matters has changed. */
export function changedFacts(
  before: CommandPreview,
  now: CommandPreview,
  /** Breakers whose new generation is told in more words than these. */
  told: ReadonlySet<string> = new Set(),
): string[] {
  const seen = new Map(before.breakers.map((one) => [one.breakerId, one]));
  const said: string[] = [];
  for (const one of now.breakers) {
    const was = seen.get(one.breakerId);
    if (was === undefined) said.push(`${one.name} came into the scope`);
    else if (was.generation !== one.generation && !told.has(one.breakerId))
      said.push(`somebody acted on ${one.name}`);
    else if (was.state !== one.state) {
      said.push(
        `${one.name} was ${stateWord(was.state).toLowerCase()} and is ${stateWord(one.state).toLowerCase()} now`,
      );
    }
    seen.delete(one.breakerId);
  }
  for (const gone of seen.values()) said.push(`${gone.name} left the scope`);
  const [was, is] = [before.instances.live, now.instances.live];
  if (Math.abs(is - was) > was * MOVED) said.push(`${was} live instances before, ${is} now`);
  if (before.willRefuse.length !== now.willRefuse.length)
    said.push(`${before.willRefuse.length} were to refuse, ${now.willRefuse.length} now`);
  if (before.activeOverrides.length !== now.activeOverrides.length)
    said.push(
      `${before.activeOverrides.length} other overrides before, ${now.activeOverrides.length} now`,
    );
  if (before.risk !== now.risk) said.push(`the risk was ${before.risk} and is ${now.risk} now`);
  return said;
}

export function confirmText(kind: Kind, what: string, lease: string | null): string {
  return lease === null
    ? `${KINDS[kind].name} ${what}`
    : `${KINDS[kind].name} ${what} for ${lease}`;
}

export const RISKS: Record<CommandPreview['risk'], string> = {
  L1: 'L1: safe direction',
  L2: 'L2: one breaker',
  L3: 'L3: wide or dangerous',
};
