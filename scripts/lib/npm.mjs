import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './paths.mjs';

/**
 * The npm that started this script if one did, else the one on the path.
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 */
export function npmCommand(args, env = process.env) {
  const script = env.npm_execpath;
  if (script && /npm-cli\.c?js$/.test(script)) {
    return { command: process.execPath, args: [script, ...args], shell: false };
  }
  return { command: 'npm', args, shell: process.platform === 'win32' };
}

/**
 * Where this Node keeps its own headers. With them better-sqlite3 compiles without fetching any,
 * which matters behind a firewall.
 */
export function nodeHeaders(execPath = process.execPath) {
  const prefix = dirname(dirname(execPath));
  return existsSync(join(prefix, 'include/node/node.h')) ? prefix : null;
}

export function compileEnv() {
  const headers = nodeHeaders();
  if (headers === null || process.env.npm_config_nodedir) return {};
  return { npm_config_nodedir: headers };
}

/**
 * The command line tool of an installed package, run by this Node.
 * @param {string} path
 * @param {...string} args
 * @returns {[command: string, args: string[]]}
 */
export function tool(path, ...args) {
  return [process.execPath, [join(root, 'node_modules', path), ...args]];
}
