import { createServer, type ServerResponse } from 'node:http';
import { type Fault, obstacle } from './faults';
import { listen, sendJson } from './json-server';
import { failed, pause, type Reply, type Running } from './service';

/** The port a service answers on, with the fault that is in force there. */
export class ServiceDoor {
  readonly #running: Running;
  readonly #server = createServer((request, response) => {
    this.#answer(request.url ?? '/', response).catch(() => response.destroy());
  });
  #port = 0;
  #fault: Fault | null = null;
  #restart: NodeJS.Timeout | undefined;
  served = 0;

  constructor(running: Running) {
    this.#running = running;
  }

  get fault(): Fault | null {
    return this.#fault;
  }

  async open(): Promise<string> {
    this.#port = await listen(this.#server, this.#port);
    return `http://127.0.0.1:${this.#port}`;
  }

  async apply(fault: Fault): Promise<void> {
    clearTimeout(this.#restart);
    this.#fault = fault.kind === 'clear' ? null : fault;
    if (fault.kind === 'clear') this.#running.warmUp?.();
    if (fault.kind !== 'refuse' && fault.kind !== 'restart_cold') return this.#reopen();
    await this.#close();
    if (fault.kind === 'restart_cold') {
      this.#restart = setTimeout(() => {
        this.#fault = null;
        this.#running.restartCold?.();
        void this.#reopen();
      }, fault.downMs);
    }
  }

  async #reopen(): Promise<void> {
    if (!this.#server.listening) await this.open();
  }

  /** Nobody listens any more: callers are refused by the system, as with a dead process. */
  #close(): Promise<void> {
    if (!this.#server.listening) return Promise.resolve();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(path: string, response: ServerResponse): Promise<void> {
    this.served += 1;
    const met = obstacle(this.#fault, Math.random);
    if (met === 'never') return;
    if (typeof met === 'object') await pause(met.waitMs);
    const reply: Reply =
      met === 'error' ? failed(500, 'broken on purpose') : await this.#running.handle(path);
    // The socket stays open without a word until the caller gives up.
    if (reply !== 'never') sendJson(response, reply.status, reply.body);
  }
}
