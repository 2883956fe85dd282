import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { root, serverMain } from './paths.mjs';

/** Node flags of a child that must not outlive this process. */
export const childOfOurs = ['--import', pathToFileURL(join(root, 'scripts/parent-watch.mjs')).href];

/** [S-22] In every thread, before the first line of any library runs. */
const NO_PROTO = '--disable-proto=delete';

/** Starts the built server; it stops when this process does, however that happens. */
export function startServer({ args = [], env = {}, stdio = 'inherit' } = {}) {
  return spawn(process.execPath, [...childOfOurs, NO_PROTO, serverMain, ...args], {
    cwd: root,
    stdio,
    env: { ...process.env, ...env },
  });
}

/** Passes signals on and resolves with the exit code of the child. */
export function superviseChild(child) {
  // Ctrl-C on a terminal reaches the child by itself; a second one would mean "at once".
  const relay = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const pass = signals.map((signal) => [
    signal,
    () => relay.includes(signal) && child.kill(signal),
  ]);
  for (const [signal, handler] of pass) process.on(signal, handler);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const [name, handler] of pass) process.off(name, handler);
      resolve(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1));
    });
  });
}
