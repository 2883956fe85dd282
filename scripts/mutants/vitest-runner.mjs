/**
 * Stryker's vitest runner with one rule more: a mutant that met no test has not survived.
 *
 * The original says it has, both when vitest lost the run (it happens after an aborted one, and
 * another try helps) and when the mutant kept the tests from loading, which is a kill.
 */
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';

const TRIES = 3;
const [vitest] = /** @type {any[]} */ (vitestPlugins);

function create(injector) {
  const runner = vitest.factory(injector);
  const mutantRun = runner.mutantRun.bind(runner);
  runner.mutantRun = async (options) => {
    let result = await mutantRun(options);
    for (let i = 1; i < TRIES && metNoTest(result); i++) {
      const broken = loadFailure(runner);
      if (broken !== null)
        return { status: 'killed', killedBy: [], failureMessage: broken, nrOfTests: 0 };
      result = await mutantRun(options);
    }
    if (metNoTest(result)) {
      return { status: 'error', errorMessage: `no test ran in ${TRIES} tries` };
    }
    return result;
  };
  return runner;
}
create.inject = vitest.factory.inject;

function metNoTest(result) {
  return result.status === 'survived' && result.nrOfTests === 0;
}

function loadFailure(runner) {
  const failed = runner.ctx.state.getFiles().find((file) => file.result?.state === 'fail');
  return failed === undefined ? null : `does not load: ${failed.result.errors?.[0]?.message}`;
}

export const strykerPlugins = [{ ...vitest, name: 'vitest-that-ran', factory: create }];
