/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
/**
 * Vitest's runner in its worker thread, made to stay: it collects the tests once and then runs those
 * it is asked for, mutant after mutant. Starting vitest again for each of them costs ten times more
 * than the tests that kill it.
 */
import { getFn, getHooks } from 'vitest/suite';
import { VitestTestRunner } from 'vitest/runners';

const CHANNEL = 'recloser-mutants';

/** What Stryker's instrumented code looks at. */
const state = (globalThis.__stryker__ ??= {});

export default class SessionRunner extends VitestTestRunner {
  #channel = new BroadcastChannel(CHANNEL);
  #tests = new Map();

  /** Code that runs while modules load must find its mutant active, so that this comes first. */
  async onBeforeCollect() {
    const begin = this.#next();
    this.#channel.postMessage({ is: 'waiting' });
    state.activeMutant = (await begin).activeMutant;
  }

  async onCollected(files) {
    const [file] = files;
    if (file.result?.state === 'fail') {
      this.#channel.postMessage({ is: 'broken', message: file.result.errors?.[0]?.message });
    } else {
      this.#tests = new Map(files.flatMap((one) => testsIn(one, '')));
      let request = this.#next();
      this.#channel.postMessage({ is: 'ready', names: [...this.#tests.keys()] });
      for (let order = await request; order.do !== 'end'; order = await request) {
        request = this.#next();
        this.#channel.postMessage(await this.#answer(order));
      }
    }
    this.#channel.close();
    for (const one of files) one.mode = 'skip';
    for (const test of this.#tests.values()) test.mode = 'skip';
  }

  #next() {
    return new Promise((resolve) => {
      this.#channel.addEventListener('message', ({ data }) => resolve(data), { once: true });
    });
  }

  #answer(order) {
    return order.do === 'cover' ? this.#cover() : this.#run(order);
  }

  /** All tests without a mutant: how long each takes and which mutants it meets. */
  async #cover() {
    const results = [];
    for (const name of this.#tests.keys()) {
      state.currentTestId = name;
      const start = performance.now();
      const failure = await this.#fails(name);
      results.push({ name, failure, tookMs: performance.now() - start });
      state.currentTestId = undefined;
    }
    return { is: 'covered', results, coverage: state.mutantCoverage };
  }

  /** Until one fails. It has to pass again without the mutant, or the mutant has left something behind. */
  async #run({ activeMutant, names, hitLimit }) {
    let ran = 0;
    state.hitCount = 0;
    state.hitLimit = hitLimit;
    for (const name of names ?? this.#tests.keys()) {
      ran++;
      state.activeMutant = activeMutant;
      const failure = await this.#fails(name);
      if (names !== undefined) state.activeMutant = undefined;
      if (failure === null) continue;
      const endless = state.hitLimit !== undefined && state.hitCount > state.hitLimit;
      const clean = names === undefined || (await this.#fails(name)) === null;
      return { is: 'ran', killer: name, failure, ran, endless, clean };
    }
    return { is: 'ran', killer: null, ran, clean: true };
  }

  async #fails(name) {
    const test = this.#tests.get(name);
    const around = suitesAround(test);
    let failure = null;
    try {
      for (const suite of around) await callAll(getHooks(suite).beforeEach);
      await getFn(test)();
    } catch (error) {
      failure = String(error?.message ?? error);
    }
    for (const suite of around.toReversed()) await callAll(getHooks(suite).afterEach);
    return failure;
  }
}

/** Outermost first. */
function suitesAround({ suite, file }) {
  return suite === undefined ? [file] : [...suitesAround(suite), suite];
}

async function callAll(hooks) {
  for (const hook of hooks) await hook();
}

function testsIn(task, prefix) {
  return task.tasks.flatMap((inner) => {
    const name = prefix === '' ? inner.name : `${prefix} > ${inner.name}`;
    if (inner.type === 'suite') return testsIn(inner, name);
    return inner.mode === 'run' ? [[name, inner]] : [];
  });
}
