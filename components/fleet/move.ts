const STEPS: Record<string, (index: number, last: number, page: number) => number> = {
  ArrowDown: (index) => index + 1,
  j: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  k: (index) => index - 1,
  PageDown: (index, _last, page) => index + page,
  PageUp: (index, _last, page) => index - page,
  Home: () => 0,
  End: (_index, last) => last,
};

/** Where a key leads from a row (−1: none yet); null when the key is not for moving. */
export function moveTo(key: string, index: number, count: number, page: number): number | null {
  const step = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined;
  if (step === undefined || count === 0) return null;
  return Math.min(count - 1, Math.max(0, step(index, count - 1, page)));
}
