/** The failure share at which a breaker trips, when its configuration sets one; any shape of JSON. */
export function failureThreshold(config: Readonly<Record<string, unknown>>): number | null {
  const { trip } = config;
  if (!Array.isArray(trip)) return null;
  for (const policy of trip as readonly unknown[]) {
    if (policy === null || typeof policy !== 'object') continue;
    const { kind, rate } = policy as { kind?: unknown; rate?: unknown };
    if ((kind === 'ratio' || kind === 'mixed') && typeof rate === 'number') return rate;
  }
  return null;
}
