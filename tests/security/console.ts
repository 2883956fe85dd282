/** A real server with real sign-in over a store in memory, on a clock that only the test moves. */
import { randomUUID } from 'node:crypto';
import { onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { Grant } from '@/lib/protocol/access';
import { CSRF_HEADER } from '@/lib/protocol/csrf';
import type { LiveTicketBody, MeBody } from '@/lib/protocol/people';
import type { Backend } from '@/server/backend';
import { createIdentity } from '@/server/auth/identity/identity';
import type { OidcConfig } from '@/server/auth/identity/library';
import type { Passwords } from '@/server/services/people/contract';
import { SYSTEM } from '@/server/services/caller';
import { startServer, type StartOptions } from '@/server/start';
import { recordingLog } from '@/tests/server/fakes/log';
import { ask, testConfig, type Answer } from '@/tests/server/fakes/server';
import { cheapPasswords, openWorld, settle } from '@/tests/services/support';
import { person, root, type TestPerson } from '@/tests/support/sign-in';
import { totpOf } from '@/tests/support/totp';

// The first sign-in of a file loads the library, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

export { person, root, totpOf };

export const SECRET = 'a-secret-of-the-tests-that-is-long-enough';

export type ConsoleOptions = {
  readonly people?: readonly TestPerson[];
  readonly environment?: Record<string, string>;
  readonly oidc?: OidcConfig | null;
  readonly passwords?: Passwords;
  /** Left as it is before anybody has set it up. */
  readonly isNew?: boolean;
  readonly startPages?: StartOptions['startPages'];
};

export async function openConsole(options: ConsoleOptions = {}) {
  const passwords = options.passwords ?? cheapPasswords;
  const world = await openWorld({ stepUps: null, passwords });
  const { services, store, bus, clock } = world;
  const log = recordingLog();
  const backend: Backend = {
    services,
    bus,
    openIdentity: (place) =>
      createIdentity({
        ...place,
        services,
        people: store.people,
        appendAudit: (row) => store.appendAudit(row),
        passwords,
        bus,
        clock,
        log,
        secret: SECRET,
        oidc: options.oidc ?? null,
      }),
    checkWritable: () => store.checkWritable(),
    checkIntegrity: async () => null,
    close: async () => undefined,
  };
  if (options.isNew !== true) await seed(services, options.people ?? []);
  const tokens: string[] = [];
  const server = await startServer(testConfig(options.environment), {
    log,
    clock,
    openBackend: async () => backend,
    setupToken: ({ token }) => void tokens.push(token),
    ...(options.startPages === undefined ? {} : { startPages: options.startPages }),
  });
  onTestFinished(async () => {
    const closing = server.close();
    await settle();
    clock.fake.advance(10_000);
    await closing;
  });
  const { port } = server;
  return { ...world, log, port, url: `http://localhost:${port}`, tokens };
}
export type Console = Awaited<ReturnType<typeof openConsole>>;

type SeedServices = Awaited<ReturnType<typeof openWorld>>['services'];

async function seed(services: SeedServices, people: readonly TestPerson[]): Promise<void> {
  const { entry } = services;
  const made = await entry.renewSetupToken();
  const { name, email, password } = root;
  await entry.setUp(SYSTEM, { token: made?.token ?? '', name, email, password });
  for (const one of people) await join(services, one);
}

/** Invited and come, past the doors. */
export async function join(
  services: SeedServices,
  { name, email, password, grants }: TestPerson,
): Promise<void> {
  const { code } = await services.people.invite(SYSTEM, { name, email, grants: [...grants] });
  await services.entry.redeem(SYSTEM, { code, password });
}

export const at = (role: Grant['role'], environment = '*', service = '*'): readonly Grant[] => [
  { role, environment, service },
];

/** One browser: keeps cookies, knows the CSRF token of its session. */
export class Visitor {
  readonly #cookies = new Map<string, string>();
  csrf = '';

  constructor(
    readonly console: Pick<Console, 'port' | 'url'>,
    readonly agent = 'test browser',
  ) {}

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  set cookie(text: string) {
    this.#cookies.clear();
    for (const pair of text.split('; ')) {
      const cut = pair.indexOf('=');
      if (cut > 0) this.#cookies.set(pair.slice(0, cut), pair.slice(cut + 1));
    }
  }

  #headers(over: Record<string, string>): Record<string, string> {
    return {
      'user-agent': this.agent,
      ...(this.cookie === '' ? {} : { cookie: this.cookie }),
      ...over,
    };
  }

  #keep(answer: Answer): Answer {
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';');
      const cut = pair.indexOf('=');
      const name = pair.slice(0, cut);
      if (/max-age=0/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, pair.slice(cut + 1));
    }
    return answer;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#keep(await ask(this.console.port, path, { headers: this.#headers(headers) }));
  }

  async post(
    path: string,
    body: unknown = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const all = this.#headers({
      'content-type': 'application/json',
      origin: this.console.url,
      ...(this.csrf === '' ? {} : { [CSRF_HEADER]: this.csrf }),
      ...headers,
    });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.#keep(
      await ask(this.console.port, path, { method: 'POST', headers: all, body: text }),
    );
  }

  /** Learns the CSRF token of the session that its cookie is of. */
  async learn(): Promise<MeBody> {
    const me = (await this.get('/api/me')).json() as unknown as MeBody;
    this.csrf = me.csrf;
    return me;
  }

  async signIn({ email, password }: TestPerson): Promise<Answer> {
    const answer = await this.post('/api/sign-in', { email, password });
    if (answer.status === 200 && answer.json()['state'] === 'signed_in') await this.learn();
    return answer;
  }

  async ticket(): Promise<string> {
    const answer = await this.post('/api/live-ticket');
    return (answer.json() as unknown as LiveTicketBody).ticket;
  }

  /** A live socket that has been opened with a ticket of its own. */
  async live(ticket?: string): Promise<Live> {
    const live = this.connect();
    await live.opened;
    live.socket.send(
      JSON.stringify({ type: 'open', ticket: ticket ?? (await this.ticket()), topics: ['fleet'] }),
    );
    return live;
  }

  connect(headers: Record<string, string> = {}): Live {
    const { port, url } = this.console;
    return watch(
      new WebSocket(`ws://127.0.0.1:${port}/ws/live`, {
        headers: { host: `localhost:${port}`, origin: url, ...this.#headers(headers) },
      }),
    );
  }
}

export type Live = {
  readonly socket: WebSocket;
  readonly opened: Promise<void>;
  readonly closed: Promise<number>;
  readonly types: string[];
  /** All that it was sent, as it came. */
  readonly texts: string[];
  /** Status of an upgrade that was refused. */
  readonly refused: Promise<number>;
};

function watch(socket: WebSocket): Live {
  const types: string[] = [];
  const texts: string[] = [];
  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    texts.push(text);
    types.push((JSON.parse(text) as { type: string }).type);
  });
  onTestFinished(() => socket.terminate());
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)));
  const opened = new Promise<void>((resolve) => socket.on('open', () => resolve()));
  const refused = new Promise<number>((resolve) =>
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    }),
  );
  socket.on('error', () => undefined);
  return { socket, opened, closed, refused, types, texts };
}

export async function visit(console: Console, who: TestPerson = root): Promise<Visitor> {
  const visitor = new Visitor(console);
  const answer = await visitor.signIn(who);
  if (answer.status !== 200) throw new Error(`${who.name} is not in: ${answer.text}`);
  return visitor;
}

/** Adds an authenticator app; the code of the step before is used up by it. */
export async function addTotp(visitor: Visitor, { password }: TestPerson): Promise<string> {
  const started = await visitor.post('/api/profile/totp/start', { password });
  const uri = String(started.json()['uri']);
  const confirmed = await visitor.post('/api/profile/totp/confirm', { code: totpOf(uri, -1) });
  if (confirmed.status !== 200) throw new Error(confirmed.text);
  return uri;
}

export async function auditOf(
  console: Console,
  action: string,
): Promise<readonly { outcome: string; who: unknown; details: Record<string, unknown> }[]> {
  const { rows } = await console.services.queries.audit({ action, limit: 100 });
  return rows;
}

export const newEmail = (): string => `${randomUUID()}@example.test`;
