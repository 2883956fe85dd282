/**
 * The committed migrations are sound (`drizzle-kit check`), and generating from the schema would
 * add nothing. The generator writes, so it is given a copy.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './lib/paths.mjs';
import { tool } from './lib/npm.mjs';

const SCHEMA = './server/store/sqlite/schema.ts';

function drizzleKit(...args) {
  const [command, rest] = tool('drizzle-kit/bin.cjs', ...args);
  const result = spawnSync(command, rest, { cwd: root, encoding: 'utf8' });
  return { code: result.status ?? 1, output: `${result.stdout}${result.stderr}` };
}

const sqlFiles = (folder) => readdirSync(folder).filter((name) => name.endsWith('.sql'));

function main() {
  const checked = drizzleKit('check');
  if (checked.code !== 0) return checked.output;

  const copy = mkdtempSync(join(root, 'node_modules/.migrations-'));
  try {
    cpSync(join(root, 'drizzle'), copy, { recursive: true });
    const before = sqlFiles(copy);
    const generated = drizzleKit(
      'generate',
      '--dialect=sqlite',
      `--schema=${SCHEMA}`,
      `--out=${relative(root, copy)}`,
    );
    if (generated.code !== 0) return generated.output;
    const added = sqlFiles(copy).filter((name) => !before.includes(name));
    if (added.length > 0) return 'The schema has changes without a migration: npm run db:generate';
    return null;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const problem = main();
if (problem !== null) {
  console.error(problem);
  process.exitCode = 1;
}
