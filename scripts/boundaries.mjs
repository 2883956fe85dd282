/**
 * dependency-cruiser over the whole tree, or over the folders named.
 *
 * It reads sources with swc, because TypeScript 7 has no JavaScript API, and it asks swc for plain
 * TypeScript whatever the file is called; a component is a syntax error then. So swc is told here.
 */
import { createRequire } from 'node:module';
import process from 'node:process';

const FOLDERS = ['app', 'components', 'server', 'lib', 'examples', 'bench', 'tests', 'scripts'];

const swc = createRequire(import.meta.url)('@swc/core');
const parseFile = swc.parseFileSync;
swc.parseFileSync = (file, options) => parseFile(file, { ...options, tsx: /\.[jt]sx$/.test(file) });

const args = process.argv.slice(2);
const named = args.some((arg) => !arg.startsWith('-'));
process.argv.push('--config=.dependency-cruiser.cjs', ...(named ? [] : FOLDERS));

await import('../node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
