/**
 * Writes the parts of the documentation that are made from code: `node --import tsx scripts/docs.ts`.
 * `tests/tooling/docs.test.ts` fails while they are out of date.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machineDiagram } from './lib/machine-doc';
import { peersDocument } from './lib/peers-doc';

const root = new URL('../', import.meta.url);
const peers = fileURLToPath(new URL('docs/peers.md', root));
const breaker = fileURLToPath(new URL('docs/breaker.md', root));

writeFileSync(peers, peersDocument());
const [before = '', after = ''] = readFileSync(breaker, 'utf8').split(/```mermaid[\s\S]*?```/);
writeFileSync(breaker, `${before}${machineDiagram()}${after}`);
execFileSync(fileURLToPath(new URL('node_modules/.bin/oxfmt', root)), [peers, breaker], {
  stdio: 'inherit',
});
