import type { LivePatch } from '../protocol/live-frames';

const DETAIL = 'breaker:';

/** Breakers whose detail the topics ask for. */
export function detailTopics(topics: ReadonlySet<string>): ReadonlySet<string> {
  const ids = [...topics].filter((topic) => topic.startsWith(DETAIL));
  return new Set(ids.map((topic) => topic.slice(DETAIL.length)));
}

/**
 * Cuts a patch to what the topics ask for; its range stays, so that a reader that asked for nothing
 * in it still moves on. Without `fleet`, a breaker topic brings its own breaker and overrides.
 */
export function filterPatch(patch: LivePatch, topics: ReadonlySet<string>): LivePatch {
  const { type, fromRevision, toRevision, now } = patch;
  const wanted = detailTopics(topics);
  const cut: LivePatch = { type, fromRevision, toRevision, now };
  if (topics.has('fleet')) {
    copy(patch, cut, ['breakers', 'removedBreakers', 'services', 'removedServices', 'overrides']);
  } else if (wanted.size > 0) {
    keep(cut, 'breakers', patch.breakers, (breaker) => wanted.has(breaker.id));
    keep(cut, 'removedBreakers', patch.removedBreakers, (id) => wanted.has(id));
    keep(cut, 'overrides', patch.overrides, (override) => wanted.has(override.breakerId));
  }
  if (topics.has('instances')) copy(patch, cut, ['instances', 'removedInstances']);
  const details = Object.entries(patch.detail ?? {}).filter(([id]) => wanted.has(id));
  if (details.length > 0) cut.detail = Object.fromEntries(details);
  return cut;
}

function copy(from: LivePatch, to: LivePatch, keys: readonly (keyof LivePatch)[]): void {
  for (const key of keys) {
    if (from[key] !== undefined) Object.assign(to, { [key]: from[key] });
  }
}

function keep<T>(
  to: LivePatch,
  key: keyof LivePatch,
  items: readonly T[] | undefined,
  wants: (item: T) => boolean,
): void {
  const kept = items?.filter(wants) ?? [];
  if (kept.length > 0) Object.assign(to, { [key]: kept });
}
