import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listed, mutated } from './apply.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const COPIED = ['lib/breaker', 'lib/stats', 'tests/breaker', 'tests/support', 'scripts/mutants'];
const TIMEOUT_MS = 600_000;
/** Share of the random histories that each mutant is shown. */
const HISTORIES = '0.1';

/** Applies each mutant whose name contains `word`. Returns the exit code. */
export async function runListed(word) {
  const chosen = listed.filter(({ name }) => name.includes(word));
  if (chosen.length === 0) {
    console.error(`No listed mutant has "${word}" in its name.`);
    return 2;
  }
  const patched = chosen.map((mutant) => ({ ...mutant, source: mutated(root, mutant) }));
  const copy = mkdtempSync(join(tmpdir(), 'recloser-mutants-'));
  try {
    for (const folder of COPIED)
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
    cpSync(join(root, 'package.json'), join(copy, 'package.json'));
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    return report(copy, patched);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function report(copy, mutants) {
  const unharmed = firstFailure(copy);
  if (unharmed !== null) {
    console.error(`Without any mutant a test fails: ${unharmed}`);
    return 1;
  }
  const survivors = [];
  for (const { name, recreates, file, source } of mutants) {
    const path = join(copy, file);
    const original = readFileSync(path);
    writeFileSync(path, source);
    const killer = firstFailure(copy);
    writeFileSync(path, original);
    console.log(`${killer === null ? 'SURVIVED' : 'killed  '}  ${name} (${recreates})`);
    console.log(`          ${killer ?? `in ${file}`}`);
    if (killer === null) survivors.push(name);
  }
  console.log(`\n${mutants.length - survivors.length} of ${mutants.length} killed.`);
  return survivors.length === 0 ? 0 : 1;
}

/** The name of the first test that fails, null when all pass. */
function firstFailure(copy) {
  const output = join(copy, 'result.json');
  rmSync(output, { force: true });
  const { status, error, stderr } = spawnSync(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=scripts/mutants/vitest.config.mjs',
      '--bail=1',
      '--reporter=json',
      `--outputFile=${output}`,
    ],
    {
      cwd: copy,
      timeout: TIMEOUT_MS,
      encoding: 'utf8',
      env: { ...process.env, FC_SHARE: HISTORIES },
    },
  );
  if (status === 0) return null;
  // Vitest answers the signal with an exit of its own.
  if (error !== undefined) return `no end within ${TIMEOUT_MS / 1_000} s`;
  return failureIn(output) ?? `the tests do not load: ${stderr.trim().split('\n')[0]}`;
}

function failureIn(output) {
  let result;
  try {
    result = JSON.parse(readFileSync(output, 'utf8'));
  } catch {
    return null;
  }
  const tests = result.testResults.flatMap(({ assertionResults }) => assertionResults);
  return tests.find(({ status }) => status === 'failed')?.fullName ?? null;
}
