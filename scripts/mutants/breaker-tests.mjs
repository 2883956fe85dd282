/** Every test of the breaker as one file, the random histories last: most mutants die before them. */
import './quick-tests.mjs';

import.meta.glob(
  ['../../tests/breaker/**/{liveness,same-history,invariants,*-properties}.test.ts'],
  { eager: true },
);
