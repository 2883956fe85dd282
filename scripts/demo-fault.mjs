// Plain on purpose: an old Node must get as far as the version check.
import { requireSupportedNode } from './lib/node-version.mjs';

requireSupportedNode();
import('./lib/demo-fault.mjs')
  .then(function (command) {
    return command.main(process.argv.slice(2));
  })
  .catch(function (error) {
    console.error(error && error.expected ? error.message : error);
    process.exitCode = 1;
  });
