import { expect, it } from 'vitest';
import { FakeBreaker } from './support/fake-breaker';
import { harness } from './support/harness';

const SECOND_MS = 1_000;
const MINUTES = 3;

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);

/** Three minutes with so many breakers, each changing so often a second: sizes of the state frames. */
function sizesOf(breakers: number, changesPerSecond: number) {
  const h = harness();
  const all = Array.from({ length: breakers }, () => new FakeBreaker());
  all.forEach((breaker, index) => h.watch(`breaker-${index + 10}`, breaker));
  const wire = h.connect();
  const atConnect = wire.of('state').map((frame) => JSON.stringify(frame).length);
  const seen = wire.of('state').length;
  for (let second = 1; second <= MINUTES * 60; second += 1) {
    for (const breaker of all) {
      for (let change = 0; change < changesPerSecond; change += 1) {
        breaker.override('forced_open', { reason: 'flap', actor: 'test' }).release();
      }
    }
    h.time.advance(SECOND_MS);
    // An agent that hears nothing gives the connection up.
    if (second % 20 === 0) wire.receive({ type: 'ping', id: second, clock: { at: 0, mono: 0 } });
  }
  const later = wire.of('state').slice(seen);
  return { atConnect, later: later.map((frame) => JSON.stringify(frame).length) };
}

it(
  '[R-28] state goes out every 60 s and is as large in an incident as in peace',
  { timeout: 30_000 },
  () => {
    const quiet = sizesOf(10, 0);
    const incident = sizesOf(10, 2);
    expect(quiet.later).toHaveLength(MINUTES);
    expect(incident).toEqual(quiet);
    // The digest alone: twenty breakers need no more room for it than one.
    expect(sizesOf(20, 1).later).toEqual(sizesOf(1, 0).later);
  },
);

it(
  '[R-28] what is sent in full at the connect grows with the breakers and nothing else',
  { timeout: 30_000 },
  () => {
    const [ten, twenty, thirty] = [10, 20, 30].map((count) => sum(sizesOf(count, 0).atConnect));
    expect((twenty ?? 0) - (ten ?? 0)).toBe((thirty ?? 0) - (twenty ?? 0));
  },
);
