/**
 * Who may import whom. Each rule lists what a folder may reach; anything else of ours is an error.
 * `tests/tooling/boundaries.test.ts` proves that every rule fires.
 */
const OURS = '^(app|components|server|lib|examples|bench|tests|scripts|drizzle)/';

/** A folder that may import only itself and the listed folders of ours. */
function only(name, folder, allowed = []) {
  const reachable = [folder, ...allowed].map((path) => `^${path}(/|\\.|$)`);
  return {
    name,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: { path: OURS, pathNot: reachable },
  };
}

/** A folder that may import only the listed packages (and Node when `node` is set). */
function packages(name, folder, allowed, { node = false } = {}) {
  const names = allowed.map((pkg) => `node_modules/${pkg}(/|$)`);
  return {
    name,
    severity: 'error',
    from: { path: `^${folder}/` },
    to: {
      dependencyTypes: [
        'npm',
        'npm-dev',
        'npm-optional',
        'npm-peer',
        'unknown',
        'npm-no-pkg',
        ...(node ? [] : ['core']),
      ],
      ...(names.length > 0 ? { pathNot: names } : {}),
    },
  };
}

module.exports = {
  forbidden: [
    only('breaker-is-pure', 'lib/breaker', ['lib/stats']),
    only('stats-is-pure', 'lib/stats'),
    only('series-is-pure', 'lib/series'),
    packages('breaker-no-packages', 'lib/breaker', []),
    packages('stats-no-packages', 'lib/stats', []),
    packages('series-no-packages', 'lib/series', []),

    only('protocol-reach', 'lib/protocol', ['lib/breaker', 'lib/stats']),
    packages('protocol-packages', 'lib/protocol', ['zod']),

    only('audit-reach', 'lib/audit', ['lib/protocol']),
    packages('audit-packages', 'lib/audit', []),

    only('live-reach', 'lib/live', ['lib/protocol', 'lib/breaker', 'lib/stats']),
    only('diagnosis-reach', 'lib/diagnosis', ['lib/protocol', 'lib/breaker', 'lib/stats']),
    packages('diagnosis-packages', 'lib/diagnosis', []),
    only('agent-reach', 'lib/agent', ['lib/breaker', 'lib/protocol', 'lib/stats']),
    packages('agent-packages', 'lib/agent', ['ws', '@types/ws', 'zod', '@types/node'], {
      node: true,
    }),

    only('client-reach', 'lib/client', ['lib/live', 'lib/series', 'lib/protocol']),
    packages('client-packages', 'lib/client', [
      'react',
      '@types/react',
      '@tanstack/react-query',
      'zod',
    ]),

    only('components-reach', 'components', [
      'lib/client',
      'lib/series',
      'lib/protocol',
      'lib/diagnosis',
    ]),
    only('app-reach', 'app', ['components']),

    only('store-reach', 'server/store', ['lib/protocol', 'lib/audit']),
    packages(
      'store-packages',
      'server/store',
      ['drizzle-orm', 'better-sqlite3', '@types/better-sqlite3', '@types/node'],
      { node: true },
    ),
    only('bus-reach', 'server/bus', ['lib/protocol']),
    only('services-reach', 'server/services', [
      'server/store/port',
      'server/bus/port',
      'lib/protocol',
      'lib/audit',
      'lib/breaker',
      'lib/stats',
      'lib/live',
      'lib/series',
      'lib/incidents',
      'lib/diagnosis',
    ]),
    only('gateways-reach', 'server/gateways', [
      'server/services',
      'server/auth',
      'server/bus/port',
      'lib/protocol',
      'lib/live',
    ]),
    only('simulator-reach', 'server/simulator', [
      'server/gateways/socket',
      'server/gateways/agent/deps',
      'server/services/simulator/contract',
      'lib/agent',
      'lib/breaker',
      'lib/protocol',
    ]),
    only('http-reach', 'server/http', [
      'server/services',
      'server/auth',
      'server/bus/port',
      'lib/protocol',
      'lib/live',
    ]),
    only('auth-reach', 'server/auth', [
      'server/services',
      'server/store/port',
      'server/bus/port',
      'lib/protocol',
    ]),
    {
      name: 'sql-in-store',
      comment: 'SQL lives in server/store.',
      severity: 'error',
      from: { path: '^(app|components|server|lib)/', pathNot: '^server/store/' },
      to: { path: 'node_modules/(drizzle-orm|better-sqlite3)/' },
    },
    {
      name: 'next-in-main',
      comment: 'Only the composition root, the page host and the pages know Next.',
      severity: 'error',
      from: {
        path: '^(components|server|lib)/',
        pathNot: '^server/(main|pages)\\.ts$|^components/',
      },
      to: { path: 'node_modules/next/' },
    },
    {
      name: 'nobody-imports-examples-tests-bench',
      severity: 'error',
      from: { path: '^(app|components|server|lib)/' },
      to: { path: '^(examples|tests|bench|scripts)/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(lib/agent/dist|\\.next|node_modules/\\.)' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.json', '.css', '.d.ts'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
