import { prepare } from './bootstrap.mjs';
import { startServer, superviseChild } from './server-process.mjs';

export async function main(args) {
  await prepare();
  process.exitCode = await superviseChild(startServer({ args }));
}
