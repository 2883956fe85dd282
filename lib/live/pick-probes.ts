import type { ProbePoint } from '../protocol/views';

const ANSWERED: ReadonlySet<string> = new Set(['success', 'client_error']);

/** Every failure first (an even pick of them if even they are too many), then an even pick of the rest. */
export function pickProbes(
  probes: readonly ProbePoint[],
  limit: number,
): { picked: ProbePoint[]; leftOut: number } {
  if (probes.length <= limit) return { picked: [...probes], leftOut: 0 };
  const failures = evenly(
    probes.filter((probe) => !ANSWERED.has(probe.outcome)),
    limit,
  );
  const successes = evenly(
    probes.filter((probe) => ANSWERED.has(probe.outcome)),
    limit - failures.length,
  );
  const picked = [...failures, ...successes].sort((a, b) => a.at - b.at || a.id - b.id);
  return { picked, leftOut: probes.length - picked.length };
}

function evenly<T>(items: readonly T[], limit: number): T[] {
  if (items.length <= limit) return [...items];
  return Array.from(
    { length: limit },
    (_, at) => items[Math.floor((at * items.length) / limit)],
  ).filter((item) => item !== undefined);
}
