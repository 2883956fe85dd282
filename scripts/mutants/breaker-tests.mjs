/**
 * Every test of the breaker as one file, quick ones first: most mutants die before the random
 * histories begin.
 */
import.meta.glob(
  [
    '../../tests/breaker/**/*.test.ts',
    '!**/{invariants,same-history,liveness}.test.ts',
    '!**/mutants.test.ts',
  ],
  { eager: true },
);
import.meta.glob('../../tests/breaker/{liveness,same-history,invariants}.test.ts', { eager: true });
