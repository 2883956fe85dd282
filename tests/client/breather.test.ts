import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { breakerFixture } from '@/components/design/breaker-fixtures';
import { Breather, browserPainted } from '@/lib/client/breather';
import { LiveStore } from '@/lib/client/live-store';
import { EMPTY_FLEET, type Fleet } from '@/lib/live/fold';
import { FakeClock } from '@/tests/support/fake-clock';

/** A page that is painted `ms` after it was drawn; never, when that is null. */
function page(ms: number | null) {
  const clock = new FakeClock(1_000_000);
  const painted = (then: () => void) => {
    if (ms !== null) clock.after(ms, then);
  };
  const drawn: [at: number, what: string][] = [];
  const breather = new Breather(clock, painted);
  const start = clock.now();
  const draw = (what: string) => breather.draw(() => void drawn.push([clock.now() - start, what]));
  return { clock, painted, drawn, draw };
}

function fleetOf(state: 'open' | 'closed', revision: number): Fleet {
  const row = breakerFixture(1_000_000, { id: 'a', state });
  return { ...EMPTY_FLEET, revision, breakers: new Map([['a', row]]) };
}

describe('[U-12] a page in a storm', () => {
  it('draws everything at once that it can paint in time', () => {
    const { clock, drawn, draw } = page(40);
    for (const what of ['a', 'b', 'c']) {
      draw(what);
      clock.advance(50);
    }
    expect(drawn).toEqual([
      [0, 'a'],
      [50, 'b'],
      [100, 'c'],
    ]);
  });

  it('rests after a long task as long as it took, then draws the newest', () => {
    const { clock, drawn, draw } = page(80);
    draw('a');
    clock.advance(30);
    draw('b');
    clock.advance(60);
    draw('c');
    clock.advance(69);
    expect(drawn).toEqual([[0, 'a']]);
    clock.advance(1);
    expect(drawn).toEqual([
      [0, 'a'],
      [160, 'c'],
    ]);
  });

  it('rests 250 ms at most, and does not wait for a page that is not painted', () => {
    const slow = page(2_000);
    slow.draw('a');
    slow.draw('b');
    slow.clock.advance(250);
    expect(slow.drawn).toEqual([
      [0, 'a'],
      [250, 'b'],
    ]);
    const hidden = page(null);
    hidden.draw('a');
    hidden.draw('b');
    hidden.clock.advance(250);
    expect(hidden.drawn.at(-1)).toEqual([250, 'b']);
  });

  it('draws at once again after a rest in which nothing came', () => {
    const { clock, drawn, draw } = page(80);
    draw('a');
    clock.advance(1_000);
    draw('b');
    expect(drawn.at(-1)).toEqual([1_000, 'b']);
  });

  it('shows the fleet as it is after the rest; while paused nothing', () => {
    const { clock, painted } = page(80);
    const store = new LiveStore(clock, painted);
    store.apply(fleetOf('closed', 1));
    expect(store.breaker('a')?.state).toBe('closed');
    store.apply(fleetOf('open', 2));
    expect(store.breaker('a')?.state).toBe('closed');
    expect(store.fleet.revision).toBe(2);
    expect(store.list()[0]?.state).toBe('closed');
    clock.advance(160);
    expect(store.breaker('a')?.state).toBe('open');
    clock.advance(160);
    expect(store.list()[0]?.state).toBe('open');

    store.apply(fleetOf('closed', 3));
    store.setPaused(true);
    clock.advance(1_000);
    expect(store.breaker('a')?.state).toBe('open');
    store.setPaused(false);
    expect(store.breaker('a')?.state).toBe('closed');
  });

  it('draws rows and the list apart while it is slow, and neither keeps the other out', () => {
    const { clock, painted } = page(80);
    const store = new LiveStore(clock, painted);
    const drawn: [at: number, what: string][] = [];
    const start = clock.now();
    const note = (what: string) => () => void drawn.push([clock.now() - start, what]);
    store.channels.add('list', note('list'));
    store.watchRow('a', note('row'));
    for (let revision = 1; clock.now() - start < 700; revision += 1) {
      store.apply(fleetOf(revision % 2 === 0 ? 'open' : 'closed', revision));
      clock.advance(100);
    }
    expect(drawn).toEqual([
      [0, 'row'],
      [0, 'list'],
      [160, 'row'],
      [320, 'list'],
      [480, 'row'],
      [640, 'list'],
    ]);
    clock.advance(1_000);
    expect(store.breaker('a')).toBe(store.fleet.breakers.get('a'));
    expect(store.list()).toEqual([store.breaker('a')]);
  });

  it('[U-04] does not rest in the background, where only title and icon are seen', () => {
    vi.stubGlobal('document', { visibilityState: 'hidden' });
    onTestFinished(() => void vi.unstubAllGlobals());
    const clock = new FakeClock(1_000_000);
    const breather = new Breather(clock, browserPainted);
    const drawn: string[] = [];
    for (const what of ['a', 'b', 'c']) breather.draw(() => void drawn.push(what));
    expect(drawn).toEqual(['a', 'b', 'c']);
    expect(breather.isSlow).toBe(false);
  });
});
