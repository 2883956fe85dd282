import { type ChildProcess, spawn } from 'node:child_process';
import type { Fault } from './faults';
import { call } from './http-client';
import type { Ready, Start, ToChild } from './ipc';
import type { Service } from './service';

type Member = {
  readonly service: string;
  readonly instance: string;
  child: ChildProcess;
  ready: Ready | null;
};

/** Small heaps: these processes hold next to nothing. */
const NODE_FLAGS = ['--max-old-space-size=64', '--max-semi-space-size=2', '--single-threaded'];

export type CrewOptions = {
  readonly services: readonly Service[];
  readonly childPath: string;
  readonly console: Start['console'];
  readonly log: (line: string) => void;
};

/** The processes of the fleet: started in order, told about each other, replaced when they die. */
export class Crew {
  readonly #options: CrewOptions;
  readonly #members: Member[] = [];
  #stopping = false;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const starts = this.#options.services.flatMap((service) =>
      Array.from({ length: service.instances }, (_, index) =>
        this.#launch(service.name, `${service.name}-${index + 1}`),
      ),
    );
    await Promise.all(starts);
    this.#tellPeers();
  }

  get processIds(): readonly number[] {
    return this.#members.flatMap(({ child }) => (child.pid === undefined ? [] : [child.pid]));
  }

  async apply(service: string, fault: Fault, instance?: string): Promise<number> {
    const chosen = this.#members.filter(
      (member) =>
        member.service === service && (instance === undefined || member.instance === instance),
    );
    const reached = chosen.flatMap(({ ready }) => (ready ? [ready.adminUrl] : []));
    await Promise.all(reached.map((url) => call(`${url}/fault`, { method: 'POST', body: fault })));
    return reached.length;
  }

  async status(): Promise<readonly unknown[]> {
    return Promise.all(
      this.#members.map(async ({ service, instance, ready }) => {
        const down = { service, instance, down: true };
        if (!ready) return down;
        try {
          const text = await call(`${ready.adminUrl}/status`, { timeoutMs: 1_000 });
          return { ...JSON.parse(text), adminUrl: ready.adminUrl };
        } catch {
          return down;
        }
      }),
    );
  }

  /** Lets every agent say goodbye, then makes sure. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(
      this.#members.map(
        ({ child }) =>
          new Promise<void>((resolve) => {
            if (child.exitCode !== null || child.signalCode !== null) return resolve();
            const kill = setTimeout(() => child.kill('SIGKILL'), 3_000);
            child.once('exit', () => {
              clearTimeout(kill);
              resolve();
            });
            send(child, { type: 'stop' });
          }),
      ),
    );
  }

  async #launch(service: string, instance: string): Promise<void> {
    const member: Member = { service, instance, child: this.#spawn(), ready: null };
    this.#members.push(member);
    await this.#run(member);
  }

  #spawn(): ChildProcess {
    return spawn(process.execPath, [...NODE_FLAGS, this.#options.childPath], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  }

  #run(member: Member): Promise<void> {
    const { child, service, instance } = member;
    return new Promise((resolve, reject) => {
      child.on('message', (message: Ready) => {
        member.ready = message;
        resolve();
      });
      child.once('exit', (code) => {
        member.ready = null;
        if (this.#stopping) return;
        reject(new Error(`${instance} ended with ${code}`));
        this.#options.log(`${instance} ended with ${code}; starting it again`);
        setTimeout(() => this.#replace(member), 1_000);
      });
      send(child, { type: 'start', service, instance, console: this.#options.console });
    });
  }

  #replace(member: Member): void {
    if (this.#stopping) return;
    member.child = this.#spawn();
    this.#run(member).then(
      () => this.#tellPeers(),
      () => undefined,
    );
  }

  #tellPeers(): void {
    const peers: Record<string, string[]> = {};
    for (const { service, ready } of this.#members) {
      if (ready) (peers[service] ??= []).push(ready.url);
    }
    for (const { child } of this.#members) send(child, { type: 'peers', peers });
  }
}

function send(child: ChildProcess, message: ToChild): void {
  if (child.connected) child.send(message);
}
