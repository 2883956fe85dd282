/**
 * Makes `dist`, which is the package as it is published: one ESM bundle with `ws` and `zod` left to
 * the service, type declarations that also resolve under `moduleResolution: nodenext`, and a
 * manifest with entry points. The manifest beside this file has none, because every resolver in
 * this repository would take an old `dist` for the sources.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../..');
const dist = join(here, 'dist');

const run = (tool, args) =>
  execFileSync(join(root, 'node_modules/.bin', tool), args, { cwd: here, stdio: 'inherit' });

/** `./x` becomes `./x.js`, or `./x/index.js` for a folder. */
function withExtensions(file) {
  const text = readFileSync(file, 'utf8');
  return text.replaceAll(/(from\s+|import\()(['"])(\.[^'"]*)\2/g, (_match, lead, quote, path) => {
    const folder = existsSync(join(dirname(file), path, 'index.d.ts'));
    const direct = existsSync(join(dirname(file), `${path}.d.ts`));
    const suffix = folder && !direct ? '/index.js' : '.js';
    return `${lead}${quote}${path}${suffix}${quote}`;
  });
}

rmSync(dist, { recursive: true, force: true });
run('esbuild', [
  'index.ts',
  '--bundle',
  '--platform=node',
  '--format=esm',
  '--target=node20',
  '--external:ws',
  '--external:zod',
  '--legal-comments=none',
  '--log-level=warning',
  '--outfile=dist/index.js',
]);
run('tsc', ['-p', 'tsconfig.build.json']);
for (const entry of readdirSync(dist, { recursive: true })) {
  const file = join(dist, entry);
  if (file.endsWith('.d.ts')) writeFileSync(file, withExtensions(file));
}
for (const file of ['LICENSE', 'README.md']) copyFileSync(join(here, file), join(dist, file));

const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const { private: _private, scripts: _scripts, ...published } = manifest;
const entry = { types: './types/agent/index.d.ts', import: './index.js' };
writeFileSync(
  join(dist, 'package.json'),
  `${JSON.stringify({ ...published, exports: { '.': entry } }, null, 2)}\n`,
);
