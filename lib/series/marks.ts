import { inOrder, numberIn, readTransition, textIn } from './events';
import { openings } from './openings';
import type { EventLike, GapLike, OverrideLike, TimeDomain } from './types';

export type OverrideMark = TimeDomain & {
  readonly id: string;
  readonly kind: string;
  readonly actor: string;
  readonly reason: string;
  /** Still in force at the end of the known time. */
  readonly open: boolean;
};

/** From when it was issued to when it ended, or to its planned end, or to now. */
export function overrideMarks(overrides: readonly OverrideLike[], now: number): OverrideMark[] {
  return overrides.map((one) => ({
    id: one.id,
    kind: one.kind,
    actor: one.actor,
    reason: one.reason,
    from: one.createdAt,
    to: one.endedAt ?? Math.max(one.createdAt, Math.min(one.endsAt, now)),
    open: one.endedAt === null && one.endsAt > now,
  }));
}

export type HoldMark = TimeDomain & {
  readonly instanceId: string;
  readonly instance: string;
  readonly cause: string;
  readonly quantile: number | null;
  readonly valueMs: number | null;
  readonly baselineMs: number | null;
  readonly samples: number | null;
  readonly open: boolean;
};

/** A hold ends with its release, or with the step or transition that made it moot. */
export function holdMarks(events: readonly EventLike[], now: number): HoldMark[] {
  const marks: HoldMark[] = [];
  const running = new Map<string, number>();
  for (const event of inOrder(events)) {
    const index = running.get(event.instanceId);
    const before = index === undefined ? undefined : marks[index];
    const ends = event.type !== 'hold' && endsHold(event);
    if (index !== undefined && before !== undefined && ends) {
      marks[index] = { ...before, to: event.at, open: false };
      running.delete(event.instanceId);
    }
    if (event.type !== 'hold' || running.has(event.instanceId)) continue;
    running.set(event.instanceId, marks.length);
    marks.push({
      instanceId: event.instanceId,
      instance: event.instance,
      from: event.at,
      to: Math.max(event.at, now),
      cause: textIn(event.data, 'cause') ?? 'latency',
      quantile: numberIn(event.data, 'quantile'),
      valueMs: numberIn(event.data, 'valueMs'),
      baselineMs: numberIn(event.data, 'baselineMs'),
      samples: numberIn(event.data, 'samples'),
      open: true,
    });
  }
  return marks;
}

function endsHold(event: EventLike): boolean {
  return event.type === 'release' || event.type === 'step' || event.type === 'transition';
}

export type RelapseMark = {
  readonly at: number;
  readonly instance: string;
  readonly level: number;
};

/** A trip soon after a recovery; the breaker itself says so by raising the level. */
export function relapseMarks(events: readonly EventLike[]): RelapseMark[] {
  return openings(events)
    .filter((opening) => opening.relapse)
    .map(({ openedAt, instance, level }) => ({ at: openedAt, instance, level }));
}

export type RelapseGroup = {
  readonly at: number;
  readonly level: number;
  readonly instances: readonly string[];
};

/** Relapses closer than `withinMs` as one mark: the copies of a breaker trip together. */
export function together(marks: readonly RelapseMark[], withinMs: number): RelapseGroup[] {
  const groups: RelapseGroup[] = [];
  for (const mark of [...marks].sort((a, b) => a.at - b.at)) {
    const last = groups.at(-1);
    if (last === undefined || mark.at - last.at > withinMs) {
      groups.push({ at: mark.at, level: mark.level, instances: [mark.instance] });
    } else {
      groups[groups.length - 1] = {
        at: last.at,
        level: Math.max(last.level, mark.level),
        instances: [...new Set([...last.instances, mark.instance])],
      };
    }
  }
  return groups;
}

/** Gaps of all instances joined where they overlap, with their reasons in the order of time. */
export type GapMark = TimeDomain & {
  readonly reasons: readonly string[];
  readonly instances: number;
  readonly events: number;
};

export function gapMarks(gaps: readonly GapLike[], instanceId?: string): GapMark[] {
  const chosen = gaps
    .filter((gap) => instanceId === undefined || gap.instanceId === instanceId)
    .sort((a, b) => a.from - b.from);
  const joined: (TimeDomain & { reasons: Set<string>; ids: Set<string>; events: number })[] = [];
  for (const gap of chosen) {
    const last = joined.at(-1);
    if (last !== undefined && gap.from <= last.to) {
      joined[joined.length - 1] = {
        from: last.from,
        to: Math.max(last.to, gap.to),
        reasons: last.reasons.add(gap.reason),
        ids: last.ids.add(gap.instanceId),
        events: last.events + gap.events,
      };
      continue;
    }
    joined.push({
      from: gap.from,
      to: gap.to,
      reasons: new Set([gap.reason]),
      ids: new Set([gap.instanceId]),
      events: gap.events,
    });
  }
  return joined.map(({ reasons, ids, ...mark }) => ({
    ...mark,
    reasons: [...reasons],
    instances: ids.size,
  }));
}

export type EdgeMark = { readonly at: number; readonly from: string; readonly to: string };

/** Each instant at which the state changed, for the ticks above the charts. */
export function transitionMarks(events: readonly EventLike[], domain: TimeDomain): EdgeMark[] {
  return inOrder(events).flatMap((event) => {
    const change = readTransition(event);
    if (change === null || change.at < domain.from || change.at >= domain.to) return [];
    return [{ at: change.at, from: change.from, to: change.to }];
  });
}
