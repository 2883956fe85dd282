/**
 * A built console with pages, real people who sign in through its page, and services that live in
 * the test: real agents whose targets answer or fail as the test says.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { Recloser, type GuardedBreaker, type RecloserOptions } from '@/lib/agent';
import { openBrowser } from '@/examples/demo/browser';
import type { Grant } from '@/lib/protocol/access';
import type { SetPolicyBody } from '@/lib/protocol/commands';
import type { BreakerView } from '@/lib/protocol/views';
import { startConsole } from '@/scripts/lib/console-process.mjs';
import { createToken, eventually, freePort } from '@/tests/support/server-process';
import { person, seedPeople, signIn, type Session, type TestPerson } from '@/tests/support/sign-in';

const at = (role: Grant['role'], environment = '*', service = '*'): Grant[] => [
  { role, environment, service },
];

export const mara = person('mara', at('operator'));
export const otto = person('otto', at('operator'));
export const noor = person('noor', at('approver'));
/** Holds the handle of one service in one environment, and of nothing else. */
export const sven = person('sven', at('operator', 'test', 'search*'));

export const WIDE = { width: 1440, height: 900 };
export const PHONE = { width: 360, height: 640 };

/** Two people and a proof for what is dangerous, in every environment that begins with `prod`. */
const PRODUCTION: SetPolicyBody = {
  environment: 'prod*',
  twoPerson: 'L3',
  stepUp: 'L3',
  tierOneServices: [],
};

export async function openHandleStage() {
  const dataDir = await mkdtemp(join(tmpdir(), 'recloser-handle-'));
  await seedPeople(dataDir, [mara, otto, noor, sven]);
  const port = await freePort();
  const server = await startConsole({ port, dataDir });
  // Passkeys need a host name.
  const url = server.url.replace('127.0.0.1', 'localhost');
  const admin = await signIn(url);
  const browser = await openBrowser();
  const tokens = new Map<string, string>();
  for (const environment of ['test', 'staging', 'production']) {
    tokens.set(environment, await createToken(url, { environment, name: environment }));
  }
  await post(url, admin, '/api/policies', PRODUCTION);
  const services: TestService[] = [];

  return {
    url,
    browser,
    admin,
    /** Starts `instances` copies of a service with one breaker and waits until it is in the fleet. */
    async service(options: ServiceOptions): Promise<TestService> {
      const environment = options.environment ?? 'test';
      const started = startService({ ...options, environment, url }, tokens.get(environment) ?? '');
      const made = { ...started, row: () => rowOf(url, admin, started) };
      services.push(made);
      await eventually(`${options.service} in the fleet`, async () => {
        const row = await made.row().catch(() => null);
        return row !== null && row.instances.live === started.copies.length;
      });
      return made;
    },
    post: <T>(path: string, body: unknown, by: Session = admin) => post<T>(url, by, path, body),
    get: <T>(path: string, by: Session = admin) => get<T>(url, by, path),
    async close() {
      await browser.close();
      await Promise.all(services.map((service) => service.stop()));
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
export type HandleStage = Awaited<ReturnType<typeof openHandleStage>>;

export type ServiceOptions = Pick<RecloserOptions, 'service'> & {
  readonly environment?: string;
  readonly breaker?: string;
  readonly target?: string;
  /** What each copy allows the console to do; one entry a copy. */
  readonly allow?: readonly NonNullable<RecloserOptions['allowRemote']>[];
};

type Copy = { readonly recloser: Recloser; readonly breaker: GuardedBreaker };

export const EVERYTHING = ['force_open', 'force_closed', 'reset'] as const;

function startService(
  options: ServiceOptions & { environment: string; url: string },
  token: string,
) {
  const { service, environment, url, breaker = 'inventory', target = `${service}-db` } = options;
  const copies = (options.allow ?? [EVERYTHING, EVERYTHING]).map((allowRemote, index): Copy => {
    const recloser = new Recloser({
      service,
      environment,
      url,
      token,
      allowRemote,
      instance: `${service}-${index + 1}`,
      logger: { info: () => undefined, error: () => undefined },
    });
    const made = recloser.breaker(breaker, {
      target,
      window: { kind: 'count', size: 10 },
      trip: [{ kind: 'ratio', rate: 0.5, minimumCalls: 4 }],
      open: { kind: 'fixed', baseMs: 60_000, jitter: 0 },
    });
    return { recloser, breaker: made };
  });
  return {
    service,
    environment,
    breaker,
    copies,
    call: (copy: number) => call(copies[copy]),
    /** So many calls at one copy that fail. */
    fail: async (copy: number, calls: number) => {
      for (let count = 0; count < calls; count += 1) await call(copies[copy], false);
    },
    stop: () => Promise.all(copies.map(({ recloser }) => recloser.close())),
  };
}
export type TestService = ReturnType<typeof startService> & { row(): Promise<BreakerView> };

/** One real call: whether the target was reached. */
async function call(copy: Copy | undefined, succeeds = true): Promise<'reached' | 'refused'> {
  let reached = false;
  await copy?.breaker
    .run(async () => {
      reached = true;
      if (!succeeds) throw Object.assign(new Error('boom'), { status: 500 });
    })
    .catch(() => undefined);
  return reached ? 'reached' : 'refused';
}

type Place = { readonly service: string; readonly environment: string; readonly breaker: string };

async function rowOf(url: string, by: Session, { service, environment, breaker }: Place) {
  const { breakers } = await get<{ breakers: BreakerView[] }>(url, by, '/api/fleet');
  const found = breakers.find(
    (row) => row.service === service && row.environment === environment && row.name === breaker,
  );
  if (found === undefined) throw new Error(`${service}/${breaker} is not in ${environment}`);
  return found;
}

async function get<T>(url: string, by: Session, path: string): Promise<T> {
  const answer = await fetch(url + path, { headers: by.headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function post<T>(url: string, by: Session, path: string, body: unknown): Promise<T> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...by.headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

/** Signs in through the page, as a person does; a browser context of its own. */
export async function enter(
  { browser, url }: Pick<HandleStage, 'browser' | 'url'>,
  who: TestPerson,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await (browser satisfies Browser).newContext({ viewport: WIDE, ...options });
  const page = await context.newPage();
  // A machine that is busy with other work is slow, not wrong.
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('E-mail').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(`${url}/`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  return page;
}

export async function openBreaker(
  page: Page,
  { url }: Pick<HandleStage, 'url'>,
  service: TestService,
): Promise<void> {
  const { id, name } = await service.row();
  await page.goto(`${url}/breakers/${encodeURIComponent(id)}`);
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}
