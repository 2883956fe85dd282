import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// One test file that imports all of them: a mutant costs one module graph instead of one per file.
const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

export default defineConfig({
  root,
  cacheDir: '.stryker-tmp/vite',
  resolve: { alias: { '@': root } },
  test: {
    setupFiles: ['tests/support/fast-check.ts'],
    include: [`scripts/mutants/${process.env['MUTANTS_TESTS'] ?? 'breaker-tests'}.mjs`],
    // None of them sleeps: one that hangs has met its mutant. `MUTANTS_HANG_MS` is for a busy machine.
    testTimeout: Number(process.env['MUTANTS_HANG_MS'] ?? 3_000),
  },
});
