import { describe, expect, it } from 'vitest';
import { fault } from '@/examples/demo/faults';
import { fleet } from '@/examples/demo/fleet';
import { classicPolicy, databasePolicy } from '@/examples/demo/policies';
import { nextScene, roundMs, scenario, scenesBetween } from '@/examples/demo/scenario';

describe('the scenario', () => {
  it('is in order, ends in a quiet time, and names services of the fleet', () => {
    const times = scenario.map(({ atMs }) => atMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(roundMs - (times.at(-1) ?? 0)).toBeGreaterThan(30_000);
    const names = fleet.map(({ name }) => name);
    for (const { services } of scenario)
      expect(names).toEqual(expect.arrayContaining([...services]));
  });

  it('holds only faults that a service accepts', () => {
    for (const scene of scenario) expect(fault.parse(scene.fault)).toEqual(scene.fault);
  });

  it('leaves every service healthy at the end of a round', () => {
    const last = new Map<string, string>();
    for (const { services, fault } of scenario) {
      for (const service of services) last.set(service, fault.kind);
    }
    // A cold restart ends by itself.
    for (const kind of last.values()) expect(['clear', 'restart_cold']).toContain(kind);
  });

  it('shows trip, failed recovery and ramp within a minute of the start', () => {
    const [first] = scenario;
    if (first?.fault.kind !== 'restart_cold') throw new Error('the first scene is the restart');
    const base = databasePolicy.open?.kind === 'exponential' ? databasePolicy.open.baseMs : 0;
    const jitter = 1 + (databasePolicy.open?.jitter ?? 0);
    // The first probe meets a database that is still down …
    expect(base * jitter).toBeLessThan(first.fault.downMs);
    // … the second, after twice the wait, one that is up and cold.
    expect(base * (3 - jitter) * 3).toBeGreaterThan(first.fault.downMs);
    const ramp = 4 * 2_500;
    expect(first.atMs + 3 * base * jitter + ramp + 2_000).toBeLessThan(60_000);
  });

  it('lets the classic breaker fail at least four times before it is helped', () => {
    const [first, help] = scenario;
    const base = classicPolicy.open?.kind === 'fixed' ? classicPolicy.open.baseMs : Infinity;
    expect(((help?.atMs ?? 0) - (first?.atMs ?? 0)) / (base * 1.1 + 3_000)).toBeGreaterThan(4);
  });
});

describe('scenesBetween', () => {
  const at = scenario[0]?.atMs ?? 0;

  it('plays every scene once, however the ticks fall', () => {
    for (const step of [100, 250, 7_000]) {
      const played = [];
      for (let from = 0; from < 2 * roundMs; from += step) {
        played.push(...scenesBetween(from, Math.min(from + step, 2 * roundMs)));
      }
      expect(played).toEqual([...scenario, ...scenario]);
    }
  });

  it('plays a scene at its own instant, not before', () => {
    expect(scenesBetween(0, at - 1)).toEqual([]);
    expect(scenesBetween(at - 1, at)).toEqual([scenario[0]]);
    expect(scenesBetween(at, at + 1)).toEqual([]);
  });
});

describe('nextScene', () => {
  it('counts down, and across the end of a round', () => {
    expect(nextScene(0).inMs).toBe(scenario[0]?.atMs);
    const last = scenario.at(-1)?.atMs ?? 0;
    expect(nextScene(last).scene).toBe(scenario[0]);
    expect(nextScene(last).inMs).toBe(roundMs - last + (scenario[0]?.atMs ?? 0));
  });
});
