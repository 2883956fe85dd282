import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const serverMain = join(root, 'dist/server/main.mjs');
export const logFolder = join(root, 'data/logs');
