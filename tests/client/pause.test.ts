import { describe, expect, it, vi } from 'vitest';
import { breakerFixture } from '@/components/design/breaker-fixtures';
import { LiveStore } from '@/lib/client/live-store';
import { foldPatch, foldSnapshot, EMPTY_FLEET, type Fleet } from '@/lib/live/fold';
import { FakeClock } from '@/tests/support/fake-clock';

const NOW = 1_000_000;
const row = (id: string, change = {}) => breakerFixture(NOW, { id, ...change });

function fleetOf(...breakers: ReturnType<typeof row>[]): Fleet {
  return foldSnapshot(EMPTY_FLEET, {
    type: 'snapshot',
    serverEpoch: 'e',
    revision: 1,
    now: NOW,
    environmentNames: ['production'],
    breakers,
    services: [],
    overrides: [],
  });
}

function opened(fleet: Fleet): Fleet {
  const folded = foldPatch(fleet, {
    type: 'patch',
    fromRevision: fleet.revision + 1,
    toRevision: fleet.revision + 1,
    now: NOW,
    breakers: [row('a', { state: 'open' })],
  });
  if (folded.kind !== 'applied') throw new Error(`not applied: ${folded.kind}`);
  return folded.fleet;
}

function setup() {
  const clock = new FakeClock(NOW);
  const store = new LiveStore(clock);
  store.apply(fleetOf(row('a', { state: 'closed' })));
  return { clock, store };
}

describe('[U-31] a paused page', () => {
  it('shows nothing of what comes in, and all of it when resumed', () => {
    const { store } = setup();
    const heard = vi.fn<() => void>();
    store.watchRow('a', heard);
    store.channels.add('list', heard);
    store.setPaused(true);
    store.apply(opened(store.fleet));
    expect(store.breaker('a')?.state).toBe('closed');
    expect(store.list()[0]?.state).toBe('closed');
    expect(store.summary().open).toBe(0);
    expect(heard).not.toHaveBeenCalled();

    store.setPaused(false);
    expect(store.breaker('a')?.state).toBe('open');
    expect(store.summary().open).toBe(1);
    expect(heard).toHaveBeenCalled();
  });

  it('goes on folding, so that its cursor stays good', () => {
    const { store } = setup();
    store.setPaused(true);
    store.apply(opened(store.fleet));
    store.apply(opened(store.fleet));
    expect(store.fleet.revision).toBe(3);
  });

  it('says at most once a second that something was missed', () => {
    const { clock, store } = setup();
    const missed = vi.fn<() => void>();
    store.channels.add('missed', missed);
    store.setPaused(true);
    for (let times = 0; times < 19; times += 1) {
      store.apply(opened(store.fleet));
      clock.advance(100);
    }
    expect(missed).toHaveBeenCalledTimes(1);
    clock.advance(100);
    expect(missed).toHaveBeenCalledTimes(2);
  });

  it('leaves no timer behind', () => {
    const { clock, store } = setup();
    clock.advance(10_000);
    store.setPaused(true);
    store.apply(opened(store.fleet));
    store.setPaused(false);
    clock.advance(10_000);
    expect(clock.pending).toBe(0);
  });
});
