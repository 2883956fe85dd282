/**
 * The built-in simulator lives in an environment of its own: what is in it is simulated, what is
 * outside is not, and no token of an agent reaches into it.
 */
export const SIMULATED_ENVIRONMENT = 'simulator';

export function isSimulated({ environment }: { readonly environment: string }): boolean {
  return environment === SIMULATED_ENVIRONMENT;
}

/** Figures over many breakers are of real ones; where there is none, of what there is. */
export function countable<T extends { readonly environment: string }>(
  rows: readonly T[],
): readonly T[] {
  const real = rows.filter((row) => !isSimulated(row));
  return real.length === rows.length || real.length === 0 ? rows : real;
}
