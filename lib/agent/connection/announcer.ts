import type { AgentLogger } from '../ports';

/** Two notices of the same kind closer than this would only be noise. */
const QUIET_MS = 60_000;
/** Different notices of one kind for the life of a process: the console must not fill its log. */
const MAX_NOTICES = 5;

/**
 * Says when the console is lost and when it is back, once each. A missing console is not an error
 * of the service, so nothing here sounds like one.
 */
export class Announcer {
  readonly #logger: AgentLogger;
  readonly #url: string;
  #saidLost = false;
  #saidPermanent = '';
  #saidFull = false;
  readonly #noticed = new Map<string, Set<string>>();
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(logger: AgentLogger, url: string) {
    this.#logger = logger;
    this.#url = url;
  }

  lost(now: number, why: string): void {
    if (this.#saidLost || now - this.#lastAt < QUIET_MS) return;
    this.#saidLost = true;
    this.#lastAt = now;
    this.#logger.info('console not connected, breakers go on by their local rules', {
      url: this.#url,
      why,
    });
  }

  /** Once for each time that the console is away. */
  full(): void {
    if (this.#saidFull) return;
    this.#saidFull = true;
    this.#logger.info(
      'reports wait in full memory: the oldest are dropped and will be told as a gap; check the console',
      { url: this.#url },
    );
  }

  /** The console stays connected and cannot keep a part of what is reported. */
  partly(why: string): void {
    this.#notice('info', 'console refuses a part of the reports', why);
  }

  /** [S-09] Somebody who has not the pinned key tells this service what to do. */
  unproven(why: string): void {
    this.#notice('error', 'console sends what its pinned key did not sign; it is not obeyed', why);
  }

  back(): void {
    this.#saidFull = false;
    this.#saidPermanent = '';
    if (!this.#saidLost) return;
    this.#saidLost = false;
    this.#logger.info('console connected', { url: this.#url });
  }

  permanent(why: string): void {
    if (this.#saidPermanent === why) return;
    this.#saidPermanent = why;
    this.#saidLost = true;
    this.#logger.error('console refuses this agent, next try in 5 min; breakers work on', {
      url: this.#url,
      why,
    });
  }

  /** Each reason once; one kind of notice never uses up the room of another. */
  #notice(level: 'info' | 'error', message: string, why: string): void {
    const said = this.#noticed.get(message) ?? new Set<string>();
    if (said.has(why) || said.size >= MAX_NOTICES) return;
    this.#noticed.set(message, said.add(why));
    this.#logger[level](message, { url: this.#url, why });
  }
}
