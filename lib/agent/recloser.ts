import { CircuitBreaker, type BreakerOptions } from '../breaker';
import { Agent, type AgentEnvironment } from './agent';
import { RecloserConfigError } from './config-error';
import { webSocketDial } from './connection/dial';
import { GuardedBreaker } from './guarded-breaker';
import { defaultLogger } from './log';
import { processLoopDelay } from './loop-delay';
import { describeConfig, MAX_CONFIG_BYTES, type Member } from './member';
import { readOptions, type RecloserOptions } from './options';
import { name as nameSchema } from '../protocol/primitives';
import { systemTime } from './time';

const CLOSE_WITHIN_MS = 2_000;

/** The breaker's own options, and what it protects. */
export type BreakerPolicy = Omit<BreakerOptions, 'clock' | 'wallClock' | 'timer' | 'onProblem'> & {
  /** What the calls go to; breakers of all services with the same target belong together. */
  readonly target?: string;
  /**
   * What `circuit.snapshot()` of an earlier process gave: open stays open for the rest of its time.
   * Overrides in it are left out; the console sends what is left of its own.
   */
  readonly snapshot?: unknown;
};

export type RecloserStatus = {
  readonly enabled: boolean;
  /** The console has accepted this agent and is being reported to. */
  readonly connected: boolean;
  /** What waits for the console, and what was dropped for lack of room. */
  readonly queue: {
    readonly events: number;
    readonly samples: number;
    readonly droppedEvents: number;
    readonly droppedSamples: number;
  };
};

const EMPTY_QUEUE = { events: 0, samples: 0, droppedEvents: 0, droppedSamples: 0 };

function checkedName(option: string, value: string): string {
  const parsed = nameSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RecloserConfigError(option, parsed.error.issues[0]?.message ?? 'invalid');
}

/**
 * The breakers of one service and their line to the console. The constructor and `breaker` throw
 * for what cannot work; nothing here throws, waits or keeps the process alive after that.
 */
export class Recloser {
  readonly #agent: Agent | null;
  readonly #environment: Partial<AgentEnvironment>;
  readonly #breakers = new Map<string, { guarded: GuardedBreaker; member: Member }>();

  constructor(options: RecloserOptions);
  /** @internal Clocks, random numbers and the socket, for tests. */
  constructor(options: RecloserOptions, environment: Partial<AgentEnvironment>);
  constructor(options: RecloserOptions, environment: Partial<AgentEnvironment> = {}) {
    const settings = readOptions(options, process.env.RECLOSER_DISABLED);
    this.#environment = environment;
    this.#agent =
      settings === null
        ? null
        : new Agent(settings, {
            time: systemTime,
            random: Math.random,
            dial: webSocketDial(settings.url, settings.token, settings.clientCertificate),
            logger: settings.logger ?? defaultLogger,
            loopDelay: processLoopDelay,
            ...environment,
          });
  }

  /** The breaker of this name, made on the first call. The same name needs the same policy. */
  breaker(name: string, policy?: BreakerPolicy): GuardedBreaker {
    const key = checkedName('breaker name', name);
    const known = this.#breakers.get(key);
    if (known !== undefined && policy === undefined) return known.guarded;
    const { target, ...options } = policy ?? {};
    const circuit = this.#circuit(key, options);
    const member: Member = {
      name: key,
      target: checkedName('target', target ?? key),
      circuit,
      ...describeConfig(circuit.config),
    };
    if (known !== undefined) {
      circuit.dispose();
      if (known.member.configHash === member.configHash && known.member.target === member.target) {
        return known.guarded;
      }
      throw new RecloserConfigError(`breaker "${key}"`, 'exists already with another policy');
    }
    if (JSON.stringify(member.config).length > MAX_CONFIG_BYTES) {
      throw new RecloserConfigError(`breaker "${key}"`, 'its policy is too large to report');
    }
    const guarded = new GuardedBreaker(key, member.target, circuit);
    this.#breakers.set(key, { guarded, member });
    this.#agent?.watch(member);
    return guarded;
  }

  get status(): RecloserStatus {
    const { online = false, queue = EMPTY_QUEUE } = this.#agent ?? {};
    return { enabled: this.#agent !== null, connected: online, queue };
  }

  /**
   * Says goodbye, sends what it can within `withinMs` and lets go of the console's overrides. The
   * breakers work on. Never rejects.
   */
  async close({ withinMs = CLOSE_WITHIN_MS }: { readonly withinMs?: number } = {}): Promise<void> {
    await this.#agent?.close(withinMs);
  }

  #circuit(name: string, policy: Omit<BreakerPolicy, 'target'>): CircuitBreaker {
    const { time, loopDelay = processLoopDelay } = this.#environment;
    const { snapshot, ...own } = policy;
    const options: BreakerOptions = {
      // A service must not find problems of a listener on its standard error.
      onProblem: () => undefined,
      loopDelay,
      ...own,
      ...(time === undefined ? {} : { clock: () => time.mono(), wallClock: () => time.wall() }),
    };
    return typeof snapshot === 'object' && snapshot !== null
      ? CircuitBreaker.restore(name, options, { ...snapshot, overrides: [] })
      : new CircuitBreaker(name, options);
  }
}
