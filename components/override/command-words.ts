import type { CommandView, ReleaseView } from '@/lib/protocol/command-views';
import type { OverrideView } from '@/lib/protocol/views';

export const waits = ({ status }: Pick<CommandView, 'status'>): boolean =>
  status === 'pending_approval' || status === 'scheduled';

/** As the command tells of them, each as new as the live store has it. */
export function overridesOf(
  command: Pick<CommandView, 'id' | 'overrides'>,
  live: readonly OverrideView[],
): OverrideView[] {
  const fresh = new Map(live.filter((one) => one.commandId === command.id).map((o) => [o.id, o]));
  const known = command.overrides.map((one) => fresh.get(one.id) ?? one);
  const ids = new Set(known.map(({ id }) => id));
  return [...known, ...[...fresh.values()].filter(({ id }) => !ids.has(id))];
}

type Names = { readonly breaker?: string; readonly service?: string };

/** Names for the words of a scope, as far as all of the overrides share them. */
export function namesOf(overrides: readonly Pick<OverrideView, 'breaker' | 'service'>[]): Names {
  const [first] = overrides;
  if (first === undefined) return {};
  const same = (key: 'breaker' | 'service') => overrides.every((one) => one[key] === first[key]);
  return {
    ...(same('breaker') ? { breaker: first.breaker } : {}),
    ...(same('service') ? { service: first.service } : {}),
  };
}

export type Group = {
  readonly key: string;
  readonly command: CommandView | null;
  readonly overrides: readonly OverrideView[];
};

/** What was asked for in one go stands together; newest first. */
export function grouped(
  overrides: readonly OverrideView[],
  commands: readonly CommandView[],
): Group[] {
  const byId = new Map(commands.map((command) => [command.id, command]));
  const groups = new Map<string, OverrideView[]>();
  for (const one of overrides) {
    const key = one.commandId ?? one.id;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups]
    .map(([key, members]) => ({
      key,
      command: byId.get(key) ?? null,
      overrides: members.toSorted((a, b) => (a.breaker < b.breaker ? -1 : 1)),
    }))
    .toSorted((a, b) => createdAt(b) - createdAt(a));
}

const createdAt = ({ overrides }: Group): number =>
  Math.max(...overrides.map((one) => one.createdAt));

const STATUS: Record<ReleaseView['status'], string> = {
  running: 'Returning to automatic',
  stopped: 'Stopped',
  done: 'Returned to automatic',
  cancelled: 'Ended by a person',
};

/** "Returning to automatic: 3 of 12 let go, 1 tripped again". */
export function gradualText(release: ReleaseView): string {
  const count = (outcome: string) => release.steps.filter((o) => o.outcome === outcome).length;
  const parts = [`${release.released} of ${release.total} let go`];
  if (count('tripped') > 0) parts.push(`${count('tripped')} tripped again`);
  if (count('not_heard') > 0) parts.push(`${count('not_heard')} not heard of`);
  const why = release.statusReason === null ? '' : ` (${release.statusReason})`;
  return `${STATUS[release.status]}${why}: ${parts.join(', ')}`;
}

/** How long a gradual release takes if nothing trips: the first go at once. */
export function gradualMs(instances: number, batchSize: number, intervalMs: number): number {
  return Math.max(0, Math.ceil(instances / batchSize) - 1) * intervalMs;
}
