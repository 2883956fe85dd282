/** Three libraries behind one set of words, so that a situation is written once. */
import {
  bulkhead,
  circuitBreaker,
  CircuitState,
  CountBreaker,
  ExponentialBackoff,
  handleWhen,
  noJitterGenerator,
  SamplingBreaker,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';
import Opossum from 'opossum';
import { vi } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { RecoveryOptions } from '@/lib/breaker';
import { classic } from '../support';
import { Ignored, type LibraryName, type Plan } from './plan';

type Work<T> = (signal: AbortSignal | undefined) => Promise<T>;

export type Library = {
  run<T>(work: Work<T>, signal?: AbortSignal): Promise<T>;
  state(): string;
  opened(): number;
  /** An operator holds it open; what is returned lets go. */
  holdOpen(): () => void;
};

const OPEN_MS = 10_000;

function recloser(plan: Plan): Library {
  const recovery: RecoveryOptions = plan.ramp ? {} : classic;
  const breaker = new CircuitBreaker('peer', {
    ...(plan.minimumCalls === null
      ? {}
      : { trip: [{ kind: 'ratio', rate: 0.5, minimumCalls: plan.minimumCalls }] }),
    window:
      plan.windowMs === null
        ? { kind: 'count', size: plan.minimumCalls === null ? 20 : 10 }
        : { kind: 'time', durationMs: plan.windowMs },
    open: { kind: plan.growing ? 'exponential' : 'fixed', baseMs: OPEN_MS, jitter: 0 },
    recovery,
    ...(plan.timeoutMs === null ? {} : { callTimeoutMs: plan.timeoutMs }),
    ignore: (error) => error instanceof Ignored,
    clock: () => Date.now(),
    random: () => 0.5,
  });
  let opened = 0;
  breaker.on((event) => {
    if (event.type === 'opened') opened++;
  });
  // It limits nothing itself, so that the limiter of another library stands before the work.
  const limit = plan.slots === null ? null : bulkhead(plan.slots, 0);
  return {
    run: (work, signal) =>
      breaker.run(
        (context) =>
          limit === null ? work(context.signal) : limit.execute(() => work(context.signal)),
        signal === undefined ? {} : { signal },
      ),
    state: () => breaker.state,
    opened: () => opened,
    holdOpen: () => {
      const hold = breaker.override('forced_open', { actor: 'ann', reason: 'test' });
      return () => void hold.release();
    },
  };
}

function opossum(plan: Plan): Library {
  const abortController = new AbortController();
  const breaker = new Opossum((work: Work<unknown>) => work(abortController.signal), {
    timeout: plan.timeoutMs ?? false,
    resetTimeout: OPEN_MS,
    errorThresholdPercentage: 50,
    ...(plan.minimumCalls === null ? {} : { volumeThreshold: plan.minimumCalls }),
    rollingCountTimeout: plan.windowMs ?? 10_000,
    ...(plan.slots === null ? {} : { capacity: plan.slots }),
    errorFilter: (error: unknown) => error instanceof Ignored,
    abortController,
  });
  let opened = 0;
  breaker.on('open', () => opened++);
  return {
    run: <T>(work: Work<T>) => breaker.fire(work) as Promise<T>,
    state: () => {
      if (breaker.opened) return 'open';
      return breaker.halfOpen ? 'half_open' : 'closed';
    },
    opened: () => opened,
    holdOpen: () => {
      breaker.open();
      return () => breaker.close();
    },
  };
}

const stateWords: Record<CircuitState, string> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'forced_open',
};

function cockatiel(plan: Plan): Library {
  const judge =
    plan.windowMs === null && plan.minimumCalls !== null
      ? new CountBreaker({ size: 10, threshold: 0.5, minimumNumberOfCalls: plan.minimumCalls })
      : new SamplingBreaker({
          threshold: 0.5,
          duration: plan.windowMs ?? 10_000,
          ...(plan.minimumCalls === null
            ? {}
            : { minimumRps: (plan.minimumCalls * 1_000) / (plan.windowMs ?? 10_000) }),
        });
  const breaker = circuitBreaker(
    handleWhen((error) => !(error instanceof Ignored)),
    {
      breaker: judge,
      halfOpenAfter: plan.growing
        ? new ExponentialBackoff({
            initialDelay: OPEN_MS,
            maxDelay: 60_000,
            exponent: 2,
            generator: noJitterGenerator,
          })
        : OPEN_MS,
    },
  );
  const withLimit = plan.slots === null ? breaker : wrap(breaker, bulkhead(plan.slots, 0));
  const policy =
    plan.timeoutMs === null
      ? withLimit
      : wrap(withLimit, timeout(plan.timeoutMs, TimeoutStrategy.Aggressive));
  let opened = 0;
  breaker.onBreak(() => opened++);
  return {
    run: (work, signal) => policy.execute((context) => work(context.signal), signal),
    state: () => stateWords[breaker.state],
    opened: () => opened,
    holdOpen: () => {
      const { dispose } = breaker.isolate();
      return dispose;
    },
  };
}

const makers: Record<LibraryName, (plan: Plan) => Library> = { recloser, opossum, cockatiel };

type Call = {
  /** The work has been started. */
  readonly started: boolean;
  /** What the caller has got so far. */
  readonly ended: 'pending' | 'answered' | 'refused' | 'failed';
  /** The signal that the work was given. */
  readonly signal: AbortSignal | undefined;
  ok(): Promise<void>;
  fail(error?: unknown): Promise<void>;
};

const refusals = new Set(['EOPENBREAKER', 'BREAKER_OPEN']);

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('isBrokenCircuitError' in error) return true;
  return 'code' in error && typeof error.code === 'string' && refusals.has(error.code);
}

/** The words in which situations are written. */
export class Stage {
  readonly library: Library;

  constructor(name: LibraryName, plan: Plan) {
    this.library = makers[name](plan);
  }

  get state(): string {
    return this.library.state();
  }

  /** A call that waits for what the test says. */
  async call(caller?: AbortSignal): Promise<Call> {
    let settle: { resolve: (value: string) => void; reject: (error: unknown) => void } | null =
      null;
    const call = {
      started: false,
      ended: 'pending' as Call['ended'],
      signal: undefined as AbortSignal | undefined,
      ok: async () => {
        settle?.resolve('ok');
        await this.wait(0);
      },
      fail: async (error: unknown = new Error('down')) => {
        settle?.reject(error);
        await this.wait(0);
      },
    };
    this.library
      .run((signal) => {
        call.started = true;
        call.signal = signal;
        return new Promise<string>((resolve, reject) => {
          settle = { resolve, reject };
          // As every client does that is handed a signal.
          caller?.addEventListener('abort', () => reject(caller.reason));
        });
      }, caller)
      .then(
        () => (call.ended = 'answered'),
        (error: unknown) => (call.ended = isRefusal(error) ? 'refused' : 'failed'),
      );
    await this.wait(0);
    return call;
  }

  async calls(count: number): Promise<Call[]> {
    const calls: Call[] = [];
    for (let i = 0; i < count; i++) calls.push(await this.call());
    return calls;
  }

  async fails(count: number, error?: unknown): Promise<void> {
    for (let i = 0; i < count; i++) await (await this.call()).fail(error);
  }

  async wait(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
  }

  /** Ms until a call is let in, in steps of a second. The call then fails. */
  async waitForProbe(limitMs: number): Promise<number> {
    for (let waited = 0; waited <= limitMs; waited += 1_000) {
      const probe = await this.call();
      if (probe.started) {
        await probe.fail();
        return waited;
      }
      await this.wait(1_000);
    }
    return Infinity;
  }
}
