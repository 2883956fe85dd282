/**
 * The mutants that the breaker's specification names: each is a bug that some breaker had.
 * `find` stands in `file` exactly once; `recreates` says which case or weakness comes back.
 */
export const named = [
  {
    name: 'drop the epoch check on settle',
    recreates: 'cases 1, 2, 4, 9; S1',
    file: 'lib/breaker/settle.ts',
    find: 'permit.epoch !== core.record.epoch ||',
    replace: '',
  },
  {
    name: 'drop the epoch check on release only',
    recreates: 'S6, S8',
    file: 'lib/breaker/settle.ts',
    find: 'if (!booked) bookLate(core, permit, outcome, latencyMs);',
    replace: 'core.record.flights.remove(permit); bookLate(core, permit, outcome, latencyMs);',
  },
  {
    name: 'reset the timer on a late failure',
    recreates: 'case 43',
    file: 'lib/breaker/settle.ts',
    find: 'if (!booked) bookLate(core, permit, outcome, latencyMs);',
    replace: `bookLate(core, permit, outcome, latencyMs);
      const { auto } = core.record;
      if (weightOf(outcome) === 'bad' && auto.kind === 'open') {
        core.record = { ...core.record, auto: { ...auto, retryAt: core.now + auto.timeoutMs } };
      }`,
  },
  {
    name: 'count rejections',
    recreates: 'case 53; S3, W54',
    file: 'lib/breaker/outcome.ts',
    find: "rejected_local: 'none'",
    replace: "rejected_local: 'bad'",
  },
  {
    name: '== instead of >=: failures in the window',
    recreates: 'case 61',
    file: 'lib/breaker/rules.ts',
    find: 'totals.failures >= rule.failures &&',
    replace: 'totals.failures === rule.failures &&',
  },
  {
    name: '== instead of >=: the rate',
    recreates: 'case 61',
    file: 'lib/breaker/rules.ts',
    find: 'totals.failures * 10_000 >= rule.rate * totals.calls',
    replace: 'totals.failures * 10_000 === rule.rate * totals.calls',
  },
  {
    name: '== instead of >=: minimum volume',
    recreates: 'case 61',
    file: 'lib/breaker/rules.ts',
    find: 'totals.calls >= rule.minimumCalls &&',
    replace: 'totals.calls === rule.minimumCalls &&',
  },
  {
    name: '== instead of >=: failures in a row',
    recreates: 'case 61',
    file: 'lib/breaker/rules.ts',
    find: 'judge.failuresInRow >= rule.failures',
    replace: 'judge.failuresInRow === rule.failures',
  },
  {
    name: 'rotate one bucket per event',
    recreates: 'case 46; S7',
    file: 'lib/breaker/window.ts',
    find: 'i <= index; i++',
    replace: 'i <= Math.max(this.#latest + 1, index - size + 1); i++',
  },
  {
    name: 'evaluate only on failure',
    recreates: 'case 48',
    file: 'lib/breaker/judging.ts',
    find: 'judge.window.add(at, bits);',
    replace: 'judge.window.add(at, bits); if (!bad) return;',
  },
  {
    name: 'start the step clock at entry',
    recreates: 'W8',
    file: 'lib/breaker/ledger.ts',
    find: 'clockFrom: null,',
    replace: 'clockFrom: at,',
  },
  {
    name: 'ignore pending probes',
    recreates: 'W7',
    file: 'lib/breaker/verdict.ts',
    find: 'return oldest === null ||',
    replace: 'return true || oldest === null ||',
  },
  {
    name: 'modulo sampler',
    recreates: 'W10',
    file: 'lib/breaker/admission.ts',
    find: 'return ledger.credit >= WHOLE;',
    replace:
      'ledger.period = (ledger.period + 1) % 100; return ledger.period * 100 < ledger.share;',
  },
  {
    name: 'level +1 per failed call',
    recreates: 'W4',
    file: 'lib/breaker/settle.ts',
    find: 'ledger.failures++;',
    replace: 'ledger.failures++; core.record = { ...core.record, level: core.record.level + 1 };',
  },
  {
    name: 'level 0 on close',
    recreates: 'W19',
    file: 'lib/breaker/transitions.ts',
    find: 'auto: newClosed(core, at, true),',
    replace: 'auto: newClosed(core, at, true), level: 0,',
  },
  {
    name: 'ignored probe closes',
    recreates: 'case 27; S2',
    file: 'lib/breaker/outcome.ts',
    find: "ignored: 'none'",
    replace: "ignored: 'good'",
  },
  {
    name: 'no expiry',
    recreates: 'case 20; W31',
    file: 'lib/breaker/due.ts',
    find: 'if (flights.oldest !== null) due =',
    replace: 'if (false) due =',
  },
  {
    name: 'wall clock',
    recreates: 'case 77; W18',
    file: 'lib/breaker/config.ts',
    find: 'clock: options.clock ?? defaultEnvironment.clock',
    replace: 'clock: options.wallClock ?? defaultEnvironment.wallClock',
  },
  {
    name: 'callback before commit',
    recreates: 'case 84',
    file: 'lib/breaker/core.ts',
    find: 'emit(core, event.type, event.at, event.reason, event.data, before);',
    replace: `emit(core, event.type, event.at, event.reason, event.data, before);
      const after = core.record;
      core.record = before;
      core.events.flush();
      core.record = after;`,
  },
  {
    name: 'probe results seed CLOSED',
    recreates: 'case 50; W40',
    file: 'lib/breaker/transitions.ts',
    find: 'auto: newClosed(core, at, true),',
    replace: `auto: ((closed) => {
        for (let i = 0; i < halfOpen.ledger.successes; i++) closed.judge.window.add(at, 0);
        return closed;
      })(newClosed(core, at, true)),`,
  },
  {
    name: 'export construction time',
    recreates: 'case 93; S5',
    file: 'lib/breaker/snapshot.ts',
    find: 'takenAtWallMs: core.environment.wallClock(),',
    replace: 'takenAtWallMs: core.environment.wallClock() - now,',
  },
  {
    name: 'option || default: options of the breaker',
    recreates: 'case 74',
    file: 'lib/breaker/config.ts',
    find: 'options.slowMs ?? 1_000',
    replace: 'options.slowMs || 1_000',
  },
  {
    name: 'option || default: open',
    recreates: 'case 74',
    file: 'lib/breaker/config-open.ts',
    find: 'open.stableForMs ?? 60_000',
    replace: 'open.stableForMs || 60_000',
  },
  {
    name: 'option || default: recovery',
    recreates: 'case 74',
    file: 'lib/breaker/config-recovery.ts',
    find: '([, value]) => value !== undefined',
    replace: '([, value]) => value',
  },
  {
    name: 'option || default: latency',
    recreates: 'case 74',
    file: 'lib/breaker/config-recovery.ts',
    find: 'got.maxHoldMs ?? 30_000',
    replace: 'got.maxHoldMs || 30_000',
  },
];
