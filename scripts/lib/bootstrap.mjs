/**
 * From a fresh clone to something that runs: dependencies, native module, build. Each step looks
 * first and is silent when there is nothing to do, so a warm start costs about a tenth of a second.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ExpectedError } from './expected-error.mjs';
import { ensureInstalled, ensureNativeModule } from './install.mjs';
import { root } from './paths.mjs';
import { childOfOurs } from './server-process.mjs';

export async function prepareDependencies() {
  await ensureInstalled();
  await ensureNativeModule();
}

/** `scripts/build.mjs` skips what has not changed. */
export async function build() {
  const code = await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...childOfOurs, join(root, 'scripts/build.mjs')], {
      cwd: root,
      stdio: 'inherit',
    });
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new ExpectedError('The build failed; its output is above.');
}

export async function prepare() {
  await prepareDependencies();
  await build();
}
