import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logFolder, root } from './paths.mjs';

/** Runs a command with its output in a log file. `onTick` is called every second meanwhile. */
export function runLogged(command, args, { name, env = {}, onTick = () => {}, shell = false }) {
  mkdirSync(logFolder, { recursive: true });
  const logFile = join(logFolder, `${name}.log`);
  const log = createWriteStream(logFile);
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      shell,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    const ticks = setInterval(onTick, 1000);
    // Ctrl-C reaches the whole group on a terminal, a plain SIGTERM only this process.
    const stop = () => child.kill('SIGTERM');
    process.once('SIGTERM', stop);

    const finish = (code, problem) => {
      clearInterval(ticks);
      process.off('SIGTERM', stop);
      if (problem) log.write(`${problem}\n`);
      log.end(() => resolve({ code, logFile }));
    };
    child.once('error', (error) => finish(127, error.message));
    child.once('close', (code) => finish(code ?? 1));
  });
}

export function tail(file, lines = 30) {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}
