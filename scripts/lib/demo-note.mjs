import { join } from 'node:path';
import { root } from './paths.mjs';

export const demoData = join(root, 'data/demo');

/** Where a running demo says how to reach its panel. Addresses only, no secret. */
export const demoNote = join(demoData, 'demo.json');
