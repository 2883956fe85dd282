import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from './expected-error.mjs';
import { installAdvice } from './install-advice.mjs';
import { installReason } from './install-decision.mjs';
import { compileEnv, npmCommand } from './npm.mjs';
import { root } from './paths.mjs';
import { progress } from './progress.mjs';
import { runLogged, tail } from './run-logged.mjs';

const modules = join(root, 'node_modules');
const record = join(modules, '.package-lock.json');
const lock = join(root, 'package-lock.json');
const sqlite = join(modules, 'better-sqlite3');

function readFacts() {
  const finished = existsSync(record);
  return {
    hasModules: existsSync(modules),
    installedAt: finished ? statSync(record).mtimeMs : 0,
    lockedAt: statSync(lock).mtimeMs,
    installed: finished ? JSON.parse(readFileSync(record, 'utf8')) : null,
    locked: JSON.parse(readFileSync(lock, 'utf8')),
  };
}

/** Runs `npm ci` when what is installed is not what the lock file says. */
export async function ensureInstalled() {
  const facts = readFacts();
  const reason = installReason(facts);
  if (reason === null) {
    // Spares the comparison next time.
    if (facts.installedAt < facts.lockedAt) utimesSync(record, new Date(), new Date());
    return;
  }
  // NODE_ENV=production would leave out the tools that build the console.
  const npm = npmCommand(['ci', '--include=dev', '--no-audit', '--no-fund']);
  await runNpm(npm, 'npm-ci', `Installing dependencies (${reason})`);
}

/** better-sqlite3 is native: a build for another Node does not load. */
export async function ensureNativeModule() {
  const load = "new (require('better-sqlite3'))(':memory:').close()";
  const probe = spawnSync(process.execPath, ['-e', load], { cwd: root, encoding: 'utf8' });
  if (probe.status === 0) return;
  const npm = npmCommand(['rebuild', 'better-sqlite3']);
  await runNpm(npm, 'npm-rebuild', `Building better-sqlite3 for Node ${process.version}`);
}

async function runNpm(npm, name, title) {
  const shown = progress(title);
  const { code, logFile } = await runLogged(npm.command, npm.args, {
    name,
    shell: npm.shell,
    env: compileEnv(),
    onTick: () => {
      if (isCompiling()) {
        shown.update('Compiling better-sqlite3, no prebuilt binary was found (about a minute)');
      }
    },
  });
  shown.end(code === 0 ? 'done' : 'failed');
  if (code === 0) return;
  const output = readFileSync(logFile, 'utf8');
  throw new ExpectedError(`${tail(logFile)}\n\n${installAdvice(output)}\nWhole log: ${logFile}`);
}

/** node-gyp has written its makefiles and the module is not there yet. */
function isCompiling() {
  const build = join(sqlite, 'build');
  if (!existsSync(join(build, 'Makefile')) && !existsSync(join(build, 'binding.sln'))) return false;
  const release = join(build, 'Release');
  return !existsSync(release) || !readdirSync(release).includes('better_sqlite3.node');
}
