/** Every view of the built console over names, targets, versions and reasons of an attacker. */
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AWKWARD_NAMES, HOSTILE_NAMES } from '@/tests/support/hostile-names';
import { RawAgent } from '@/tests/support/raw-agent';
import { createToken } from '@/tests/support/server-process';
import { enter, mara, openHandleStage, WIDE, type HandleStage } from './support/stage';

/** As many breakers as a service may have, less than half of it. */
const PER_SERVICE = 127;
/** WCAG 1.4.10: no scrolling in two directions at this width. */
const NARROW = { width: 320, height: 640 };

let stage: HandleStage;
let agents: RawAgent[];
let page: Page;
let phone: Page;

type Row = { id: string; serviceId: string; name: string; target: string };

const names = [...AWKWARD_NAMES, ...HOSTILE_NAMES];

/** One instance whose own names are hostile too, with a share of the corpus as its breakers. */
async function reportAll(url: string): Promise<RawAgent[]> {
  const token = await createToken(url, { environment: 'hostile', name: 'corpus' });
  const parts = Array.from({ length: Math.ceil(names.length / PER_SERVICE) }, (_, index) =>
    names.slice(index * PER_SERVICE, (index + 1) * PER_SERVICE),
  );
  return Promise.all(
    parts.map(async (part, index) => {
      const own = names.at(index * 7) ?? 'x';
      const who = { service: own, instance: own, environment: 'hostile' };
      const agent = new RawAgent(url, token, who);
      const hello = { ...agent.hello(1, 1), version: own.slice(0, 64), host: own.slice(0, 64) };
      await agent.connect(1, 1, hello);
      const registered = part.map((breaker, at) => ({
        type: 'registered',
        seq: at + 1,
        at: Date.now(),
        mono: performance.now(),
        breaker,
        target: names.at(-at - 1) ?? breaker,
        config: { mode: 'enforce', note: breaker },
        configHash: randomBytes(32).toString('hex'),
      }));
      const acked = agent.next('ack', (frame) => Number(frame['seq']) >= 2 * part.length);
      agent.send({ type: 'events', events: registered.slice(0, 64) });
      agent.send({ type: 'events', events: registered.slice(64) });
      const opened = part.map((breaker, at) => ({
        ...agent.transition(1, breaker),
        seq: part.length + at + 1,
        reason: breaker.slice(0, 128),
      }));
      agent.send({ type: 'events', events: opened.slice(0, 64) });
      agent.send({ type: 'events', events: opened.slice(64) });
      await acked;
      return agent;
    }),
  );
}

async function watched(options: Parameters<typeof enter>[2]): Promise<Page> {
  const opened = await enter(stage, mara, options);
  await opened.addInitScript(() => {
    const seen = window as unknown as { harm: string[]; __ran(id: number): void };
    seen.harm = [];
    seen.__ran = (id) => void seen.harm.push(`ran ${id}`);
    document.addEventListener('securitypolicyviolation', (event) =>
      seen.harm.push(`blocked ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
  opened.on('dialog', (dialog) => void dialog.dismiss());
  return opened;
}

const harmOf = (on: Page) => on.evaluate(() => (window as unknown as { harm: string[] }).harm);

/** [S-28] Addresses in the page that lead anywhere but into this console. */
const strangeLinksOf = (on: Page) =>
  on.evaluate(() =>
    ['href', 'src', 'action', 'formaction', 'xlink:href', 'poster', 'data']
      .flatMap((name) =>
        [...document.querySelectorAll(`[${CSS.escape(name)}]:not(link)`)].map((one) =>
          one.getAttribute(name),
        ),
      )
      .filter((address): address is string => address !== null && !address.startsWith('#'))
      .filter((address) => {
        const { protocol, origin } = new URL(address, document.baseURI);
        return !/^https?:$/.test(protocol) || origin !== window.location.origin;
      }),
  );

/** Pixels that stick out to the right of the window. */
const overflowOf = (on: Page) =>
  on.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function rows(): Promise<Row[]> {
  const { breakers } = await stage.get<{ breakers: Row[] }>('/api/fleet');
  return breakers;
}

/** A reason of the attacker's, in force on a breaker of the attacker's. */
async function forceOpen({ id }: Row, reason: string, key: string): Promise<void> {
  const impact = await stage.get<{ generation: number }>(
    `/api/breakers/${encodeURIComponent(id)}/impact?kind=force_open`,
  );
  await stage.post('/api/overrides', {
    breakerId: id,
    kind: 'force_open',
    reason,
    leaseMs: 900_000,
    expectedGeneration: impact.generation,
    idempotencyKey: key,
  });
}

/** All views, with one breaker of each way out and of each awkward kind. */
async function paths(): Promise<string[]> {
  const all = await rows();
  const chosen = all.filter(({ name }) => AWKWARD_NAMES.indexOf(name) % 3 === 0);
  chosen.push(...all.filter((_row, index) => index % 200 === 7));
  const services = [...new Set(all.map(({ serviceId }) => serviceId))];
  return [
    '/',
    '/services',
    '/overrides',
    '/audit',
    '/wall',
    '/?view=tiles&group=service',
    ...chosen.slice(0, 3).map(({ target }) => `/targets/${encodeURIComponent(target)}`),
    ...chosen.map(({ id }) => `/breakers/${encodeURIComponent(id)}`),
    ...services.slice(0, 2).map((id) => `/services/${encodeURIComponent(id)}`),
  ];
}

async function visit(on: Page, path: string): Promise<void> {
  await on.goto(stage.url + path);
  await on.getByRole('heading', { level: 1 }).first().waitFor();
  // The wall says nothing while all is well.
  const live = on.getByText('Live', { exact: true });
  await (path === '/wall' ? on.getByRole('listitem') : live).first().waitFor();
}

beforeAll(async () => {
  stage = await openHandleStage();
  agents = await reportAll(stage.url);
  const [first, second] = await rows();
  if (first === undefined || second === undefined) throw new Error('no rows');
  await forceOpen(first, HOSTILE_NAMES.at(1) ?? '', 'hostile-1');
  await forceOpen(second, AWKWARD_NAMES.at(0) ?? '', 'hostile-2');
  page = await watched({});
  phone = await watched({ viewport: NARROW });
});

afterAll(async () => {
  for (const agent of agents ?? []) agent.drop();
  await stage?.close();
});

describe('[S-27] names of an attacker', () => {
  it('are 500 different ones, and the fleet shows each as the text it is', async () => {
    expect(new Set(HOSTILE_NAMES).size).toBe(500);
    expect((await rows()).map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    await visit(page, '/');
    const shown = new Set<string>();
    await page.getByRole('grid').hover();
    for (let round = 0; round < 90 && shown.size < names.length; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- rows exist only while they are in sight
      const texts = await page.getByRole('row').allInnerTexts();
      for (const name of names) if (texts.some((text) => text.includes(name))) shown.add(name);
      // oxlint-disable-next-line no-await-in-loop
      await page.mouse.wheel(0, 500);
    }
    expect(names.filter((name) => !shown.has(name))).toEqual([]);
    expect(await harmOf(page)).toEqual([]);
  });

  it.each([
    ['a desk', () => page, WIDE],
    ['a phone of 320 pixels [1.4.10]', () => phone, NARROW],
  ] as const)(
    '[S-28] run nothing, lead nowhere else and push no page aside, at %s',
    async (_where, on, size) => {
      await on().setViewportSize(size);
      const found: Record<string, unknown> = {};
      for (const path of await paths()) {
        // oxlint-disable-next-line no-await-in-loop -- one page of the browser
        await visit(on(), path);
        // oxlint-disable-next-line no-await-in-loop
        const seen = [await harmOf(on()), await strangeLinksOf(on())];
        // oxlint-disable-next-line no-await-in-loop
        const overflow = await overflowOf(on());
        if (seen.flat().length > 0 || overflow > 0) found[path] = { seen, overflow };
      }
      expect(found).toEqual({});
    },
  );
});
