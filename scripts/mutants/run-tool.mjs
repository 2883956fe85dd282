import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explain } from './explained.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const REPORT = 'reports/mutants/mutants.json';
/** Share of the random histories inside other suites that each mutant is shown. */
const HISTORIES = '0.05';

/** Runs Stryker over all of lib/breaker or over `files` of it. Returns the exit code. */
export async function runTool(files) {
  const only = files.map((file) => `lib/breaker/${file.replace(/^lib\/breaker\//, '')}`);
  const { status } = spawnSync(
    process.execPath,
    [
      'node_modules/@stryker-mutator/core/bin/stryker.js',
      'run',
      'scripts/mutants/stryker.config.mjs',
      ...(only.length > 0 ? ['--mutate', only.join(',')] : []),
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, FC_SHARE: HISTORIES, MUTANTS_TESTS: 'quick-tests' },
    },
  );
  if (status === null) return 1;
  const open = report(JSON.parse(readFileSync(join(root, REPORT), 'utf8')));
  return status !== 0 || open > 0 ? 1 : 0;
}

/** A line per file, then the survivors that nobody has explained. Returns their number. */
function report({ files }) {
  const total = { killed: 0, all: 0, explained: 0 };
  const open = [];
  console.log(
    '\n| File | Mutants | Killed | Score | Explained |\n| --- | ---: | ---: | ---: | ---: |',
  );
  for (const [file, { source, mutants }] of Object.entries(files).toSorted(byName)) {
    const counted = mutants.filter(({ status }) => status in counts);
    const left = counted.filter(({ status }) => !counts[status]);
    const unknown = left.filter((mutant) => explain(file, source, mutant) === null);
    open.push(...unknown.map((mutant) => describe(file, source, mutant)));
    const row = { killed: counted.length - left.length, all: counted.length };
    print(file, { ...row, explained: left.length - unknown.length });
    total.killed += row.killed;
    total.all += row.all;
    total.explained += left.length - unknown.length;
  }
  print('all', total);
  console.log(`\nNeither killed nor explained: ${open.length}`);
  for (const line of open) console.log(line);
  return open.length;
}

function byName([a], [b]) {
  return a < b ? -1 : 1;
}

/** Whether a mutant that ended so was noticed. */
const counts = { Killed: true, Timeout: true, Survived: false, NoCoverage: false };

function print(name, { killed, all, explained }) {
  const score = all === 0 ? '–' : `${((100 * killed) / all).toFixed(1)} %`;
  console.log(`| ${name} | ${all} | ${killed} | ${score} | ${explained} |`);
}

function describe(file, source, { location, mutatorName, replacement, status }) {
  const { line, column } = location.start;
  const code = source.split('\n')[line - 1]?.trim();
  return `${file}:${line}:${column} ${status} ${mutatorName}: ${code} -> ${replacement}`;
}
