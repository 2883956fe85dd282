/**
 * Builds the pages (Next) and the server (one file). Does nothing when no input has changed since
 * the last build that went well; `--force` builds all the same.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requireSupportedNode } from './lib/node-version.mjs';
import { tool } from './lib/npm.mjs';
import { root, serverMain } from './lib/paths.mjs';
import { progress } from './lib/progress.mjs';
import { runLogged, tail } from './lib/run-logged.mjs';
import { serverFunctionProblem } from './lib/server-functions.mjs';

const STAMP = join(root, 'dist/build.json');
const SHARED = ['lib', 'package-lock.json', 'tsconfig.json', 'scripts/build.mjs'];
const PAGES = ['app', 'components', 'next.config.ts', ...SHARED];
const SERVER = ['server', ...SHARED];
const SKIP = /^(node_modules|dist|\..*)$|\.(md|tsbuildinfo)$/;

function filesUnder(path) {
  const full = join(root, path);
  if (!existsSync(full)) return [];
  const entries = (() => {
    try {
      return readdirSync(full, { withFileTypes: true });
    } catch {
      return null;
    }
  })();
  if (entries === null) return [path];
  return entries
    .filter((entry) => !SKIP.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesUnder(join(path, entry.name)));
}

/** Of names and contents; times say nothing after a clone or a checkout. */
function hashOf(paths) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const file of paths.flatMap(filesUnder)) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamp(stamp) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(STAMP, `${JSON.stringify(stamp, null, 2)}\n`);
}

async function buildPages() {
  const line = progress('Building the pages');
  const [command, args] = tool('next/dist/bin/next', 'build');
  const { code, logFile } = await runLogged(command, args, {
    name: 'build',
    env: { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  });
  line.end(code === 0 ? 'done' : 'failed');
  if (code === 0) return;
  console.error(
    `${tail(logFile, 40)}\n\nThe pages could not be built; all output is in ${logFile}.`,
  );
  process.exit(1);
}

/** [S-07] A Server Function is a door of its own; the console has none and must not grow one. */
function refuseServerFunctions() {
  const file = join(root, '.next/server/server-reference-manifest.json');
  const problem = serverFunctionProblem(readFileSync(file, 'utf8'));
  if (problem === null) return;
  console.error(problem);
  process.exit(1);
}

async function bundleServer() {
  const line = progress('Bundling the server');
  const { build } = await import('esbuild');
  rmSync(dirname(serverMain), { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'server/main.ts',
      'audit-verify': 'server/audit-verify.ts',
      recloser: 'server/cli/main.ts',
    },
    outdir: dirname(serverMain),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported late is loaded late.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    tsconfig: 'tsconfig.json',
    sourcemap: true,
    sourcesContent: false,
    logLevel: 'warning',
  });
  line.end();
}

async function main() {
  requireSupportedNode();
  const force = process.argv.includes('--force');
  const stamp = force ? {} : readStamp();
  const wanted = { pages: hashOf(PAGES), server: hashOf(SERVER) };
  const hasPages = existsSync(join(root, '.next/BUILD_ID'));
  if (stamp.pages !== wanted.pages || !hasPages) {
    await buildPages();
    refuseServerFunctions();
    writeStamp({ ...stamp, pages: wanted.pages });
  }
  if (stamp.server !== wanted.server || !existsSync(serverMain)) await bundleServer();
  writeStamp(wanted);
}

main().catch((error) => {
  console.error(error && error.expected ? error.message : error);
  process.exitCode = 1;
});
