import { describe, expect, it } from 'vitest';
import { breakerFixture } from '@/components/design/breaker-fixtures';
import { overrideFixture, serviceFixtures } from '@/components/design/fixtures';
import {
  cursorOf,
  EMPTY_FLEET,
  foldHeartbeat,
  foldPatch,
  foldSnapshot,
  type Fleet,
} from '@/lib/live/fold';
import type { LivePatch, LiveSnapshot } from '@/lib/protocol/live-frames';

const NOW = 1_800_000_000_000;
const row = (id: string, part = {}) => breakerFixture(NOW, { id, ...part });

function snapshot(part: Partial<LiveSnapshot> = {}): LiveSnapshot {
  return {
    type: 'snapshot',
    serverEpoch: 'epoch-1',
    revision: 10,
    now: NOW,
    environmentNames: ['production'],
    breakers: [row('a'), row('b')],
    services: serviceFixtures(NOW),
    overrides: [],
    ...part,
  };
}

const patch = (from: number, to: number, part: Partial<LivePatch> = {}): LivePatch => ({
  type: 'patch',
  fromRevision: from,
  toRevision: to,
  now: NOW,
  ...part,
});

const started = () => foldSnapshot(EMPTY_FLEET, snapshot());

function applied(fleet: Fleet, change: LivePatch): Fleet {
  const folded = foldPatch(fleet, change);
  if (folded.kind !== 'applied') throw new Error(`patch was ${folded.kind}`);
  return folded.fleet;
}

describe('folding patches', () => {
  it('has no cursor before a snapshot, and the snapshot revision after it', () => {
    expect(cursorOf(EMPTY_FLEET)).toBeNull();
    expect(cursorOf(started())).toEqual({ serverEpoch: 'epoch-1', revision: 10 });
  });

  it('merges only the fields of a partial row', () => {
    const fleet = applied(started(), patch(11, 11, { breakers: [{ id: 'a', state: 'open' }] }));
    expect(fleet.breakers.get('a')).toEqual({ ...row('a'), state: 'open' });
    expect(fleet.revision).toBe(11);
  });

  it('keeps the object of every row that did not change', () => {
    const before = started();
    const after = applied(before, patch(11, 11, { breakers: [{ id: 'a', level: 2 }] }));
    expect(after.breakers.get('b')).toBe(before.breakers.get('b'));
    expect(after.breakers.get('a')).not.toBe(before.breakers.get('a'));
    expect(after.services).toBe(before.services);
  });

  it('keeps the row and the map when a patch says what is already known', () => {
    const before = started();
    const same = { id: 'a', state: row('a').state, spark: [...row('a').spark] };
    const after = applied(before, patch(11, 11, { breakers: [same] }));
    expect(after.breakers).toBe(before.breakers);
    expect(after.revision).toBe(11);
  });

  it('takes a patch that covers a range and overlaps what is known', () => {
    const fleet = applied(started(), patch(8, 14, { breakers: [{ id: 'b', level: 1 }] }));
    expect(fleet.revision).toBe(14);
    expect(foldPatch(fleet, patch(12, 14)).kind).toBe('old');
  });

  it('reports a gap and a part of an unknown row as a gap', () => {
    expect(foldPatch(started(), patch(12, 12)).kind).toBe('gap');
    const partial = patch(11, 11, { breakers: [{ id: 'new', state: 'open' }] });
    expect(foldPatch(started(), partial).kind).toBe('gap');
  });

  it('adds whole rows, removes rows, and drops nothing else', () => {
    const fleet = applied(
      started(),
      patch(11, 11, { breakers: [row('c')], removedBreakers: ['a', 'unknown'] }),
    );
    expect([...fleet.breakers.keys()]).toEqual(['b', 'c']);
  });

  it('forgets overrides an hour after their end', () => {
    const ended = { ...overrideFixture(NOW), endedAt: NOW - 1_000 };
    const fleet = applied(started(), patch(11, 11, { overrides: [ended] }));
    expect(fleet.overrides.size).toBe(1);
    const later = { ...patch(12, 12), now: NOW + 3_700_000 };
    expect(applied(fleet, later).overrides.size).toBe(0);
  });
});

describe('snapshots and heartbeats', () => {
  it('replaces everything, and shares the rows that are the same', () => {
    const before = started();
    const after = foldSnapshot(
      before,
      snapshot({ serverEpoch: 'epoch-2', revision: 3, breakers: [row('a')] }),
    );
    expect(after.breakers.get('a')).toBe(before.breakers.get('a'));
    expect(after.breakers.has('b')).toBe(false);
    expect(cursorOf(after)).toEqual({ serverEpoch: 'epoch-2', revision: 3 });
  });

  it('moves forward with a heartbeat, never back', () => {
    expect(foldHeartbeat(started(), 15).revision).toBe(15);
    expect(foldHeartbeat(started(), 4).revision).toBe(10);
    expect(foldHeartbeat(EMPTY_FLEET, 4)).toBe(EMPTY_FLEET);
  });

  it('gives the same fleet whatever the batching of the same changes', () => {
    const one = applied(
      started(),
      patch(11, 12, { breakers: [{ id: 'a', level: 2, state: 'open' }] }),
    );
    const two = applied(
      applied(started(), patch(11, 11, { breakers: [{ id: 'a', level: 2 }] })),
      patch(12, 12, { breakers: [{ id: 'a', state: 'open' }] }),
    );
    expect(one).toEqual(two);
  });
});
