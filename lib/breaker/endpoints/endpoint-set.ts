import { runProblem } from '../arguments';
import type { CircuitBreaker } from '../breaker';
import { checkFunction } from '../checks';
import type { Environment } from '../environment';
import { callEndpoint, EndpointsUnavailableError } from './call';
import type { EndpointRunOptions, EndpointWork } from './call';
import { Fleet } from './fleet';
import type { Member } from './member';
import { checkEndpoints, checkExclude, endpointSetConfig, setEnvironment } from './options';
import type { EndpointSetConfig, EndpointSetOptions } from './options';
import { Picker } from './picker';
import type {
  EndpointListener,
  EndpointPermit,
  EndpointRejection,
  EndpointSetStatus,
  EndpointStatus,
  PickOptions,
} from './types';

/**
 * A guard over several endpoints of one target, with a breaker for each. A sick endpoint loses its
 * turns and wins them back along its ramp; only so many may be missing, and when more are it is
 * panic. Rules E1 and following in `SPEC.md`.
 */
export class EndpointSet {
  readonly name: string;
  readonly #config: EndpointSetConfig;
  readonly #environment: Environment;
  readonly #fleet: Fleet;
  readonly #picker: Picker;
  #disposed = false;

  /** Throws `BreakerOptionError` for an option that cannot work. */
  constructor(name: string, options: EndpointSetOptions) {
    this.name = name;
    this.#config = endpointSetConfig(options);
    this.#environment = setEnvironment(options);
    const endpoints = checkEndpoints(options.endpoints);
    const fleet = new Fleet(name, this.#config, this.#environment);
    this.#fleet = fleet;
    fleet.within(() => {
      for (const endpoint of endpoints) fleet.add(endpoint);
    });
    this.#picker = new Picker(fleet, this.#config, this.#environment.random);
  }

  /** Leave to call one endpoint, or the reason why there is none. Settle it once. Throws for an `exclude` that is no list. */
  pick(options: PickOptions = {}): EndpointPermit | EndpointRejection {
    checkExclude(options.exclude);
    return this.#fleet.within(() =>
      this.#disposed ? this.#picker.reject('disposed') : this.#picker.pick(options),
    );
  }

  /**
   * Picks an endpoint, calls it and settles. Rejects with `EndpointsUnavailableError` where there
   * is none, else with what `work` threw.
   */
  async run<T>(work: EndpointWork<T>, options: EndpointRunOptions<T> = {}): Promise<T> {
    const problem = runProblem(work, options);
    if (problem !== null) throw problem;
    options.signal?.throwIfAborted();
    const permit = this.pick(options);
    if (permit.granted) {
      const host = { name: this.name, environment: this.#environment, judge: this.#config.breaker };
      return callEndpoint(host, permit, work, options);
    }
    const error = new EndpointsUnavailableError(this.name, permit);
    if (options.fallback === undefined) throw error;
    return options.fallback(error);
  }

  /** Adds an endpoint, closed. A name that is taken or empty throws. */
  add(endpoint: string): void {
    if (this.#disposed) return;
    this.#fleet.within(() => {
      this.#fleet.add(endpoint);
      this.#fleet.announce('added', endpoint, 'added', this.#fleet.now);
    });
  }

  /** Returns whether it was there. Calls under way there settle as `late`. */
  remove(endpoint: string): boolean {
    return this.#fleet.within(() => {
      const member = this.#fleet.find(endpoint);
      if (member === undefined) return false;
      this.#fleet.remove(member);
      this.#fleet.announce('removed', endpoint, 'removed', this.#fleet.now);
      return true;
    });
  }

  /** The breaker of an endpoint, for overrides and its own events. */
  breaker(endpoint: string): CircuitBreaker | undefined {
    return this.#fleet.find(endpoint)?.breaker;
  }

  get endpoints(): readonly string[] {
    return this.#fleet.members.map(({ name }) => name);
  }

  get panic(): boolean {
    return this.#fleet.within(() => this.#fleet.panic);
  }

  /** Lets everything that is due happen. Never needed; makes events come on time. */
  tick(): void {
    this.#fleet.within(() => undefined);
  }

  status(): EndpointSetStatus {
    const fleet = this.#fleet;
    const { picked, probes, panicPicks, rejected } = this.#picker;
    return fleet.within(() => ({
      name: this.name,
      panic: fleet.panic,
      endpoints: fleet.members.map((member) => this.#statusOf(member)),
      in: fleet.count('in'),
      recovering: fleet.count('recovering'),
      out: fleet.count('out'),
      maxEjected: fleet.maxEjected,
      missingShare:
        fleet.members.length === 0 ? 1 : fleet.missingBp / (10_000 * fleet.members.length),
      counters: {
        picked,
        probes,
        panicPicks,
        rejected,
        ejections: fleet.ejections,
        outliers: fleet.outliers,
        overflow: fleet.overflow,
      },
    }));
  }

  /** Events in order, after what caused them. Returns the way to stop. */
  on(listener: EndpointListener): () => void {
    checkFunction('listener', listener);
    return this.#disposed ? () => undefined : this.#fleet.announcer.add(listener);
  }

  /** Disposes of all breakers. Picks are refused from here on; calls under way settle as `late`. */
  dispose(): void {
    if (this.#disposed) return;
    this.#fleet.within(() => {
      this.#disposed = true;
      this.#fleet.announce('disposed', null, 'disposed', this.#fleet.now);
      for (const member of this.#fleet.members.slice()) this.#fleet.remove(member);
      // An empty set is panic, but nobody is to be alarmed by the end.
      this.#fleet.panic = true;
    });
    this.#fleet.announcer.close();
  }

  #statusOf(member: Member): EndpointStatus {
    const { state, share, step, retryInMs, inFlight } = member.breaker.status();
    const rate = member.rates?.totals(this.#fleet.now) ?? { calls: 0, failures: 0 };
    return {
      name: member.name,
      phase: member.phase,
      state,
      share,
      step,
      retryInMs,
      probed: member.phase === 'recovering' && this.#picker.isProbed(member),
      inFlight,
      ...rate,
    };
  }
}
