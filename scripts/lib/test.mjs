/** `npm test`: every check in sequence. `npm test -- unit lint` runs the named ones. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDependencies } from './bootstrap.mjs';
import { ensureChromium, findChromium } from './chromium.mjs';
import { ExpectedError } from './expected-error.mjs';
import { tool } from './npm.mjs';
import { root } from './paths.mjs';
import { elapsed } from './progress.mjs';
import { runStage } from './run-stage.mjs';
import { chooseStages, STAGES } from './stages.mjs';
import { summaryLine, summaryTable } from './summary.mjs';

export async function main(args) {
  if (args.includes('--help') || args.includes('-h')) return help();
  const stages = choose(args);
  const startedAt = Date.now();
  await prepareDependencies();
  generateNextTypes();
  const env = await browserEnv(stages);

  const results = [];
  for (const stage of stages) {
    console.log(`\n━━ ${stage.title} (${stage.name})`);
    const blocked = results.some(({ name, status }) => name === stage.needs && status !== 'passed');
    if (blocked) console.log(`Not run: it needs ${stage.needs}.`);
    const result = blocked
      ? { name: stage.name, status: 'not run', ms: 0, report: null }
      : await runStage(stage, env);
    if (!blocked) console.log(`━━ ${stage.name} ${result.status} in ${elapsed(result.ms)}`);
    results.push(result);
  }

  console.log(`\n${summaryTable(results)}\nAll in ${elapsed(Date.now() - startedAt)}`);
  console.log(summaryLine(results));
  if (results.some(({ status }) => status !== 'passed')) process.exitCode = 1;
}

function choose(args) {
  try {
    return chooseStages(args);
  } catch (error) {
    throw new ExpectedError(error.message);
  }
}

function help() {
  const lines = STAGES.map(({ name, title }) => `  ${name.padEnd(12)} ${title}`);
  console.log(`npm test [-- stage …]\n\n${lines.join('\n')}`);
}

/** A fresh clone lacks what Next writes on its first start, and style sheets have no type then. */
function generateNextTypes() {
  if (existsSync(join(root, 'next-env.d.ts'))) return;
  const [command, args] = tool('next/dist/bin/next', 'typegen');
  const result = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  });
  if (result.status !== 0) console.error(result.stderr || result.stdout);
}

async function browserEnv(stages) {
  const needed = stages.some((stage) => stage.browser);
  const path = needed ? await ensureChromium() : await findChromium();
  return path ? { RECLOSER_CHROMIUM: path } : {};
}
