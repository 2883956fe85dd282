import type { OverrideView } from '@/lib/protocol/views';
import { isActive } from './kinds';

const MINUTE_MS = 60_000;
/** How long a person is told that one has ended, and offered to ask for it again. */
const TOLD_MS = 15_000;

export type BarSummary = {
  readonly count: number;
  readonly soonest: OverrideView;
  /** Active ones of the same command, itself among them: they are let go together. */
  readonly together: number;
  /** Forced closed outranks forced open: its calls reach a target that may be failing. */
  readonly tone: 'forced' | 'open';
};

/** Null when nothing is overridden. */
export function barSummary(overrides: readonly OverrideView[]): BarSummary | null {
  const active = overrides.filter(isActive).sort((a, b) => a.endsAt - b.endsAt);
  const [soonest] = active;
  if (soonest === undefined) return null;
  const forced = active.some((one) => one.kind === 'force_closed');
  const together = active.filter(
    ({ id, commandId }) =>
      id === soonest.id || (commandId !== null && commandId === soonest.commandId),
  ).length;
  return { count: active.length, soonest, together, tone: forced ? 'forced' : 'open' };
}

export type Warning = { readonly text: string; readonly anchor: string };

/**
 * [U-26] At five minutes and at one minute before the end, to whoever asked for it; also when one of
 * somebody else ends sooner.
 */
export function warningOf(
  overrides: readonly OverrideView[],
  person: string | null,
  now: number,
): Warning | null {
  const [mine] = overrides
    .filter(isActive)
    .filter(({ actor, endsAt }) => actor === person && endsAt > now)
    .sort((a, b) => a.endsAt - b.endsAt);
  const left = (mine?.endsAt ?? Infinity) - now;
  if (mine === undefined || left > 5 * MINUTE_MS) return null;
  const text =
    left <= MINUTE_MS
      ? `Yours of ${mine.breaker} ends within a minute: extend it or let it go`
      : `Yours of ${mine.breaker} ends within 5 minutes`;
  return { text, anchor: mine.commandId ?? mine.id };
}

/** The one that ended last, a moment ago. One that another took over has not ended for anybody. */
export function justEnded(overrides: readonly OverrideView[], now: number): OverrideView | null {
  const ended = overrides
    .filter(({ kind, endReason }) => kind !== 'reset' && endReason !== 'superseded')
    .filter(({ endedAt }) => endedAt !== null && now - endedAt < TOLD_MS)
    .sort((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
  return ended[0] ?? null;
}
