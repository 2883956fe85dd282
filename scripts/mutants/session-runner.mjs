/* oxlint-disable unicorn/require-post-message-target-origin -- threads have no origin */
/** Stryker's side of the session: a test runner that keeps one vitest for many mutants. */
import { createVitest } from 'vitest/node';

const CHANNEL = 'recloser-mutants';
/** Tests that took longer without a mutant are not shown to any; the score is then a lower bound. */
const SLOWEST_MS = Number(process.env['MUTANTS_SLOWEST_MS'] ?? Infinity);
const VITEST = {
  config: 'scripts/mutants/vitest.config.mjs',
  runner: './scripts/mutants/session.mjs',
  pool: 'threads',
  maxWorkers: 1,
  watch: false,
  reporters: [{}],
};

class SessionRunner {
  #vitest;
  #channel;
  /** @type {Promise<unknown> | null} */
  #running = null;
  #tookMs = new Map();

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    this.#channel = new BroadcastChannel(CHANNEL);
    this.#vitest = await createVitest('test', VITEST);
  }

  async dryRun() {
    await this.#begin(undefined);
    const { results, coverage } = await this.#ask({ do: 'cover' });
    for (const { name, tookMs } of results) this.#tookMs.set(name, tookMs);
    const tests = results.map(({ name, failure, tookMs }) => {
      const test = { id: name, name, timeSpentMs: tookMs };
      return failure === null
        ? { ...test, status: 0 }
        : { ...test, status: 1, failureMessage: failure };
    });
    return { status: 'complete', tests, mutantCoverage: coverage };
  }

  async mutantRun({
    activeMutant: { id },
    mutantActivation,
    reloadEnvironment,
    testFilter,
    hitLimit,
  }) {
    if (mutantActivation === 'static' || reloadEnvironment) return this.#reloaded(id, hitLimit);
    const names = testFilter
      ?.filter((name) => this.#costOf(name) <= SLOWEST_MS)
      .toSorted((a, b) => this.#costOf(a) - this.#costOf(b));
    for (let fresh = this.#running === null; ; fresh = true) {
      if (fresh) await this.#begin(undefined);
      const result = await this.#ask({ do: 'run', activeMutant: id, names, hitLimit });
      if (result.clean) return verdict(result);
      await this.#end();
      // What a mutant before it has left behind is gone now; what it does itself is its own.
      if (fresh) return verdict(result);
    }
  }

  async dispose() {
    await this.#end();
    this.#channel.close();
    await this.#vitest.close();
  }

  /** The mutant is there before the modules load, and the modules go with it. */
  async #reloaded(id, hitLimit) {
    await this.#end();
    const broken = await this.#begin(id);
    if (broken !== null) return verdict({ killer: 'all', failure: broken, ran: 0 });
    const result = await this.#ask({ do: 'run', activeMutant: id, hitLimit });
    await this.#end();
    return verdict(result);
  }

  #costOf(name) {
    return this.#tookMs.get(name) ?? 0;
  }

  /** Answers what keeps the tests from loading, null when nothing does. */
  async #begin(activeMutant) {
    const waiting = this.#next();
    this.#vitest.state.filesMap.clear();
    this.#running = this.#vitest.start();
    await waiting;
    const answer = await this.#ask({ activeMutant });
    if (answer.is !== 'broken') return null;
    await this.#running;
    this.#running = null;
    return answer.message ?? 'the tests do not load';
  }

  async #end() {
    if (this.#running === null) return;
    this.#channel.postMessage({ do: 'end' });
    await this.#running;
    this.#running = null;
  }

  #ask(order) {
    const answer = this.#next();
    this.#channel.postMessage(order);
    return answer;
  }

  #next() {
    return new Promise((resolve) => {
      this.#channel.addEventListener('message', ({ data }) => resolve(data), { once: true });
    });
  }
}

function verdict({ killer, failure, ran, endless = false }) {
  if (killer === null) return { status: 'survived', nrOfTests: ran };
  if (endless) return { status: 'timeout', reason: failure };
  return { status: 'killed', killedBy: [killer], failureMessage: failure, nrOfTests: ran };
}

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'session', factory: () => new SessionRunner() },
];
