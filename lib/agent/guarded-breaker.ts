import type { CallContext, CircuitBreaker, RunOptions } from '../breaker';
import type { BreakerStatus, BreakerState } from '../breaker/types';
import { closeScope, inScope, openScope, outsideProbe, type ProbeScope } from './probe-context';

/** A breaker of this service. `circuit` is the breaker itself, with everything it can do. */
export class GuardedBreaker {
  readonly name: string;
  readonly target: string;
  readonly circuit: CircuitBreaker;
  readonly run: CircuitBreaker['run'];
  readonly tryAcquire: CircuitBreaker['tryAcquire'];

  constructor(name: string, target: string, circuit: CircuitBreaker) {
    this.name = name;
    this.target = target;
    this.circuit = circuit;
    this.run = (work, options) => runMarked(circuit, work, options);
    this.tryAcquire = circuit.tryAcquire.bind(circuit);
  }

  get state(): BreakerState {
    return this.circuit.state;
  }

  status(): BreakerStatus {
    return this.circuit.status();
  }
}

/** `run`, and `currentProbe()` knows of it. */
function runMarked<T>(
  circuit: CircuitBreaker,
  work: (context: CallContext) => T | PromiseLike<T>,
  options?: RunOptions<T>,
): Promise<T> {
  let scope = null as ProbeScope | null;
  // The breaker makes the call before `run` returns, or not at all.
  const promise = circuit.run((context) => {
    if (!context.probe) return outsideProbe(work, context);
    scope = openScope(circuit.name, context.permit.step ?? 0);
    return inScope(scope, () => work(context));
  }, options);
  if (scope === null) return promise;
  const opened = scope;
  return promise.finally(() => closeScope(opened));
}
