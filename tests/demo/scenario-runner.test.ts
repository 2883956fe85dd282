import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { roundMs, scenario } from '@/examples/demo/scenario';
import { ScenarioRunner } from '@/examples/demo/scenario-runner';

function makeRunner() {
  const applied: string[] = [];
  const runner = new ScenarioRunner({
    apply: async (service, fault) => applied.push(`${service} ${fault.kind}`),
    log: () => undefined,
    now: () => Date.now(),
  });
  return { applied, runner };
}

describe('ScenarioRunner', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('switches the faults of a round in order, and again in the next', () => {
    const { applied, runner } = makeRunner();
    const expected = scenario.flatMap(({ services, fault }) =>
      services.map((service) => `${service} ${fault.kind}`),
    );
    runner.play();
    vi.advanceTimersByTime(roundMs);
    expect(applied).toEqual(expected);
    vi.advanceTimersByTime(roundMs);
    expect(applied).toEqual([...expected, ...expected]);
    runner.pause();
  });

  it('does nothing while paused and starts from the beginning afterwards', () => {
    const { applied, runner } = makeRunner();
    runner.play();
    vi.advanceTimersByTime(1_000);
    runner.pause();
    vi.advanceTimersByTime(roundMs);
    expect(applied).toEqual([]);
    expect(runner.describe()).toEqual({ running: false, next: null, inMs: null });
    runner.play();
    expect(runner.describe().inMs).toBe(scenario[0]?.atMs);
    runner.pause();
  });

  it('goes on when a service cannot be reached', async () => {
    const lines: string[] = [];
    const runner = new ScenarioRunner({
      apply: () => Promise.reject(new Error('gone')),
      log: (line) => lines.push(line),
      now: () => Date.now(),
    });
    runner.play();
    await vi.advanceTimersByTimeAsync(roundMs);
    runner.pause();
    expect(lines.filter((line) => line.includes('gone')).length).toBeGreaterThan(2);
  });
});
