/**
 * The tests of the breaker as one file. Tests that read documents or try other libraries meet no
 * mutant, and the suites of random histories take as long as all others together: without them the
 * tool reaches an end, and its score is a lower bound.
 */
import.meta.glob(
  [
    '../../tests/breaker/**/*.test.ts',
    '!**/{mutants,coverage,choices,peers}.test.ts',
    '!**/{invariants,same-history,liveness,*-properties}.test.ts',
  ],
  { eager: true },
);
