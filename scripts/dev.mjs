/** The server from its sources: pages are compiled on demand, a change of the server restarts it. */
import { spawn } from 'node:child_process';
import { requireSupportedNode } from './lib/node-version.mjs';
import { tool } from './lib/npm.mjs';
import { root } from './lib/paths.mjs';
import { superviseChild } from './lib/server-process.mjs';

requireSupportedNode();

const [command, args] = tool('tsx/dist/cli.mjs', 'watch', '--clear-screen=false', 'server/main.ts');
const child = spawn(command, [...args, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
});
process.exitCode = await superviseChild(child);
