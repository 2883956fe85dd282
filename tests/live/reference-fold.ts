import type { LivePatch, LiveSnapshot } from '@/lib/protocol/live-frames';

/** The plainest possible reader of the live stream. */
export type Held = {
  readonly revision: number;
  readonly breakers: Readonly<Record<string, unknown>>;
  readonly services: Readonly<Record<string, unknown>>;
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly instances: Readonly<Record<string, unknown>>;
};

type Item = { readonly id: string };

function byId(items: readonly Item[]): Record<string, unknown> {
  return Object.fromEntries(items.map((item) => [item.id, item]));
}

export function heldOf(snapshot: LiveSnapshot): Held {
  return {
    revision: snapshot.revision,
    breakers: byId(snapshot.breakers),
    services: byId(snapshot.services),
    overrides: byId(snapshot.overrides),
    instances: byId(snapshot.instances ?? []),
  };
}

function without(
  held: Readonly<Record<string, unknown>>,
  ids: readonly string[] = [],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(held).filter(([id]) => !ids.includes(id)));
}

export function foldPatch(held: Held, patch: LivePatch): Held {
  const breakers = without(held.breakers, patch.removedBreakers);
  for (const breaker of patch.breakers ?? []) {
    breakers[breaker.id] = { ...(breakers[breaker.id] as object | undefined), ...breaker };
  }
  return {
    revision: patch.toRevision,
    breakers,
    services: { ...held.services, ...byId(patch.services ?? []) },
    overrides: { ...held.overrides, ...byId(patch.overrides ?? []) },
    instances: {
      ...without(held.instances, patch.removedInstances),
      ...byId(patch.instances ?? []),
    },
  };
}
