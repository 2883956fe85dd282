import { afterEach, describe, expect, it } from 'vitest';
import { fault, obstacle } from '@/examples/demo/faults';
import { call } from '@/examples/demo/http-client';
import { failed, ok, type Running } from '@/examples/demo/service';
import { ServiceDoor } from '@/examples/demo/service-door';

const open: ServiceDoor[] = [];

async function makeDoor(running: Partial<Running> = {}) {
  const door = new ServiceDoor({ handle: async () => ok({ fine: true }), ...running });
  open.push(door);
  return { door, url: await door.open() };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((door) => door.apply({ kind: 'refuse' })));
});

describe('a fault', () => {
  it('has defaults and refuses what it does not know', () => {
    expect(fault.parse({ kind: 'errors' })).toEqual({ kind: 'errors', share: 1 });
    expect(() => fault.parse({ kind: 'fire' })).toThrow('kind');
    expect(() => fault.parse({ kind: 'errors', share: 2 })).toThrow('share');
    expect(() => fault.parse({ kind: 'clear', share: 1 })).toThrow('share');
  });

  it('hits the given share of the calls', () => {
    const half = fault.parse({ kind: 'errors', share: 0.5 });
    expect(obstacle(half, () => 0.49)).toBe('error');
    expect(obstacle(half, () => 0.5)).toBe('none');
    expect(obstacle(null, () => 0)).toBe('none');
  });
});

describe('a service over real HTTP', () => {
  it('answers, and says how often', async () => {
    const { door, url } = await makeDoor();
    expect(await call(`${url}/`)).toBe('{"fine":true}');
    expect(door.served).toBe(1);
  });

  it('passes its own error on', async () => {
    const { url } = await makeDoor({ handle: async () => failed(503, 'full') });
    await expect(call(url)).rejects.toMatchObject({ status: 503 });
  });

  it('answers with errors, late, or not at all', async () => {
    const { door, url } = await makeDoor();
    await door.apply({ kind: 'errors', share: 1 });
    await expect(call(url)).rejects.toMatchObject({ status: 500 });

    await door.apply({ kind: 'latency', ms: 60 });
    const startedAt = performance.now();
    await call(url);
    expect(performance.now() - startedAt).toBeGreaterThan(55);

    await door.apply({ kind: 'hang', share: 1 });
    await expect(call(url, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });

  it('refuses connections and comes back under the same address', async () => {
    const { door, url } = await makeDoor();
    await call(url);
    await door.apply({ kind: 'refuse' });
    await expect(call(url)).rejects.toMatchObject({ code: expect.stringMatching(/^ECONN/) });
    await door.apply({ kind: 'clear' });
    expect(await call(url)).toBe('{"fine":true}');
  });

  it('restarts cold and by itself', async () => {
    let restarts = 0;
    const { door, url } = await makeDoor({ restartCold: () => (restarts += 1) });
    await door.apply({ kind: 'restart_cold', downMs: 50 });
    await expect(call(url)).rejects.toThrow('connect');
    expect(restarts).toBe(0);
    await expect.poll(() => call(url).catch(() => ''), { interval: 20 }).toBe('{"fine":true}');
    expect(restarts).toBe(1);
    expect(door.fault).toBeNull();
  });
});
