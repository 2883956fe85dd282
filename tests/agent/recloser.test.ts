import { describe, expect, it } from 'vitest';
import { BreakerOpenError, Recloser, RecloserConfigError } from '@/lib/agent';
import type { BreakerPolicy, RecloserOptions } from '@/lib/agent';
import { SDK } from '@/lib/agent/identity';
import { readOptions } from '@/lib/agent/options';
import manifest from '@/lib/agent/package.json';
import { FakeServer, type FakeWire } from './support/fake-wire';
import { desiredEntry, options } from './support/harness';
import { ManualTime } from './support/manual-time';

const policy: BreakerPolicy = {
  target: 'stock-api',
  trip: [{ kind: 'consecutive', failures: 3 }],
  open: { kind: 'fixed', baseMs: 10_000, jitter: 0 },
  recovery: { admission: { kind: 'ramp', steps: [0.5, 1] }, stepMs: 2_000, minimumSuccesses: 2 },
};

function service(over: Partial<RecloserOptions> = {}) {
  const time = new ManualTime();
  const server = new FakeServer();
  const recloser = new Recloser(
    { ...options, logger: { info: () => undefined, error: () => undefined }, ...over },
    { time, dial: server.dial, random: () => 0.5, loopDelay: () => 0 },
  );
  return { time, server, recloser };
}

const sent = (wire: FakeWire) => wire.of('events').flatMap((frame) => frame.events);
const fail = () => Promise.reject(new Error('down'));
const works = () => Promise.resolve('stock');

describe('Recloser', () => {
  it('reports a trip, the way back and every probe, at their instants', async () => {
    const { time, server, recloser } = service();
    const inventory = recloser.breaker('inventory', policy);
    time.settle();
    const wire = server.welcome();
    for (let i = 0; i < 3; i++) await inventory.run(fail).catch(() => undefined);
    await expect(inventory.run(works)).rejects.toBeInstanceOf(BreakerOpenError);
    time.advance(9_999);
    expect(sent(wire).map((event) => event.type)).toEqual(['registered', 'transition']);
    // Half-open is due at 10 s; nobody calls, and still it is told.
    time.advance(1);
    expect(sent(wire).at(-1)).toMatchObject({
      type: 'transition',
      to: 'half_open',
      cause: 'retry_due',
      mono: 11_000,
    });
    for (let i = 0; i < 40; i++) {
      await inventory.run(works, { idempotent: true }).catch(() => undefined);
      time.advance(250);
    }
    expect(inventory.state).toBe('closed');
    const types = sent(wire).map((event) =>
      event.type === 'transition' ? `${event.from} > ${event.to}` : event.type,
    );
    expect(types).toEqual([
      'registered',
      'closed > open',
      'open > half_open',
      'step',
      'half_open > closed',
    ]);
    const samples = wire.of('samples').flatMap((frame) => frame.samples);
    expect(samples.filter((item) => item.type === 'probe').length).toBeGreaterThan(4);
    const first = samples.find((item) => item.type === 'sample');
    expect(first).toMatchObject({ calls: { server_error: 3, not_permitted: 1 }, state: 'open' });
  });

  it('registers with the complete effective options and a hash of them', () => {
    const { time, server, recloser } = service();
    recloser.breaker('inventory', policy);
    recloser.breaker('billing');
    time.settle();
    const wire = server.welcome();
    time.settle();
    const all = sent(wire);
    expect(all).toMatchObject([
      {
        type: 'registered',
        breaker: 'inventory',
        target: 'stock-api',
        config: { mode: 'enforce', open: { kind: 'fixed', baseMs: 10_000 }, slowMs: 1_000 },
      },
      { type: 'registered', breaker: 'billing', target: 'billing' },
    ]);
    const hashes = all.map((event) => (event.type === 'registered' ? event.configHash : ''));
    expect(new Set(hashes).size).toBe(2);
  });

  it('gives the same breaker for the same name and policy, and an error for another one', () => {
    const { recloser } = service();
    const first = recloser.breaker('inventory', policy);
    expect(recloser.breaker('inventory')).toBe(first);
    expect(recloser.breaker(' inventory ', { ...policy, mode: 'enforce' })).toBe(first);
    expect(() => recloser.breaker('inventory', { ...policy, slowMs: 5 })).toThrow(
      'Recloser option "breaker "inventory"": exists already with another policy',
    );
    expect(() => recloser.breaker('inventory', { ...policy, target: 'other' })).toThrow(
      RecloserConfigError,
    );
  });

  it('obeys on the real breaker and leaves it to itself when the lease ends', async () => {
    const { time, server, recloser } = service();
    const inventory = recloser.breaker('inventory', policy);
    time.settle();
    const wire = server.welcome();
    const lease = desiredEntry('o1', { remainingMs: 60_000 });
    wire.receive({ type: 'desired', revision: 1, overrides: [lease] });
    time.settle();
    expect(inventory.state).toBe('forced_open');
    await expect(inventory.run(works)).rejects.toBeInstanceOf(BreakerOpenError);
    const local = inventory.circuit.override('forced_closed', { reason: 'test', actor: 'me' });
    expect(inventory.state).toBe('forced_open');
    local.release();
    inventory.circuit.reset();
    expect(inventory.state).toBe('forced_open');
    wire.end();
    time.advance(59_999);
    expect(inventory.state).toBe('forced_open');
    time.advance(1);
    expect(inventory.state).toBe('half_open');
  });

  it('tells in the state which override is in force', () => {
    const { time, server, recloser } = service();
    recloser.breaker('inventory', policy);
    time.settle();
    const wire = server.welcome();
    wire.receive({ type: 'desired', revision: 1, overrides: [desiredEntry('o1')] });
    time.advance(2_000);
    wire.receive({ type: 'need_state' });
    expect(wire.of('state').at(-1)?.breakers).toMatchObject([
      { state: 'forced_open', override: { id: 'o1', kind: 'force_open', remainingMs: 598_000 } },
    ]);
  });

  it('takes up a snapshot of an earlier process, without its overrides', async () => {
    const before = service().recloser.breaker('inventory', policy);
    for (let i = 0; i < 3; i++) await before.run(fail).catch(() => undefined);
    before.circuit.override('forced_closed', { reason: 'test', actor: 'me' });
    const opened = service().recloser.breaker('inventory', policy);
    for (let i = 0; i < 3; i++) await opened.run(fail).catch(() => undefined);
    const restored = (snapshot: unknown) =>
      service().recloser.breaker('inventory', { ...policy, snapshot });
    expect(restored(before.circuit.snapshot()).status().override).toBeNull();
    expect(restored(opened.circuit.snapshot()).state).toBe('open');
    expect(restored('rubbish').state).toBe('closed');
  });

  it('forgets a breaker that the service disposes of', () => {
    const { time, server, recloser } = service();
    const inventory = recloser.breaker('inventory', policy);
    time.settle();
    const wire = server.welcome();
    inventory.circuit.dispose();
    time.advance(3_000);
    expect(wire.of('state').at(-1)?.breakers).toEqual([]);
  });

  it('names its own version', () => {
    expect(SDK).toEqual({ name: manifest.name, version: manifest.version });
  });
});

const make = (over: object) => () =>
  new Recloser({ ...options, ...over }, { dial: new FakeServer().dial });

describe('options', () => {
  it('are refused at construction, by name', () => {
    expect(make({ service: '' })).toThrow(/^Recloser option "service": /);
    expect(make({ service: 'a\u202Eb' })).toThrow(/"service": must not hold control/);
    expect(make({ environment: undefined })).toThrow(/"environment"/);
    expect(make({ url: 'ftp://console' })).toThrow(/"url": must be http/);
    expect(make({ url: 'http://user:pw@console' })).toThrow(/"url"/);
    expect(make({ token: '' })).toThrow(/"token"/);
    expect(make({ token: 'two words' })).toThrow(/"token"/);
    expect(make({ maxLeaseMs: 0 })).toThrow(/"maxLeaseMs"/);
    expect(make({ maxLeaseMs: 5 * 3_600_000 })).toThrow(/"maxLeaseMs"/);
    expect(make({ allowRemote: ['all'] })).toThrow(/"allowRemote.0"/);
    expect(make({ logger: {} })).toThrow(/"logger": must have the methods/);
    expect(make({ tokn: 'x' })).toThrow('Recloser option "tokn": is not an option');
  });

  it('never show the token in an error', () => {
    expect(make({ token: 'secret value' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
  });

  it('take a name of a breaker only if it can be told apart', () => {
    const { recloser } = service();
    expect(() => recloser.breaker('a\u200Bb')).toThrow(RecloserConfigError);
    expect(() => recloser.breaker('x', { target: '' })).toThrow(/"target"/);
    expect(() => recloser.breaker('x', { slowMs: -1 })).toThrow(/slowMs/);
  });

  it('make the address of the socket', () => {
    const addresses = ['http://c:1', 'https://c', 'wss://c/base/', 'ws://c:2/ws/agent'];
    const urls = addresses.map((url) => readOptions({ ...options, url }, undefined)?.url);
    expect(urls).toEqual([
      'ws://c:1/ws/agent',
      'wss://c/ws/agent',
      'wss://c/base/ws/agent',
      'ws://c:2/ws/agent',
    ]);
  });

  it('[S-09] switch everything off but the breakers', async () => {
    const { time, server, recloser } = service({ enabled: false });
    const inventory = recloser.breaker('inventory', policy);
    time.advance(60_000);
    expect(server.wires).toEqual([]);
    expect(await inventory.run(works)).toBe('stock');
    expect(recloser.status).toMatchObject({ enabled: false, connected: false });
    await recloser.close();
    const bare = { service: 's', environment: 'e', enabled: false } as RecloserOptions;
    expect(new Recloser(bare).status.enabled).toBe(false);
    expect(readOptions(options, '1')).toBeNull();
  });

  it('leave breakers working after close, without the console', async () => {
    const { time, server, recloser } = service();
    const inventory = recloser.breaker('inventory', policy);
    time.settle();
    server.wire.end();
    await recloser.close();
    expect(await inventory.run(works)).toBe('stock');
    expect(await recloser.breaker('late').run(works)).toBe('stock');
    for (let i = 0; i < 3; i++) await inventory.run(fail).catch(() => undefined);
    expect(inventory.state).toBe('open');
    expect(time.clock.pending).toBe(0);
  });
});
