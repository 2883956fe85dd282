/**
 * From a breaker's own stamp to the painted change, with the demo fleet running beside it:
 *
 *     node --import tsx bench/event-to-pixel.ts [changes=200]
 *
 * A probe breaker in this process is forced open and released through its agent. The page watches
 * its row; the change counts as painted in the task after the frame that shows it. Both stamps are
 * wall clocks of this machine.
 */
import { Recloser } from '@/lib/agent';
import { openBrowser } from '@/examples/demo/browser';
import { createToken } from '@/examples/demo/console-client';
import { pause } from '@/examples/demo/service';
import { openStage, until } from '@/examples/demo/stage';
import { prepare } from '@/scripts/lib/bootstrap.mjs';

const SERVICE = 'pixel-probe';
const changes = Number(process.argv[2] ?? 200);

/** Runs in the page: writes down when each state of the row was on the screen. */
function watchRow(rowId: string): void {
  const seen: { state: string; at: number }[] = [];
  Reflect.set(window, '__seen', seen);
  const channel = new MessageChannel();
  const waiting: string[] = [];
  channel.port1.addEventListener('message', () => {
    const at = performance.timeOrigin + performance.now();
    for (const state of waiting.splice(0)) seen.push({ state, at });
  });
  channel.port1.start();
  let last = document.querySelector(`#${CSS.escape(rowId)}`)?.getAttribute('data-state') ?? '';
  const look = () => {
    const state =
      document.querySelector(`#${CSS.escape(rowId)}`)?.getAttribute('data-state') ?? last;
    if (state === last) return;
    last = state;
    requestAnimationFrame(() => {
      waiting.push(state);
      channel.port2.postMessage(null);
    });
  };
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['data-state'],
  });
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
}

async function main(): Promise<void> {
  await prepare();
  const stage = await openStage({ scenario: true });
  const browser = await openBrowser();
  const token = await createToken(stage.session, 'demo');
  const recloser = new Recloser({ service: SERVICE, environment: 'demo', url: stage.url, token });
  try {
    const { circuit } = recloser.breaker('pixel');
    const stamps: { state: string; at: number }[] = [];
    circuit.on(({ to, from, wallMs }) => {
      if (to !== from) stamps.push({ state: to, at: wallMs });
    });
    const { id } = await until(
      () => stage.breaker(SERVICE, 'pixel'),
      () => true,
    );

    const context = await stage.enter(browser, 'admin', { viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(stage.url);
    await page.locator(`[id="breaker-${id}"]`).waitFor();
    // tsx wraps inner functions in a helper that a page does not have.
    await page.evaluate('globalThis.__name = (value) => value');
    await page.evaluate(watchRow, `breaker-${id}`);

    for (let change = 0; change < changes; change += 2) {
      const hold = circuit.override('forced_open', { reason: 'bench', actor: 'bench' });
      // Not in step with the frames of the screen or the server.
      await pause(200 + Math.random() * 100);
      hold.release();
      await pause(200 + Math.random() * 100);
    }
    await pause(1_000);

    const seen = await page.evaluate(
      () => Reflect.get(window, '__seen') as { state: string; at: number }[],
    );
    report(stamps, seen);
  } finally {
    await recloser.close();
    await browser.close();
    await stage.close();
  }
}

/**
 * Pairs each stamp with the first sight of that state before the state comes again; a change that
 * was never painted is missing, and does not take the sight of a later one.
 */
function report(
  stamps: readonly { state: string; at: number }[],
  seen: readonly { state: string; at: number }[],
): void {
  let next = 0;
  const delays: number[] = [];
  for (const [index, { state, at }] of stamps.entries()) {
    const again = stamps.slice(index + 1).find((later) => later.state === state)?.at ?? Infinity;
    const found = seen.findIndex(
      (sight, place) =>
        place >= next && sight.state === state && sight.at >= at && sight.at < again,
    );
    if (found === -1) continue;
    delays.push((seen[found]?.at ?? at) - at);
    next = found + 1;
  }
  delays.sort((a, b) => a - b);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((q) => quantile(delays, q).toFixed(1));
  console.log(`${delays.length} of ${stamps.length} changes seen`);
  console.log(
    `event to pixel: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, worst ${delays.at(-1)?.toFixed(1)} ms`,
  );
}

await main();
