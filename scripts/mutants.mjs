/**
 * Breaks the breaker on purpose and shows that its tests notice.
 *
 *     npm run mutants -- listed            the bugs that other breakers had, one patch each
 *     npm run mutants -- listed "epoch"    those whose name contains the word
 *     npm run mutants -- tool              Stryker's own mutants over lib/breaker, about an hour
 *     npm run mutants -- tool window.ts    those of some files of lib/breaker
 *
 * Both work on copies. `docs/testing.md` says what the figures mean.
 */
import { setPriority } from 'node:os';
import { runListed } from './mutants/run-listed.mjs';
import { runTool } from './mutants/run-tool.mjs';

const USAGE =
  'Say which mutants: npm run mutants -- listed [word], or -- tool [file of lib/breaker ...]';

const [part, ...rest] = process.argv.slice(2);
const parts = { listed: () => runListed(rest[0] ?? ''), tool: () => runTool(rest) };

// Hours of processor time that nobody waits for.
setPriority(10);
if (part !== undefined && Object.hasOwn(parts, part)) process.exitCode = await parts[part]();
else {
  console.error(USAGE);
  process.exitCode = 2;
}
