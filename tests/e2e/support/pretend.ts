/**
 * A built console with pages, and a fleet that only the browser sees: the test speaks on the live
 * socket in place of the server. For what hangs on which rows there are, whatever agents do.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContextOptions, Page, WebSocketRoute } from 'playwright-core';
import { openBrowser } from '@/examples/demo/browser';
import { liveRequest, type BreakerPatch, type LiveFrame } from '@/lib/protocol/live-frames';
import type { BreakerView } from '@/lib/protocol/views';
import { startConsole } from '@/scripts/lib/console-process.mjs';
import { freePort } from '@/tests/support/server-process';
import { seedPeople, signIn } from '@/tests/support/sign-in';

const HEARTBEAT_MS = 1_000;
export const WIDE = { width: 1440, height: 900 };

/** The server's side of one page's live socket. */
class PretendServer {
  readonly #sockets = new Set<WebSocketRoute>();
  #revision = 1;
  breakers: readonly BreakerView[] = [];

  readonly take = (socket: WebSocketRoute): void => {
    socket.onMessage((message) => {
      const request = liveRequest.parse(JSON.parse(String(message)));
      const { topics } = request;
      if (request.type === 'topics') {
        this.#say(socket, { type: 'subscribed', topics, revision: this.#revision });
        return;
      }
      this.#sockets.add(socket);
      this.#say(socket, {
        type: 'snapshot',
        serverEpoch: 'pretend',
        revision: this.#revision,
        now: Date.now(),
        environmentNames: [...new Set(this.breakers.map(({ environment }) => environment))],
        breakers: [...this.breakers],
        services: [],
        overrides: [],
      });
    });
    socket.onClose(() => this.#sockets.delete(socket));
  };

  /** Changes rows in front of whoever looks at them. */
  patch(breakers: readonly BreakerPatch[]): void {
    this.#revision += 1;
    this.#sayAll({
      type: 'patch',
      fromRevision: this.#revision,
      toRevision: this.#revision,
      now: Date.now(),
      breakers: [...breakers],
    });
  }

  beat(): void {
    this.#sayAll({ type: 'heartbeat', revision: this.#revision, now: Date.now() });
  }

  #sayAll(frame: LiveFrame): void {
    for (const socket of this.#sockets) this.#say(socket, frame);
  }

  #say(socket: WebSocketRoute, frame: LiveFrame): void {
    socket.send(JSON.stringify(frame));
  }
}

export async function openPretendStage() {
  const dataDir = await mkdtemp(join(tmpdir(), 'recloser-pretend-'));
  await seedPeople(dataDir);
  const server = await startConsole({ port: await freePort(), dataDir });
  const session = await signIn(server.url);
  const browser = await openBrowser();
  const pretend = new PretendServer();
  const heart = setInterval(() => pretend.beat(), HEARTBEAT_MS);
  const problems: string[] = [];
  const [name = '', value = ''] = session.cookie.split(/=(.*)/s);

  return {
    url: server.url,
    browser,
    /** What any page threw. */
    problems,
    /** Rows of pages that are opened from now on. */
    show: (breakers: readonly BreakerView[]) => {
      pretend.breakers = breakers;
    },
    patch: (breakers: readonly BreakerPatch[]) => pretend.patch(breakers),
    /** A page of a signed-in admin, in a context of its own. */
    async page(options: BrowserContextOptions = {}): Promise<Page> {
      const context = await browser.newContext({ viewport: WIDE, bypassCSP: true, ...options });
      await context.addCookies([{ name, value, url: server.url }]);
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      page.on('pageerror', (error) => problems.push(error.message));
      await page.routeWebSocket(/\/ws\/live/, pretend.take);
      return page;
    },
    async close() {
      clearInterval(heart);
      await browser.close();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
export type PretendStage = Awaited<ReturnType<typeof openPretendStage>>;
