#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './lib/paths.mjs';

const built = join(root, 'dist/server/recloser.mjs');
if (existsSync(built)) await import(pathToFileURL(built).href);
else {
  console.error('Build first: npm run build');
  process.exitCode = 1;
}
