/** Stryker over the breaker. Started by `npm run mutants -- tool`, which chooses the files. */
export default {
  testRunner: process.env['MUTANTS_RUNNER'] ?? 'session',
  plugins: [
    '@stryker-mutator/vitest-runner',
    './scripts/mutants/vitest-runner.mjs',
    './scripts/mutants/session-runner.mjs',
  ],
  vitest: { configFile: 'scripts/mutants/vitest.config.mjs', related: false },
  coverageAnalysis: 'perTest',
  mutate: ['lib/breaker/**/*.ts'],
  // Stryker reads it with an API that TypeScript 7 does not have, and needs it for nothing here.
  tsconfigFile: 'none.json',
  disableTypeChecks: false,
  ignorePatterns: [
    '**',
    '!lib/{breaker,stats}/**',
    '!tests/{breaker,support}/**',
    '!scripts/mutants/**',
    '!package.json',
  ],
  incremental: true,
  incrementalFile: 'reports/mutants/incremental.json',
  reporters: ['progress-append-only', 'json', 'html'],
  jsonReporter: { fileName: 'reports/mutants/mutants.json' },
  htmlReporter: { fileName: 'reports/mutants/mutants.html' },
  tempDirName: '.stryker-tmp',
  concurrency: 2,
  // Longer than one hanging test; most endless loops end by the number of rounds before.
  timeoutMS: 5_000 + Number(process.env['MUTANTS_HANG_MS'] ?? 3_000),
  thresholds: { high: 95, low: 90, break: 90 },
  allowConsoleColors: false,
};
