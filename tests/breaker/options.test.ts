import { describe, expect, it } from 'vitest';
import { BreakerOptionError, CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions, RecoveryOptions } from '@/lib/breaker';
import { bench, D, R, withRecovery } from './support';

function make(options: unknown): CircuitBreaker {
  return new CircuitBreaker('x', { clock: () => 0, ...(options as BreakerOptions) });
}

function zero(recovery: RecoveryOptions) {
  return make({ recovery }).config.recovery;
}

describe('[B100] options', () => {
  it.each([
    ['window.size', { window: { kind: 'count', size: 0 } }],
    ['window.kind', { window: { kind: 'sliding' } }],
    ['window.durationMs', { window: { kind: 'time', durationMs: 0 } }],
    ['trip', { trip: [] }],
    ['trip[0].kind', { trip: [{ kind: 'magic' }] }],
    ['trip[0].rate', { trip: [{ kind: 'ratio', rate: 0, minimumCalls: 0 }] }],
    ['trip[0].rate', { trip: [{ kind: 'ratio', rate: 50, minimumCalls: 5 }] }],
    [
      'trip[0].minimumCalls',
      { window: { kind: 'count', size: 5 }, trip: [{ kind: 'ratio', rate: 0.5, minimumCalls: 6 }] },
    ],
    [
      'trip[1].failures',
      {
        window: { kind: 'count', size: 5 },
        trip: [
          { kind: 'consecutive', failures: 9 },
          { kind: 'count', failures: 6 },
        ],
      },
    ],
    ['trip[0].failures', { trip: [{ kind: 'consecutive', failures: Number.NaN }] }],
    ['open.baseMs', { open: { kind: 'fixed' } }],
    ['open.maxMs', { open: { kind: 'exponential', baseMs: 10_000, maxMs: 9_000 } }],
    ['open.maxMs', { open: { kind: 'fixed', baseMs: 1, maxMs: 9 } }],
    ['open.jitter', { open: { kind: 'fixed', baseMs: 1, jitter: 2 } }],
    ['recovery.admission.kind', { recovery: { admission: { kind: 'canary' } } }],
    [
      'recovery.admission.high',
      { recovery: { admission: { kind: 'adaptive', low: 0.5, high: 0.1, evalEveryMs: 9 } } },
    ],
    [
      'recovery.admission.evalEveryMs',
      { recovery: { admission: { kind: 'adaptive', low: 0.1, high: 1, evalEveryMs: 0 } } },
    ],
    ['recovery.admission.steps', { recovery: { admission: { kind: 'ramp', steps: [] } } }],
    [
      'recovery.admission.steps[1]',
      { recovery: { admission: { kind: 'ramp', steps: [0.5, 0.1] } } },
    ],
    ['recovery.stepMs[1]', { recovery: { stepMs: [1, -1] } }],
    ['recovery.failureBudget', { recovery: { failureBudget: 0 } }],
    ['recovery.failureBudget', { recovery: { failureBudget: 'loose' } }],
    [
      'recovery.decision.successes',
      { recovery: { decision: { kind: 'windowRate', successes: 5, of: 4 } } },
    ],
    [
      'recovery.latency.releaseMultiple',
      { recovery: { latency: { holdMultiple: 2, releaseMultiple: 3 } } },
    ],
    ['recovery.maxInFlight', { recovery: { maxInFlight: 0 } }],
    ['recovery.stepMS', { recovery: { stepMS: 5 } }],
    ['options.tripp', { tripp: [] }],
    ['mode', { mode: 'observe' }],
    ['clock', { clock: 5 }],
    ['callTimeoutMs', { callTimeoutMs: Infinity }],
  ])('%s names itself (%#)', (option, options) => {
    const attempt = () => make(options);
    expect(attempt).toThrow(BreakerOptionError);
    expect(attempt).toThrow(`"${option}" is `);
    expect(attempt).toThrow('it accepts');
  });

  it('the effective options are complete, plain and stable', () => {
    const { config } = make({});
    expect(JSON.parse(JSON.stringify(config))).toEqual(config);
    expect(config).toMatchObject({
      window: { kind: 'time', durationMs: 10_000, buckets: 10 },
      trip: [{ kind: 'ratio', rate: 0.5, minimumCalls: 20 }],
      open: {
        kind: 'exponential',
        baseMs: 10_000,
        multiplier: 2,
        maxMs: 60_000,
        jitter: 0.2,
        minMs: 1_000,
      },
      recovery: {
        admission: { kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] },
        minimumSuccesses: [5, 10, 20, 20],
        guardMs: 30_000,
      },
      normalErrorRate: null,
    });
    expect(make(config.open ? { open: config.open } : {}).config).toEqual(config);
  });

  it('an option that is undefined counts as left out', () => {
    expect(make({ slowMs: undefined, recovery: { stepMs: undefined } }).config).toEqual(
      make({}).config,
    );
  });
});

describe('[case 74] [I33] zero is a value', () => {
  it.each(['stepMs', 'minimumSuccesses', 'pendingLimitMs', 'idempotentWaitMs'] as const)(
    '%s per step',
    (name) => {
      expect(zero({ [name]: 0 })[name]).toEqual([0, 0, 0, 0]);
    },
  );
  it.each([
    'maxStepWaitMs',
    'minProbeIntervalMs',
    'maxInconclusive',
    'probeFloorMs',
    'guardMs',
    'writesFromStep',
  ] as const)('%s', (name) => {
    expect(zero({ [name]: 0 })[name]).toBe(0);
  });
  it.each([
    'slowMs',
    'permitGraceMs',
    'probeTimeoutFraction',
    'maxLoopDelayMs',
    'normalErrorRate',
  ] as const)('%s', (name) => {
    expect(make({ [name]: 0 }).config[name]).toBe(0);
  });
  it.each(['jitter', 'minMs', 'stableForMs', 'maxHintMs'] as const)('open.%s', (name) => {
    expect(make({ open: { kind: 'fixed', baseMs: 10_000, [name]: 0 } }).config.open[name]).toBe(0);
  });

  it('an open time of 0 tries again at once', () => {
    const b = bench({ ...D, open: { kind: 'fixed', baseMs: 0 } });
    b.trip();
    expect(b.breaker.state).toBe('half_open');
  });

  it('[B47] no probe interval lets every arrival through while nothing is in flight', () => {
    const b = bench(withRecovery(R, { minProbeIntervalMs: 0 }));
    b.trip();
    b.adv(10_000);
    for (let i = 0; i < 5; i++) b.acq().success();
    expect(b.status().ledger?.admitted).toBe(5);
  });

  it('a hold of 0 ms falls back at once', () => {
    const b = bench({ ...withRecovery(R, { latency: { maxHoldMs: 0 } }), slowMs: 100 });
    b.trip();
    b.adv(10_000);
    b.acq();
    b.adv(100);
    expect(b.breaker.state).toBe('open');
  });
});
