/**
 * The screen in an outage: 5,000 breakers with 20,000 copies in their instances, 1,000 of them
 * flapping, 2,000 events a second through the real server into a real browser.
 *
 *     npm run build && node --import tsx bench/screen.ts [--seconds 60] [--clicks 1000] [--slow 4]
 *
 * The agents are bare sockets in this process, ten breakers each; the server is the built one in a
 * process of its own, the browser a third. All of them share the machine.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from 'playwright-core';
import { openBrowser } from '@/examples/demo/browser';
import { createToken } from '@/examples/demo/console-client';
import { seedDemoPeople } from '@/examples/demo/people';
import { pause } from '@/examples/demo/service';
import { signIn } from '@/examples/demo/session';
import { readFleet, until } from '@/examples/demo/stage';
import { startConsole } from '@/scripts/lib/console-process.mjs';
import { root } from '@/scripts/lib/paths.mjs';
import { firstFreePort } from '@/scripts/lib/ports.mjs';
import {
  installProbes,
  takeClicks,
  takeSeen,
  visibleRows,
  type Seen,
  type Sight,
} from './screen/page-probes';
import { ENVIRONMENT, Storm, type Stamp } from './screen/storm';

const { values } = parseArgs({
  options: {
    breakers: { type: 'string', default: '5000' },
    flapping: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '60' },
    clicks: { type: 'string', default: '1000' },
    slow: { type: 'string', default: '4' },
    wall: { type: 'string', default: '120' },
  },
});
const number = (name: keyof typeof values) => Number(values[name]);
const SLOW = number('slow');
const MIB = 1024 * 1024;
/** A person needs this long from seeing a row to pressing the button on it. */
const HAND_MS = 120;

type Desk = {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly ids: ReadonlyMap<string, string>;
};

function quantile(numbers: readonly number[], q: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

const ms = (value: number) => (Number.isNaN(value) ? '–' : `${value.toFixed(0)} ms`);
const spreadOf = (numbers: readonly number[]) =>
  `p50 ${ms(quantile(numbers, 0.5))}, p95 ${ms(quantile(numbers, 0.95))}, p99 ${ms(quantile(numbers, 0.99))}, worst ${ms(quantile(numbers, 1))}`;

const take = (page: Page): Promise<Seen> => page.evaluate(takeSeen);

/**
 * Each stamp of a breaker on the screen with the first sight of its state before that state came
 * again. A state that was over before a frame could show it was never painted; it is counted apart.
 */
function pair(stamps: readonly Stamp[], sights: readonly Sight[], ids: Desk['ids']) {
  const seenOf = new Map<string, Sight[]>();
  for (const sight of sights) seenOf.set(sight.id, [...(seenOf.get(sight.id) ?? []), sight]);
  const sentOf = new Map<string, Stamp[]>();
  for (const stamp of stamps) {
    const id = `breaker-${ids.get(stamp.breaker) ?? ''}`;
    if (seenOf.has(id)) sentOf.set(id, [...(sentOf.get(id) ?? []), stamp]);
  }
  const delays: number[] = [];
  let unseen = 0;
  for (const [id, sent] of sentOf) {
    for (const [place, { state, at }] of sent.entries()) {
      const again = sent.slice(place + 1).find((later) => later.state === state)?.at;
      // The last ones may still be under way.
      if (again === undefined) continue;
      const sight = seenOf
        .get(id)
        ?.find((one) => one.state === state && one.at >= at && one.at < again);
      if (sight === undefined) unseen += 1;
      else delays.push(sight.at - at);
    }
  }
  return { delays, unseen };
}

async function busyMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

async function heapMib(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return usedSize / MIB;
}

/** From the request to rows that are painted, with nothing kept from before. */
async function navigation({ page }: Desk, url: string): Promise<void> {
  const times: number[] = [];
  for (let visit = 0; visit < 5; visit += 1) {
    // Each visit begins when the one before it is over.
    /* eslint-disable no-await-in-loop */
    await page.goto(url);
    await page.locator('[id^="breaker-"]').first().waitFor();
    await pause(500);
    times.push((await take(page)).firstRowAt ?? Number.NaN);
    /* eslint-enable no-await-in-loop */
  }
  console.log(
    `  first rows painted after navigation, 5 visits: p50 ${ms(quantile(times, 0.5))}, worst ${ms(quantile(times, 1))}`,
  );
}

/** The pointer rests in the list, so rows stay where they are and all sights are of the same ones. */
async function watch({ page, cdp, ids }: Desk, storm: Storm, seconds: number): Promise<void> {
  await page.mouse.move(700, 500);
  await pause(2_000);
  storm.take();
  await take(page);
  const busyBefore = await busyMs(cdp);
  await pause(seconds * 1_000);
  const busy = (await busyMs(cdp)) - busyBefore;
  const { stamps, skipped } = storm.take();
  const seen = await take(page);
  const { delays, unseen } = pair(stamps, seen.sights, ids);
  const frames = seen.frames.count / seconds;
  console.log(
    `  sent ${(stamps.length / seconds).toFixed(0)} events/s (${skipped} waited for an acknowledgement)`,
  );
  console.log(
    `  event to painted change, ${delays.length} on the screen: ${spreadOf(delays)}; ${unseen} were over before a frame`,
  );
  console.log(
    `  ${frames.toFixed(1)} frames/s from the server, ${(seen.frames.bytes / seconds / 1024).toFixed(0)} KiB/s; main thread busy ${((100 * busy) / (seconds * 1_000)).toFixed(0)} %, ${(busy / seen.frames.count).toFixed(1)} ms a frame`,
  );
  console.log(
    `  tasks over 50 ms: ${seen.longTasks.length}, over 100 ms: ${seen.longTasks.filter((task) => task > 100).length}, longest ${ms(Math.max(0, ...seen.longTasks))}`,
  );
  console.log(
    `  layout shift from updates: ${seen.shifts.reduce((sum, shift) => sum + shift, 0).toFixed(4)}`,
  );
}

/** Looks at a row, moves there, waits as a hand does, clicks; the row that got it must be that one. */
async function clicks({ page }: Desk, count: number): Promise<void> {
  let wrong = 0;
  let missed = 0;
  await take(page);
  for (let click = 0; click < count; click += 1) {
    /* eslint-disable no-await-in-loop */
    // The list keeps its order while it has the focus: a new one is asked for now and then.
    const chip = page.getByRole('button', { name: 'New order' });
    if (click % 10 === 5 && (await chip.isVisible())) await chip.click();
    await page.mouse.move(700, 500);
    await page.evaluate(takeClicks);
    const rows = await page.evaluate(visibleRows);
    const row = rows[(click * 7) % rows.length];
    if (row === undefined) throw new Error('no row is on the screen');
    await pause(HAND_MS);
    await page.keyboard.down('Control');
    await page.mouse.click(row.x, row.y);
    await page.keyboard.up('Control');
    const [got] = await page.evaluate(takeClicks);
    if (got === undefined) missed += 1;
    else if (got.id !== row.id) wrong += 1;
    /* eslint-enable no-await-in-loop */
  }
  const seen = await take(page);
  console.log(`  ${count} clicks on rows that change: ${wrong} on a wrong row, ${missed} on none`);
  console.log(
    `  interaction to next paint, ${seen.interactions.length} over 16 ms: p75 ${ms(quantile(seen.interactions, 0.75))}, p98 ${ms(quantile(seen.interactions, 0.98))}, worst ${ms(quantile(seen.interactions, 1))}`,
  );
  console.log(
    `  tasks over 100 ms: ${seen.longTasks.filter((task) => task > 100).length}, longest ${ms(Math.max(0, ...seen.longTasks))}; layout shift ${seen.shifts.reduce((sum, shift) => sum + shift, 0).toFixed(4)}`,
  );
}

/** Least squares over what is left after each collection; an hour is extrapolated from it. */
async function heap({ page, cdp }: Desk, url: string, seconds: number): Promise<void> {
  await page.goto(`${url}/wall`);
  await pause(20_000);
  const points: { minutes: number; mib: number }[] = [];
  const start = performance.now();
  while (performance.now() - start < seconds * 1_000) {
    // eslint-disable-next-line no-await-in-loop
    points.push({ minutes: (performance.now() - start) / 60_000, mib: await heapMib(cdp) });
    // eslint-disable-next-line no-await-in-loop
    await pause(10_000);
  }
  const mean = (pick: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [x, y] = [mean(({ minutes }) => minutes), mean(({ mib }) => mib)];
  const slope =
    points.reduce((sum, { minutes, mib }) => sum + (minutes - x) * (mib - y), 0) /
    points.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0);
  console.log(
    `  heap of the wall page after collection: ${points[0]?.mib.toFixed(1)} to ${points.at(-1)?.mib.toFixed(1)} MiB in ${seconds} s, slope ${(slope * 60).toFixed(1)} MiB/h (extrapolated)`,
  );
}

const loadNow = () => `load ${loadavg()[0]?.toFixed(1)}`;

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'recloser-screen-'));
  const [admin] = await seedDemoPeople(dataDir, root);
  if (admin === undefined) throw new Error('nobody to sign in');
  const server = await startConsole({ port: await firstFreePort(4_900), dataDir });
  const browser = await openBrowser();
  const storm = new Storm({
    breakers: number('breakers'),
    flapping: number('flapping'),
    eventsPerSecond: number('rate'),
  });
  try {
    const session = await signIn(server.url, admin);
    await storm.connect(server.url, await createToken(session, ENVIRONMENT));
    const { breakers } = await until(
      () => readFleet(session),
      (fleet) => fleet.breakers.length >= number('breakers'),
      300_000,
    );
    const copies = breakers.reduce((sum, { instances }) => sum + instances.total, 0);
    console.log(
      `${breakers.length} breakers, ${copies} copies of them, ${number('flapping')} flapping; ${loadNow()}`,
    );
    const ids = new Map(breakers.map(({ id, service, name }) => [`${service}/${name}`, id]));

    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addCookies([{ ...session.cookie, url: server.url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const cdp = await context.newCDPSession(page);
    await cdp.send('Performance.enable');
    // tsx wraps inner functions in a helper that a page does not have.
    await page.addInitScript('globalThis.__name = (value) => value');
    await page.addInitScript(installProbes);
    const desk: Desk = { page, cdp, ids };

    console.log('quiet fleet');
    await navigation(desk, server.url);
    console.log(`storm, full speed; ${loadNow()}`);
    storm.start();
    await navigation(desk, server.url);
    await watch(desk, storm, number('seconds'));
    console.log(`storm, processor slowed down ${SLOW} times; ${loadNow()}`);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOW });
    await navigation(desk, server.url);
    await watch(desk, storm, number('seconds'));
    await clicks(desk, number('clicks'));
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    console.log(`wall, full speed; ${loadNow()}`);
    await heap(desk, server.url, number('wall'));
  } finally {
    storm.close();
    await browser.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
