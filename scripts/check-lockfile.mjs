/** [S-40] Ends with 1 and says why when `package-lock.json` or what is installed is not as it must be. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installedProblems, lockProblems } from './lib/lockfile.mjs';
import { root } from './lib/paths.mjs';

const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const INSTALLED = 'node_modules/.package-lock.json';

const lock = read('package-lock.json');
const problems = [
  ...lockProblems(read('package.json'), lock),
  ...(existsSync(join(root, INSTALLED)) ? installedProblems(lock, read(INSTALLED)) : []),
];
if (problems.length > 0) {
  console.error(`package-lock.json:\n${problems.map((one) => `  ${one}`).join('\n')}`);
  process.exitCode = 1;
}
