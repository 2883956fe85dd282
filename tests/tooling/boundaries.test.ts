/** Every rule of `.dependency-cruiser.cjs` fires on a small tree made to break it, and on nothing else. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type Violation = { rule: { name: string }; from: string };

const root = fileURLToPath(new URL('../..', import.meta.url));
const config: { forbidden: { name: string }[] } = createRequire(import.meta.url)(
  join(root, '.dependency-cruiser.cjs'),
);

/** By rule: a file and what it must not import. */
const forbidden: Record<string, readonly [file: string, imports: string]> = {
  'breaker-is-pure': ['lib/breaker/bad.ts', '../protocol/good'],
  'stats-is-pure': ['lib/stats/bad.ts', '../breaker/good'],
  'series-is-pure': ['lib/series/bad.ts', '../stats/good'],
  'breaker-no-packages': ['lib/breaker/bad-package.ts', 'node:fs'],
  'stats-no-packages': ['lib/stats/bad-package.ts', 'zod'],
  'series-no-packages': ['lib/series/bad-package.ts', 'react'],
  'protocol-reach': ['lib/protocol/bad.ts', '../live/good'],
  'protocol-packages': ['lib/protocol/bad-package.ts', 'ws'],
  'audit-reach': ['lib/audit/bad.ts', '../live/good'],
  'audit-packages': ['lib/audit/bad-package.ts', 'node:crypto'],
  'diagnosis-reach': ['lib/diagnosis/bad.ts', '../client/good'],
  'diagnosis-packages': ['lib/diagnosis/bad-package.ts', 'node:crypto'],
  'live-reach': ['lib/live/bad.ts', '../client/good'],
  'agent-reach': ['lib/agent/bad.ts', '../live/good'],
  'agent-packages': ['lib/agent/bad-package.ts', 'pino'],
  'client-reach': ['lib/client/bad.ts', '../agent/good'],
  'client-packages': ['lib/client/bad-package.ts', 'ws'],
  'components-reach': ['components/bad.tsx', '@/lib/live/good'],
  'app-reach': ['app/bad.ts', '@/lib/client/good'],
  'store-reach': ['server/store/bad.ts', '../services/good'],
  'store-packages': ['server/store/bad-package.ts', 'hono'],
  'bus-reach': ['server/bus/bad.ts', '../store/good'],
  'services-reach': ['server/services/bad.ts', '../store/good'],
  'gateways-reach': ['server/gateways/bad.ts', '../store/good'],
  'simulator-reach': ['server/simulator/bad.ts', '../http/good'],
  'http-reach': ['server/http/bad.ts', '../gateways/good'],
  'auth-reach': ['server/auth/bad.ts', '../http/good'],
  'sql-in-store': ['server/services/bad-sql.ts', 'better-sqlite3'],
  'next-in-main': ['server/http/bad-next.ts', 'next/server'],
  'nobody-imports-examples-tests-bench': ['lib/live/bad-example.ts', '@/examples/good'],
  'no-cycles': ['lib/live/circle-a.ts', './circle-b'],
};

/** Imports that the table in the architecture allows; none of them may be reported. */
const allowed: readonly (readonly [file: string, imports: string])[] = [
  ['lib/breaker/fine.ts', '../stats/good'],
  ['lib/protocol/fine.ts', 'zod'],
  ['lib/agent/fine.ts', 'ws'],
  ['lib/agent/fine-node.ts', 'node:crypto'],
  ['lib/client/fine.ts', '../live/good'],
  ['components/fine.ts', '@/lib/client/good'],
  ['components/fine-next.ts', 'next/link'],
  ['app/fine.ts', '@/components/good'],
  ['server/store/fine.ts', 'better-sqlite3'],
  ['server/store/fine-audit.ts', '@/lib/audit/good'],
  ['server/services/fine.ts', '@/lib/incidents/good'],
  ['server/services/fine-port.ts', '../store/port'],
  ['server/gateways/fine.ts', '../services/good'],
  ['server/http/fine.ts', '../auth/good'],
  ['server/main.ts', 'next'],
  ['examples/fine.ts', '@/lib/agent/good'],
  ['tests/fine.ts', '@/server/store/good'],
];

const folders = [
  'app',
  'components',
  'examples',
  'bench',
  'tests',
  'scripts',
  ...['breaker', 'stats', 'series', 'protocol', 'audit', 'live', 'agent'].map(
    (name) => `lib/${name}`,
  ),
  ...['client', 'incidents', 'diagnosis'].map((name) => `lib/${name}`),
  ...['store', 'bus', 'services', 'gateways', 'http', 'auth'].map((name) => `server/${name}`),
];

let tree = '';
let violations: Violation[] = [];

function write(file: string, text: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  writeFileSync(join(tree, file), text);
}

beforeAll(async () => {
  tree = mkdtempSync(join(tmpdir(), 'recloser-boundaries-'));
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json']) {
    cpSync(join(root, name), join(tree, name));
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  for (const folder of folders) write(`${folder}/good.ts`, 'export const good = 1;\n');
  write('server/store/port.ts', 'export type Store = object;\n');
  write('lib/live/circle-b.ts', "import './circle-a';\n");
  for (const [file, imports] of [...Object.values(forbidden), ...allowed]) {
    // A component is not plain TypeScript; the tool must read it all the same.
    const markup = file.endsWith('.tsx') ? 'export const Bad = () => <b title="x" />;\n' : '';
    write(file, `import '${imports}';\n${markup}`);
  }

  const cli = join(root, 'scripts/boundaries.mjs');
  const top = [...new Set(folders.map((folder) => folder.split('/')[0] ?? folder))];
  const args = [cli, '--output-type=json', ...top];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: tree,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string }) => error);
  violations = JSON.parse(stdout).summary.violations;
}, 60_000);

afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe('the boundary rules', () => {
  it('are all tried here', () => {
    expect(Object.keys(forbidden).sort()).toEqual(config.forbidden.map(({ name }) => name).sort());
  });

  it.each(Object.entries(forbidden))('%s fires', (rule, [file]) => {
    const fired = violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);
    expect(fired).toContain(rule);
  });

  it.each(allowed)('%s may import %s', (file) => {
    expect(violations.filter(({ from }) => from === file)).toEqual([]);
  });
});
