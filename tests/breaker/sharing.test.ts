import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions } from '@/lib/breaker';
import { cluster, only, ramp } from './sharing-support';
import type { Instance } from './sharing-support';

/** Two instances that know of each other; the first has tripped and told. */
async function tripped(size = 2) {
  const c = cluster(size);
  await c.adv(2_000);
  only(c.instances).trip();
  await c.adv(2_000);
  return c;
}

describe('openings', () => {
  it('[D4] each instance trips for itself, unless asked to adopt', async () => {
    const c = cluster(3, { trips: 'own' });
    await c.adv(2_000);
    only(c.instances).trip();
    await c.adv(3_000);
    expect(c.states()).toEqual(['open', 'closed', 'closed']);
  });

  it('[D4] one trip opens the others, for what is left of its time', async () => {
    const c = cluster(3);
    await c.adv(2_000);
    only(c.instances).trip();
    const due = only(c.instances).breaker.status().retryAt ?? 0;
    await c.adv(1_500);
    expect(c.states()).toEqual(['open', 'open', 'open']);
    const { reason, data, from } = only(only(c.instances, 1).events);
    expect({ reason, from, cause: data.cause }).toEqual({
      reason: 'peer',
      from: 'closed',
      cause: 'trip',
    });
    for (const { breaker } of c.instances) expect(breaker.status().retryAt).toBe(due);
  });

  it('[case 94] [D5] a peer that sees it leaves the stamp alone; they are half-open on time', async () => {
    const c = await tripped(4);
    const before = await c.record();
    await c.adv(7_000);
    const after = await c.record();
    expect(after).toEqual({ ...before, ageMs: before.ageMs + 7_000 });
    expect(c.instances.map(({ line }) => line.writes)).toEqual([1, 0, 0, 0]);
    await c.adv(1_500);
    expect(c.states()).toEqual(['half_open', 'half_open', 'half_open', 'half_open']);
  });

  it('[case 94] [D5] when all trip at once, the first one sets the time', async () => {
    const c = cluster(3);
    await c.adv(2_000);
    for (const instance of c.instances) instance.trip();
    await c.adv(3_000);
    expect((await c.record()).epoch).toBe(1);
    for (const { sharing } of c.instances) expect(sharing.status().adopted).toBe(0);
  });

  it('[case 95] [D6] a new instance does not reset what is shared, and opens too', async () => {
    const c = await tripped(1);
    const late = c.start();
    let ready = false;
    const waiting = async (): Promise<void> => {
      await late.sharing.ready;
      ready = true;
    };
    void waiting();
    expect(ready).toBe(false);
    await c.adv(50);
    expect(ready).toBe(true);
    expect(c.states()).toEqual(['open', 'open']);
    expect(late.breaker.status().retryInMs).toBeLessThan(8_100);
  });

  it('[case 98] [D6] adopting hands out no permits, and neither does restoring', async () => {
    const c = await tripped(2);
    const peer = only(c.instances, 1);
    expect(peer.breaker.status()).toMatchObject({ inFlight: 0, counters: { admitted: 0 } });
    expect(peer.acq()).toBeNull();
    const { now } = c.clock;
    const options = { ...ramp, clock: now, wallClock: now };
    const restored = CircuitBreaker.restore('inventory', options, peer.breaker.snapshot());
    expect(restored.status()).toMatchObject({ state: 'open', inFlight: 0, ledger: null });
  });

  it('[D6] an adopted opening makes permits under way late', async () => {
    const c = cluster(2);
    await c.adv(2_000);
    const slow = only(c.instances, 1).acq();
    only(c.instances).trip();
    await c.adv(2_000);
    expect(slow?.success()).toBe('late');
    expect(c.states()).toEqual(['open', 'open']);
  });

  it('[D7] an opening is adopted once: a reset by hand is not undone', async () => {
    const c = await tripped();
    const peer = only(c.instances, 1);
    peer.breaker.reset();
    await c.adv(3_000);
    expect(c.states()).toEqual(['open', 'closed']);
    expect(peer.sharing.status().adopted).toBe(1);
  });

  it('[D7] an override of this instance stands above it, and what still holds is adopted after', async () => {
    const c = cluster(2);
    await c.adv(2_000);
    const peer = only(c.instances, 1);
    const hold = peer.breaker.override('forced_closed', { reason: 'test', actor: 'ann' });
    only(c.instances).trip();
    await c.adv(2_000);
    expect(c.states()).toEqual(['open', 'forced_closed']);
    hold.release();
    await c.adv(1_500);
    expect(c.states()).toEqual(['open', 'open']);
  });

  it('[D8] the level travels, so that a peer that takes over waits as long', async () => {
    const c = await tripped();
    await c.adv(9_000);
    const [leader, peer] = [only(c.instances), only(c.instances, 1)];
    for (let i = 0; i < 20; i++) leader.acq()?.failure('server_error');
    await c.adv(1_500);
    expect(c.states()).toEqual(['open', 'open']);
    expect(peer.breaker.status().level).toBe(leader.breaker.status().level);
    expect(peer.breaker.status().level).toBe(1);
  });
});

describe('probing', () => {
  it('[D10] only one instance probes at first', async () => {
    const c = await tripped(4);
    const probers = new Set<string>();
    const passed = () => c.instances.some(({ breaker }) => (breaker.status().step ?? 0) > 0);
    await c.adv(12_000, () => {
      if (passed() || c.states().includes('closed')) return;
      for (const name of c.calls()) probers.add(name);
    });
    expect(passed()).toBe(true);
    expect(probers.size).toBe(1);
  });

  it('[D10] [D11] never more than the share of the furthest step, over all', async () => {
    const c = await tripped(5);
    let arrived = 0;
    let admitted = 0;
    let top = 0;
    let shares: number[] = [];
    await c.adv(20_000, () => {
      const steps = c.instances.map(({ breaker }) => breaker.share);
      const furthest = Math.max(...steps);
      if (furthest !== top) {
        if (arrived > 50 && top > 0 && top < 1) shares.push(admitted / arrived / top);
        [top, arrived, admitted] = [furthest, 0, 0];
      }
      for (let i = 0; i < 4; i++) {
        arrived += c.instances.length;
        admitted += c.calls().length;
      }
    });
    expect(c.states()).toEqual(Array.from({ length: 5 }, () => 'closed'));
    expect(shares.length).toBeGreaterThanOrEqual(2);
    for (const part of shares) expect(part).toBeLessThanOrEqual(1.05);
    // In the first step one instance of five probes: a fifth of the share.
    expect(shares[0]).toBeLessThanOrEqual(0.3);
    shares = [];
  });

  it('[D11] when the first one is past its first step the others begin theirs', async () => {
    const c = await tripped(3);
    await c.adv(8_500);
    const lead = () => c.instances.filter(({ sharing }) => sharing.status().leading);
    expect(lead()).toHaveLength(1);
    const leader = only(lead());
    await c.adv(3_000, () => {
      for (let i = 0; i < 3; i++) leader.acq()?.success(1);
    });
    expect(leader.breaker.status().step).toBe(1);
    expect(leader.sharing.status().phase).toBe('ramping');
    const others = c.instances.filter((instance) => instance !== leader);
    await c.adv(1_500);
    for (const other of others) expect(other.acq()).not.toBeNull();
  });

  it('[D12] a failed recovery of the one that leads opens all; that of another is its own', async () => {
    const c = await tripped(3);
    await c.adv(8_500);
    const leader = only(c.instances.filter(({ sharing }) => sharing.status().leading));
    await c.adv(3_000, () => {
      for (let i = 0; i < 3; i++) leader.acq()?.success(1);
    });
    await c.adv(1_500);
    const other = only(c.instances.filter((instance) => instance !== leader));
    for (let i = 0; i < 20; i++) other.acq()?.failure('server_error');
    await c.adv(1_500);
    expect(other.breaker.state).toBe('open');
    expect(leader.breaker.state).toBe('half_open');
    for (let i = 0; i < 20; i++) leader.acq()?.failure('server_error');
    await c.adv(1_500);
    expect(c.states()).toEqual(['open', 'open', 'open']);
  });

  it('[D10] the lease also goes round where trips are each one’s own', async () => {
    const c = cluster(3, { trips: 'own' });
    await c.adv(2_000);
    for (const instance of c.instances) instance.trip();
    const atFirst = (): number =>
      c.instances.filter(({ breaker, sharing }) => {
        return breaker.status().step === 0 && sharing.status().leading;
      }).length;
    await c.adv(40_000, () => {
      expect(atFirst()).toBeLessThanOrEqual(1);
      for (let i = 0; i < 3; i++) c.calls();
    });
    expect(c.states()).toEqual(['closed', 'closed', 'closed']);
  });

  it('[W47] [D13] a lease that its owner slept through goes to another and stays there', async () => {
    const c = await tripped(2);
    await c.adv(8_500);
    const owner = only(c.instances.filter(({ sharing }) => sharing.status().leading));
    const other = only(c.instances.filter((instance) => instance !== owner));
    const probe = owner.acq();
    expect(probe?.probe).toBe(true);
    expect(other.acq()).toBeNull();
    owner.host.paused = true;
    // A lease of five seconds, a probe of eight.
    await c.adv(8_000);
    expect(other.sharing.status().leading).toBe(true);
    expect(other.acq()?.probe).toBe(true);
    expect(owner.acq()).toBeNull();
    const before = await c.record();
    expect(probe?.success()).toBe('counted');
    owner.host.resume();
    await c.adv(1_000);
    expect(owner.sharing.status().leading).toBe(false);
    expect(owner.acq()).toBeNull();
    const after = await c.record();
    expect(JSON.parse(after.value ?? '')).toMatchObject({ by: other.name, phase: 'probing' });
    expect(after.epoch - before.epoch).toBeLessThanOrEqual(1);
    expect(owner.line.writes).toBeLessThanOrEqual(5);
  });

  it('[D13] the owner’s leave ends before the store would give the lease to another', async () => {
    // All that have leave are let in, and nothing that they say moves the step.
    const open: BreakerOptions = {
      ...ramp,
      recovery: {
        ...ramp.recovery,
        admission: { kind: 'ramp', steps: [1, 1] },
        maxInconclusive: 1_000_000,
      },
    };
    const c = cluster(2, {}, open);
    await c.adv(2_000);
    only(c.instances).trip();
    await c.adv(10_500);
    const owner = only(c.instances.filter(({ sharing }) => sharing.status().leading));
    owner.host.paused = true;
    const seen: string[] = [];
    await c.adv(12_000, () => {
      const free = c.instances.filter((each) => each.acq()?.ignore() === 'inconclusive');
      const names = free.map(({ name }) => name).join('+');
      if (names !== seen.at(-1)) seen.push(names);
    });
    const other = only(c.instances.filter((instance) => instance !== owner));
    expect(seen).toEqual([owner.name, '', other.name]);
  });

  it('[W47] [D13] a recovery that ends after its lease was taken says nothing to the others', async () => {
    const single: BreakerOptions = {
      ...ramp,
      recovery: {
        ...ramp.recovery,
        admission: { kind: 'percent', share: 1 },
        stepMs: 0,
        minimumSuccesses: 1,
      },
    };
    const c = cluster(3, {}, single);
    await c.adv(2_000);
    only(c.instances).trip();
    await c.adv(10_500);
    const owner = only(c.instances.filter(({ sharing }) => sharing.status().leading));
    const probe = owner.acq();
    owner.host.paused = true;
    await c.adv(8_000);
    const holder = only(
      c.instances.filter((each) => each !== owner && each.sharing.status().leading),
    );
    expect(probe?.success()).toBe('counted');
    owner.host.resume();
    await c.adv(1_000);
    expect(owner.breaker.state).toBe('closed');
    expect(JSON.parse((await c.record()).value ?? '')).toMatchObject({
      phase: 'probing',
      by: holder.name,
    });
  });

  it('[D13] the lease of an instance that is gone runs out', async () => {
    const c = await tripped(2);
    await c.adv(8_500);
    const owner = only(c.instances.filter(({ sharing }) => sharing.status().leading));
    const other = only(c.instances.filter((instance) => instance !== owner));
    owner.breaker.dispose();
    await c.adv(6_000);
    expect(other.sharing.status()).toMatchObject({ leading: true, instances: 1 });
  });
});

const capped = (recovery: BreakerOptions['recovery']): BreakerOptions => ({
  ...ramp,
  recovery: { ...ramp.recovery, ...recovery },
});

const admitted = (instance: Instance, arrivals: number): number =>
  Array.from({ length: arrivals }, () => instance.acq()).filter((permit) => permit !== null).length;

/** Instances that know of each other and agree on probing alone. */
async function knowing(size: number, recovery: BreakerOptions['recovery']) {
  const c = cluster(size, { trips: 'own' }, capped(recovery));
  await c.adv(2_000);
  return c;
}

async function lone(size: number, recovery: BreakerOptions['recovery']): Promise<Instance> {
  const c = await knowing(size, recovery);
  const instance = only(c.instances);
  for (const { line } of c.instances) line.state = 'down';
  instance.trip();
  await c.adv(12_000);
  expect(instance.sharing.status()).toMatchObject({ mode: 'local', instances: size });
  return instance;
}

describe('absolute limits', () => {
  it.each([
    [1, 12],
    [3, 4],
    [5, 2],
    [20, 1],
  ])('[W48] [D14] %d instances on their own: %d of 12 calls in flight each', async (size, each) => {
    const instance = await lone(size, {
      admission: { kind: 'percent', share: 1 },
      maxInFlight: 12,
    });
    expect(admitted(instance, 50)).toBe(each);
  });

  it('[D14] calls per period are divided too: several each, or one each in several periods', async () => {
    const fixed = { kind: 'fixed', calls: 6, periodMs: 1_000 } as const;
    expect(admitted(await lone(3, { admission: fixed }), 50)).toBe(2);
    expect(admitted(await lone(12, { admission: fixed }), 50)).toBe(1);
  });

  it('[D14] shares are not: they are a part of each instance’s own calls', async () => {
    const instance = await lone(5, {
      admission: { kind: 'percent', share: 0.5 },
      maxInFlight: 1_000,
    });
    expect(admitted(instance, 100)).toBe(50);
  });

  it('[D14] the one that holds the lease has the whole limit', async () => {
    const c = await knowing(3, { admission: { kind: 'percent', share: 1 }, maxInFlight: 12 });
    const instance = only(c.instances);
    instance.trip();
    await c.adv(10_500);
    expect(instance.sharing.status().leading).toBe(true);
    expect(admitted(instance, 50)).toBe(12);
  });
});
