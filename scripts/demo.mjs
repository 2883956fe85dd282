// Plain on purpose: an old Node must get as far as the version check.
import { requireSupportedNode } from './lib/node-version.mjs';

requireSupportedNode();
// npm does not pass a SIGTERM on to its scripts; without this they would outlive it.
if (process.env.npm_lifecycle_event) void import('./parent-watch.mjs');
import('./lib/demo.mjs')
  .then(function (command) {
    return command.main(process.argv.slice(2));
  })
  .catch(function (error) {
    console.error(error && error.expected ? error.message : error);
    process.exitCode = 1;
  });
