import type { CircuitBreaker } from '../breaker';
import type { BreakerStatus, BreakerState } from '../breaker/types';

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
    this.run = circuit.run.bind(circuit);
    this.tryAcquire = circuit.tryAcquire.bind(circuit);
  }

  get state(): BreakerState {
    return this.circuit.state;
  }

  status(): BreakerStatus {
    return this.circuit.status();
  }
}
