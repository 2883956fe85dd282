import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ExpectedError } from './expected-error.mjs';
import { root } from './paths.mjs';
import { progress } from './progress.mjs';
import { runLogged, tail } from './run-logged.mjs';

const APT = 'apt-get';
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FIXED = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Places to look, best first: what was asked for, the system's, then playwright's own.
 * @param {Record<string, string | undefined>} env
 * @param {string | null} playwrightPath
 * @returns {string[]}
 */
export function chromiumCandidates(env, playwrightPath) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return [
    env.RECLOSER_CHROMIUM,
    ...FIXED,
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    playwrightPath,
  ].filter(Boolean);
}

/**
 * A path, or null. Throws when RECLOSER_CHROMIUM names something that cannot be run.
 * @param {Record<string, string | undefined>} env
 * @param {string | null} playwrightPath
 * @param {(path: string) => boolean} usable
 */
export function pickChromium(env, playwrightPath, usable = isExecutable) {
  const wanted = env.RECLOSER_CHROMIUM;
  if (wanted && !usable(wanted)) {
    throw new ExpectedError(`RECLOSER_CHROMIUM is ${wanted}, which cannot be run.`);
  }
  return chromiumCandidates(env, playwrightPath).find(usable) ?? null;
}

async function playwrightOwn() {
  try {
    const { chromium } = await import('playwright-core');
    return chromium.executablePath();
  } catch {
    return null;
  }
}

export async function findChromium() {
  return pickChromium(process.env, await playwrightOwn());
}

/** Ubuntu's package of that name is a pointer to a snap, which a container cannot install. */
function hasDebianPackage() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/os-release')) return false;
  const isDebian = /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  return isDebian && spawnSync(APT, ['--version']).status === 0;
}

async function install() {
  const shown = progress('Installing Chromium for the browser tests');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  let result;
  if (hasDebianPackage()) {
    result = await runLogged(APT, ['update'], { name: 'apt-update', env });
    const packages = ['install', '-y', '--no-install-recommends', 'chromium'];
    result = await runLogged(APT, packages, { name: 'apt-chromium', env });
  } else {
    const cli = join(root, 'node_modules/playwright-core/cli.js');
    const args = [cli, 'install', 'chromium'];
    result = await runLogged(process.execPath, args, { name: 'playwright-chromium' });
  }
  shown.end(result.code === 0 ? 'done' : 'failed');
  if (result.code !== 0) console.error(tail(result.logFile, 8));
}

/** The browser for the tests, installed when there is none. */
export async function ensureChromium() {
  const found = await findChromium();
  if (found) return found;
  await install();
  const installed = await findChromium();
  if (installed) return installed;
  throw new ExpectedError(
    'The browser tests need Chromium. Install it (Debian: apt-get install chromium) or set RECLOSER_CHROMIUM.',
  );
}
