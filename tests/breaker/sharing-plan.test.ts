import { describe, expect, it } from 'vitest';
import { decide, leaveFor } from '@/lib/breaker/sharing/plan';
import type { LocalView, Plan, Rules } from '@/lib/breaker/sharing/plan';
import type { SharedPhase, SharedRecord } from '@/lib/breaker/sharing/shared-record';

/** The times of one record: it was written `ageMs` ago and runs for 1,000 ms. */
const FOR_MS = 1_000;
const LEASE_MS = 5_000;

const rules: Rules = { instance: 'me', trips: 'adopt', leaseMs: LEASE_MS };
const own: Rules = { ...rules, trips: 'own' };

/** `#1` is the opening that this instance has taken note of; `#2` is news to it. */
const shared = (phase: SharedPhase, by = 'peer', opening = '#1'): SharedRecord => ({
  phase,
  opening,
  by,
  level: 3,
  forMs: FOR_MS,
});

const me = (state: LocalView['state'], more: Partial<LocalView> = {}): LocalView => ({
  state,
  step: null,
  retryInMs: 0,
  level: 1,
  seen: '#1',
  news: null,
  opening: 'me#9',
  ...more,
});

const closed = (kind?: 'closed' | 'tripped'): LocalView =>
  me('closed', { news: kind === undefined ? null : { kind } });
const open = (kind?: 'tripped' | 'fell_back' | 'closed'): LocalView =>
  me('open', { news: kind === undefined ? null : { kind }, retryInMs: 700 });
const at = (step: number): LocalView => me('half_open', { step });

const nothing = { write: null, adopt: null };
const leased = (record: SharedRecord): Plan => ({
  write: { ...record, phase: 'probing', by: 'me', forMs: LEASE_MS },
  adopt: null,
  seen: record.opening,
});

describe('an instance that has opened', () => {
  const told = {
    write: { phase: 'open', opening: 'me#9', by: 'me', level: 1, forMs: 700 },
    adopt: null,
    seen: 'me#9',
  };

  it.each<[string, LocalView, SharedRecord]>([
    ['a trip, nothing agreed', open('tripped'), shared('free')],
    ['a trip, an old opening agreed on as over', open('tripped'), shared('free', 'peer', '#2')],
    ['a trip while the known opening is still open', open('tripped'), shared('open')],
    ['a trip while a peer leads the known opening', open('tripped'), shared('probing')],
    ['a recovery that failed at the first step', open('fell_back'), shared('probing', 'me')],
    ['a recovery that failed later', open('fell_back'), shared('ramping', 'me')],
  ])('[D4] [D12] opens all: %s', (_, local, record) => {
    expect(decide(rules, local, record, 0)).toEqual(told);
  });

  it.each<[string, LocalView, SharedRecord]>([
    ['nothing new', open(), shared('free')],
    ['nothing new, though it leads', open(), shared('probing', 'me')],
    ['an older end, though it leads', open('closed'), shared('ramping', 'me')],
    ['a trip, but a peer was first', open('tripped'), shared('open', 'peer', '#2')],
    ['a trip, but a peer probes after another', open('tripped'), shared('probing', 'peer', '#2')],
    ['a recovery that a peer leads', open('fell_back'), shared('probing')],
    ['a recovery that a peer has led', open('fell_back'), shared('ramping')],
    ['a recovery of its own that it has not led', open('fell_back'), shared('open', 'me')],
    ['a recovery, all of it over', open('fell_back'), shared('free', 'me')],
  ])('[D5] [D12] keeps it to itself: %s', (_, local, record) => {
    expect(decide(rules, local, record, 2 * FOR_MS)).toEqual({
      ...nothing,
      seen: record.opening,
    });
  });
});

describe('an instance at its first step', () => {
  it.each<[string, SharedRecord, number]>([
    ['the open time is over', shared('open'), FOR_MS],
    ['the lease of a peer has run out', shared('probing'), FOR_MS],
    ['its own lease is half over', shared('probing', 'me'), FOR_MS / 2],
  ])('[D10] [D13] takes the lease: %s', (_, record, ageMs) => {
    expect(decide(rules, at(0), record, ageMs)).toEqual(leased(record));
    expect(decide(rules, at(0), record, ageMs - 1)).toEqual({ ...nothing, seen: '#1' });
  });

  it.each<[string, SharedRecord]>([
    ['nothing is agreed', shared('free')],
    ['a peer is past its first step', shared('ramping')],
    ['it was past its first step', shared('ramping', 'me')],
  ])('[D11] takes none: %s', (_, record) => {
    expect(decide(rules, at(0), record, 2 * FOR_MS)).toEqual({ ...nothing, seen: '#1' });
  });
});

describe('an instance past its first step', () => {
  it.each<[string, SharedRecord, number]>([
    ['it holds the lease', shared('probing', 'me'), 0],
    ['all are open and the retry is due', shared('open'), FOR_MS],
  ])('[D11] lets the others begin: %s', (_, record, ageMs) => {
    expect(decide(rules, at(1), record, ageMs)).toEqual({
      write: { ...record, phase: 'ramping', by: 'me', forMs: 0 },
      adopt: null,
      seen: '#1',
    });
  });

  it.each<[string, SharedRecord, number]>([
    ['all are open and the retry is not due', shared('open'), FOR_MS - 1],
    ['a peer holds the lease', shared('probing'), 2 * FOR_MS],
    ['the others have begun', shared('ramping'), 2 * FOR_MS],
    ['nothing is agreed', shared('free'), 2 * FOR_MS],
  ])('[D13] says nothing: %s', (_, record, ageMs) => {
    expect(decide(rules, at(1), record, ageMs)).toEqual({ ...nothing, seen: '#1' });
  });
});

describe('an instance that has closed', () => {
  it.each<[string, SharedRecord, number]>([
    ['the opening was still open', shared('open'), 0],
    ['it held the lease', shared('probing', 'me'), 0],
    ['the lease of a peer has run out', shared('probing'), FOR_MS],
    ['all were past the first step', shared('ramping'), 0],
  ])('[D11] says that it is over: %s', (_, record, ageMs) => {
    expect(decide(rules, closed('closed'), record, ageMs)).toEqual({
      write: { ...record, phase: 'free', by: 'me', forMs: 0 },
      adopt: null,
      seen: '#1',
    });
  });

  it.each<[string, LocalView, SharedRecord]>([
    ['a peer is at its first probes', closed('closed'), shared('probing')],
    ['it is over already', closed('closed'), shared('free')],
    ['it was closed by hand', closed(), shared('open')],
    ['it was closed by hand before it told of its trip', closed('tripped'), shared('ramping')],
  ])('[D7] [D13] says nothing: %s', (_, local, record) => {
    expect(decide(rules, local, record, FOR_MS - 1)).toEqual({ ...nothing, seen: '#1' });
  });
});

describe('an opening that is news', () => {
  const peer = { reason: 'peer', level: 3 };

  it.each<[string, LocalView, SharedPhase, number, number]>([
    ['closed, all are open', closed(), 'open', 300, 700],
    ['closed, its time is over', closed(), 'open', 1_300, 0],
    ['closed, a peer probes', closed(), 'probing', 300, 0],
    ['closed, a peer is past its first step', closed(), 'ramping', 300, 0],
    ['closed after an opening before', closed('closed'), 'open', 300, 700],
    ['half-open', at(0), 'open', 300, 700],
    ['half-open and further', at(2), 'open', 300, 700],
    ['half-open, its time is over', at(0), 'open', 1_300, 0],
    ['half-open and further, its time is over', at(2), 'open', 1_300, 0],
  ])('[D6] is adopted: %s', (_, local, phase, ageMs, retryInMs) => {
    expect(decide(rules, local, shared(phase, 'peer', '#2'), ageMs)).toEqual({
      write: null,
      adopt: { ...peer, retryInMs },
      seen: '#2',
    });
  });

  it.each<[string, LocalView, SharedPhase]>([
    ['it is over', closed(), 'free'],
    ['it is open itself', open(), 'open'],
    ['it is open and a peer probes', open(), 'probing'],
    ['it recovers, and so does a peer', at(0), 'ramping'],
    ['it recovers, and a peer probes', at(1), 'probing'],
  ])('[D6] is noted and no more: %s', (_, local, phase) => {
    expect(decide(rules, local, shared(phase, 'peer', '#2'), 300)).toEqual({
      ...nothing,
      seen: '#2',
    });
  });

  it.each(['forced_open', 'forced_closed', 'metrics_only', 'disabled'] as const)(
    '[D7] waits while this instance is %s',
    (state) => {
      for (const phase of ['open', 'probing', 'ramping'] as const) {
        expect(decide(rules, me(state), shared(phase, 'peer', '#2'), 300)).toEqual({
          ...nothing,
          seen: '#1',
        });
      }
    },
  );

  it('[D7] that is known already is not adopted again', () => {
    for (const phase of ['open', 'probing', 'ramping'] as const) {
      expect(decide(rules, closed(), shared(phase), 300)).toEqual({ ...nothing, seen: '#1' });
    }
  });
});

describe('where each trips for itself', () => {
  it.each<[string, SharedRecord, number]>([
    ['it is free', shared('free'), 0],
    ['that of a peer has run out', shared('probing'), FOR_MS],
    ['its own is half over', shared('probing', 'me'), FOR_MS / 2],
  ])('[D10] the first step takes the lease: %s', (_, record, ageMs) => {
    expect(decide(own, at(0), record, ageMs)).toEqual({ ...leased(record), seen: '#1' });
  });

  it.each<[string, LocalView, SharedRecord]>([
    ['a peer has it', at(0), shared('probing')],
    ['it is past its first step and a peer has it', at(1), shared('probing')],
    ['it has tripped', open('tripped'), shared('free')],
    ['it has closed', closed('closed'), shared('probing')],
    ['nothing has happened', closed(), shared('probing', 'peer', '#2')],
  ])('[D4] nothing is said: %s', (_, local, record) => {
    expect(decide(own, local, record, FOR_MS - 1)).toEqual({ ...nothing, seen: '#1' });
  });

  it('[D10] the lease is given back after the first step', () => {
    for (const local of [at(1), open('fell_back'), closed('closed'), me('forced_open')]) {
      const record = shared('probing', 'me');
      expect(decide(own, local, record, 0)).toEqual({
        write: { ...record, phase: 'free', forMs: 0 },
        adopt: null,
        seen: '#1',
      });
    }
  });
});

describe('the leave to probe', () => {
  it('[D13] of the holder ends at nine tenths, counted from before it asked, and is not divided', () => {
    for (const kind of [rules, own]) {
      const leave = (ageMs: number, sinceMs: number) =>
        leaveFor(kind, at(0), shared('probing', 'me'), ageMs, sinceMs, 4);
      expect(leave(0, 0)).toEqual({ forMs: 900, sharedBy: 1 });
      expect(leave(300, 50)).toEqual({ forMs: 550, sharedBy: 1 });
      expect(leave(800, 101)).toEqual({ forMs: 0, sharedBy: 1 });
    }
  });

  it.each<[string, Rules, LocalView, SharedRecord, number]>([
    ['nothing is agreed', rules, at(0), shared('free'), Infinity],
    ['a peer is past its first step', rules, at(0), shared('ramping'), Infinity],
    ['all are open', rules, at(1), shared('open'), 0],
    ['a peer probes', rules, at(1), shared('probing'), 0],
    ['own trips, at the first step', own, at(0), shared('free'), 0],
    ['own trips, a peer at its first step', own, at(0), shared('probing'), 0],
    ['own trips, past the first step', own, at(1), shared('probing'), Infinity],
    ['own trips, open', own, open(), shared('free'), 0],
    ['own trips, closed', own, closed(), shared('free'), 0],
  ])('[D10] [D11] [D14] of the others, among all: %s', (_, kind, local, record, forMs) => {
    expect(leaveFor(kind, local, record, 300, 50, 4)).toEqual({ forMs, sharedBy: 4 });
  });
});
