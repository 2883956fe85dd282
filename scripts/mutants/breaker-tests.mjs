/**
 * Every test of the breaker as one file, quick ones first: most mutants die before the random
 * histories begin. Tests that read documents or try other libraries see no mutant.
 */
import.meta.glob(
  [
    '../../tests/breaker/**/*.test.ts',
    '!**/{invariants,same-history,liveness,*-properties}.test.ts',
    '!**/{mutants,coverage,choices,peers}.test.ts',
  ],
  { eager: true },
);
import.meta.glob('../../tests/breaker/**/{liveness,same-history,invariants,*-properties}.test.ts', {
  eager: true,
});
