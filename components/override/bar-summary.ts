import type { OverrideView } from '@/lib/protocol/views';
import { isActive } from './kinds';

export type BarSummary = {
  readonly count: number;
  readonly soonest: OverrideView;
  /** Forced closed outranks forced open: its calls reach a target that may be failing. */
  readonly tone: 'forced' | 'open';
};

/** Null when nothing is overridden. */
export function barSummary(overrides: readonly OverrideView[]): BarSummary | null {
  const active = overrides.filter(isActive).sort((a, b) => a.endsAt - b.endsAt);
  const [soonest] = active;
  if (soonest === undefined) return null;
  const forced = active.some((one) => one.kind === 'force_closed');
  return { count: active.length, soonest, tone: forced ? 'forced' : 'open' };
}
