import { describe, expect, it } from 'vitest';
import { Recloser } from '@/lib/agent';
import { loopDelayMeter, processLoopDelay } from '@/lib/agent/loop-delay';
import { FakeServer, type FakeWire } from './support/fake-wire';
import { options } from './support/harness';
import { ManualTime } from './support/manual-time';

/** Without an answer from time to time the agent stops sending, and takes the server for lost. */
function answer(wire: FakeWire): void {
  const frames = [...wire.of('events'), ...wire.of('samples')];
  const [hello] = wire.of('hello');
  wire.receive({
    type: 'ack',
    epoch: hello?.epoch ?? '',
    seq: Math.max(0, ...wire.eventSeqs().map(Number)),
    accepted: 0,
    duplicate: 0,
    samplesSeq: wire.of('samples').at(-1)?.samples.at(-1)?.seq ?? 0,
    frames: Math.max(1, frames.length),
  });
}

/** A service whose target is ten times as slow after an outage, with a loop as late as told. */
function service(loop: { lateMs: number }) {
  const time = new ManualTime();
  const server = new FakeServer();
  const recloser = new Recloser(
    { ...options, logger: { info: () => undefined, error: () => undefined } },
    { time, dial: server.dial, random: () => 0.5, loopDelay: () => loop.lateMs },
  );
  const { circuit } = recloser.breaker('inventory', {
    window: { kind: 'time', durationMs: 1_000 },
    trip: [{ kind: 'consecutive', failures: 3 }],
    open: { kind: 'fixed', baseMs: 5_000, jitter: 0 },
    recovery: {
      admission: { kind: 'percent', share: 1 },
      minimumSuccesses: 1_000,
      maxInFlight: 9,
      latency: { skipFirst: 0, maxHoldMs: 10_000 },
    },
    slowMs: 10_000,
  });
  time.settle();
  const wire = server.welcome();
  const calls = (count: number, latencyMs: number) => {
    for (let i = 0; i < count; i++) {
      const permit = circuit.tryAcquire();
      if (permit.granted) permit.success(latencyMs);
      time.advance(20);
      if (i % 50 === 0) answer(wire);
    }
  };
  calls(500, 30);
  for (let i = 0; i < 3; i++) {
    const permit = circuit.tryAcquire();
    if (permit.granted) permit.failure('server_error');
  }
  time.advance(5_000);
  const told = () =>
    wire
      .of('events')
      .flatMap((frame) => frame.events)
      .map((event) => ('to' in event ? `${event.type} ${event.to}` : event.type));
  return { circuit, calls, told };
}

describe('the event loop of the service', () => {
  it('[B125] that is late makes a hold of its own, told to the console, and no way back to open', () => {
    const loop = { lateMs: 0 };
    const { circuit, calls, told } = service(loop);
    expect(circuit.state).toBe('half_open');
    loop.lateMs = 400;
    calls(2_000, 300);
    expect(circuit.state).toBe('half_open');
    expect(told()).toContain('hold');
    loop.lateMs = 0;
    calls(100, 30);
    expect(circuit.status()).toMatchObject({ state: 'half_open', hold: null });
    expect(told().filter((word) => word === 'transition open')).toHaveLength(1);
  });

  it('[B125] that keeps time leaves the same slow target to be sent back', () => {
    const { calls, told } = service({ lateMs: 0 });
    calls(2_000, 300);
    expect(told().filter((word) => word === 'transition open').length).toBeGreaterThan(1);
  });

  it('is read between two notes: a pause is known before the first answer after it is judged', () => {
    const loop = { lateMs: 0 };
    const { circuit, calls } = service(loop);
    loop.lateMs = 400;
    calls(1, 300);
    expect(circuit.status().hold?.cause).toBe('self');
  });
});

describe('the meter', () => {
  it('tells the worst of this second and the one before, in ms above the resolution', () => {
    const histogram = {
      max: 0,
      reset() {
        this.max = 0;
      },
    };
    const rolls: (() => void)[] = [];
    const roll = () => rolls.forEach((run) => run());
    const read = loopDelayMeter(histogram, (_, run) => {
      rolls.push(run);
    });
    expect(read()).toBe(0);
    histogram.max = 320e6;
    expect(read()).toBe(300);
    roll();
    expect(read()).toBe(300);
    histogram.max = 25e6;
    expect(read()).toBe(300);
    roll();
    expect(read()).toBe(5);
  });

  it('notices a real pause of this process', async () => {
    processLoopDelay();
    await new Promise((resolve) => setTimeout(resolve, 40));
    const until = performance.now() + 300;
    while (performance.now() < until);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(processLoopDelay()).toBeGreaterThan(200);
  });
});
