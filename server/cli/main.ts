/** `recloser`: the console from a terminal. Says what it did for people, or as JSON for scripts. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCli } from './run';

const isInteractive = process.stdin.isTTY && process.stderr.isTTY;

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  out: (line) => process.stdout.write(`${line}\n`),
  error: (line) => process.stderr.write(`${line}\n`),
  ask: isInteractive ? ask : null,
  now: Date.now,
  wait: async (ms) => {
    await wait(ms);
  },
  fetch,
  newKey: randomUUID,
  readFile: (path) => readFileSync(path, 'utf8'),
  // Two folders up in the sources and in the build alike.
  rootDir: fileURLToPath(new URL('../../', import.meta.url)),
});
