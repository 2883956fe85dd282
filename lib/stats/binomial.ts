/** P(Bin(n, p) >= k), summed from the small side so that nothing cancels. */
export function binomialTail(n: number, p: number, k: number): number {
  if (k <= 0) return 1;
  if (k > n || p <= 0) return 0;
  if (p >= 1) return 1;
  const logOdds = Math.log(p) - Math.log1p(-p);
  let logTerm = n * Math.log1p(-p);
  let below = 0;
  for (let i = 0; i < k; i++) {
    below += Math.exp(logTerm);
    logTerm += Math.log((n - i) / (i + 1)) + logOdds;
  }
  return Math.max(0, 1 - below);
}

/** The smallest count, at least `floor`, that chance reaches with at most the given probability. */
export function criticalCount(n: number, p: number, alpha: number, floor: number): number {
  let count = floor;
  while (count <= n && binomialTail(n, p, count) > alpha) count++;
  return count;
}
