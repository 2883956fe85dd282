import { describe, expect, it } from 'vitest';
import {
  type Answer,
  capacityRps,
  coldStore,
  inventoryDb,
  serve,
  type Store,
  warmStore,
} from '@/examples/demo/capacity';

const OFFERED_RPS = 14.4;

/** Offers calls at a steady rate and tells what became of them. */
function offer(store: Store, startAt: number, rps: number, forMs: number) {
  const answers: Answer[] = [];
  let current = store;
  const gap = 1_000 / rps;
  for (let now = startAt; now < startAt + forMs; now += gap) {
    const result = serve(current, now, inventoryDb);
    current = result.store;
    answers.push(result.answer);
  }
  const ok = answers.filter((answer) => answer.kind === 'ok');
  return {
    store: current,
    endAt: startAt + forMs,
    share: ok.length / answers.length,
    slowestMs: Math.max(0, ...ok.map((answer) => answer.latencyMs)),
    lost: answers.some((answer) => answer.kind === 'lost'),
  };
}

describe('a warm store', () => {
  it('takes the whole traffic of the demo and stays warm', () => {
    const run = offer(warmStore(), 0, OFFERED_RPS, 60_000);
    expect(run.share).toBe(1);
    expect(run.slowestMs).toBeLessThan(20);
    expect(run.store.warmth).toBeCloseTo(1);
  });

  it('answers slower near its capacity', () => {
    const easy = offer(warmStore(), 0, 3, 10_000);
    const near = offer(warmStore(), 0, 35, 10_000);
    expect(near.share).toBe(1);
    expect(near.slowestMs).toBeGreaterThan(2 * easy.slowestMs);
  });

  it('collapses when it is offered more than it can take for a while, and loses its warmth', () => {
    const run = offer(warmStore(), 0, 80, 3_000);
    expect(run.lost).toBe(true);
    expect(capacityRps(run.store, inventoryDb)).toBeLessThan(inventoryDb.fullRps / 2);
  });
});

describe('a store after a restart', () => {
  it('answers a single probe well', () => {
    const { answer } = serve(coldStore(), 0, inventoryDb);
    expect(answer).toEqual({ kind: 'ok', latencyMs: 18 });
  });

  it.each([OFFERED_RPS, OFFERED_RPS / 2])('dies again when %s calls/s come in at once', (rps) => {
    const run = offer(coldStore(), 0, rps, 3_000);
    expect(run.lost).toBe(true);
    expect(run.share).toBeLessThan(0.7);
  });

  it('does not get better however often that is tried', () => {
    let store = coldStore();
    let now = 0;
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const run = offer(store, now, OFFERED_RPS, 2_000);
      expect(run.lost).toBe(true);
      store = run.store;
      now = run.endAt + 4_000;
    }
  });

  it('comes back under 10, 30, 60 and 100 % without losing a call', () => {
    let store = coldStore();
    let now = 0;
    for (const share of [0.1, 0.3, 0.6, 1]) {
      const run = offer(store, now, OFFERED_RPS * share, 2_500);
      expect(run.share).toBe(1);
      store = run.store;
      now = run.endAt;
    }
    const after = offer(store, now, OFFERED_RPS, 30_000);
    expect(after.share).toBe(1);
    expect(after.store.warmth).toBeGreaterThan(0.99);
  });

  it('survives the ramp when the two callers are at different steps', () => {
    let store = coldStore();
    let now = 0;
    const half = OFFERED_RPS / 2;
    for (const [first, second] of [
      [0.1, 0.1],
      [0.3, 0.1],
      [0.6, 0.3],
      [1, 0.6],
      [1, 1],
    ] as const) {
      const run = offer(store, now, half * (first + second), 2_500);
      expect(run.share).toBe(1);
      store = run.store;
      now = run.endAt;
    }
  });
});

describe('a collapsed store', () => {
  it('loses every call until it is up again, cold', () => {
    const down: Store = { ...coldStore(), downUntil: 1_500 };
    expect(serve(down, 1_499, inventoryDb).answer.kind).toBe('lost');
    expect(serve(down, 1_500, inventoryDb).answer.kind).toBe('ok');
  });
});
