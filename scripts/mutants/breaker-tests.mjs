/**
 * Every test of the breaker as one file, quick ones first: most mutants die before the random
 * histories begin.
 */
import.meta.glob(
  [
    '../../tests/breaker/**/*.test.ts',
    '!**/{invariants,same-history,liveness,*-properties}.test.ts',
    '!**/{mutants,coverage}.test.ts',
  ],
  { eager: true },
);
import.meta.glob('../../tests/breaker/**/{liveness,same-history,invariants,*-properties}.test.ts', {
  eager: true,
});
