import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { elapsed } from './progress.mjs';
import { root } from './paths.mjs';

/** Runs one stage with its output passed through, and reads vitest's own count of its tests. */
export async function runStage(stage, env) {
  const [command, args] = stage.command;
  const folder = mkdtempSync(join(tmpdir(), 'recloser-test-'));
  const reportFile = join(folder, 'report.json');
  const reporting = stage.vitest
    ? ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
    : [];
  const startedAt = Date.now();
  try {
    const code = await runToEnd(command, [...args, ...reporting], env, stage.limitMs);
    const report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : null;
    return {
      name: stage.name,
      status: code === 0 ? 'passed' : 'failed',
      ms: Date.now() - startedAt,
      report,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The child leads its own group, so that a stage that hangs ends with all it started. */
function runToEnd(command, args, env, limitMs) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: process.platform !== 'win32',
    });
    const end = (signal) => endGroup(child, signal);
    const limit = setTimeout(() => {
      console.error(`Stopped after ${elapsed(limitMs)}.`);
      end('SIGKILL');
    }, limitMs);
    const interrupt = (signal) => {
      end(signal);
      process.exit(130);
    };
    process.once('SIGINT', interrupt);
    process.once('SIGTERM', interrupt);

    const finish = (code) => {
      clearTimeout(limit);
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', interrupt);
      resolve(code);
    };
    child.once('error', (error) => {
      console.error(error.message);
      finish(127);
    });
    child.once('exit', (code) => finish(code ?? 1));
  });
}

function endGroup(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It ended in the meantime.
  }
}
