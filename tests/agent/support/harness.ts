import { Agent } from '@/lib/agent/agent';
import { webSocketDial } from '@/lib/agent/connection/dial';
import { describeConfig } from '@/lib/agent/member';
import { readOptions, type RecloserOptions } from '@/lib/agent/options';
import type { OutboxLimits } from '@/lib/agent/outbox/outbox';
import type { DesiredOverride } from '@/lib/protocol/server-frames';
import { FakeBreaker } from './fake-breaker';
import { FakeServer } from './fake-wire';
import { ManualTime } from './manual-time';

export const options: RecloserOptions = {
  owner: 'Team Checkout',
  service: 'checkout',
  environment: 'test',
  url: 'http://127.0.0.1:9',
  token: 'rcl_a_test',
  instance: 'one',
  host: 'box',
};

type Setup = {
  readonly limits?: OutboxLimits;
  readonly random?: () => number;
  readonly allowRemote?: RecloserOptions['allowRemote'];
  readonly commandKeys?: readonly string[];
};

/** Manual clocks and timers, but work that is put off runs with the real event loop. */
class LoopTime extends ManualTime {
  override soon(run: () => void): void {
    setImmediate(run);
  }
}

/** An agent on a real socket; only its clock and timers stand still. */
export function socketAgent(url: string, more: Pick<RecloserOptions, 'clientCertificate'> = {}) {
  const settings = readOptions({ ...options, ...more, url }, undefined);
  if (settings === null) throw new Error('switched off');
  const time = new LoopTime();
  const breaker = new FakeBreaker();
  const said: string[] = [];
  const waiting: ((delayMs: number) => void)[] = [];
  const agent = new Agent(settings, {
    time,
    random: () => 0,
    dial: webSocketDial(settings.url, settings.token, settings.clientCertificate),
    logger: { info: (message) => said.push(message), error: (message) => said.push(message) },
    onWait: (delayMs) => waiting.shift()?.(delayMs),
  });
  agent.watch({ name: 'inventory', target: 'stock', circuit: breaker, ...describeConfig({}) });
  return {
    agent,
    time,
    breaker,
    said,
    /** The wait after the next end of a connection or attempt. */
    nextWait: () => new Promise<number>((resolve) => waiting.push(resolve)),
  };
}

/** An agent with one breaker, a clock that stands still and a server that does as it is told. */
export function harness(setup: Setup = {}) {
  const { limits, random = () => 0.5, allowRemote, commandKeys } = setup;
  const settings = readOptions(
    {
      ...options,
      ...(allowRemote === undefined ? {} : { allowRemote }),
      ...(commandKeys === undefined ? {} : { commandKeys }),
    },
    undefined,
  );
  if (settings === null) throw new Error('switched off');
  const time = new ManualTime();
  const server = new FakeServer();
  const breaker = new FakeBreaker();
  const said: string[] = [];
  const waits: number[] = [];
  const agent = new Agent(settings, {
    time,
    random,
    dial: server.dial,
    logger: {
      debug: (message, details) => said.push(`debug ${message} ${details?.detail ?? ''}`),
      info: (message) => said.push(`info ${message}`),
      error: (message) => said.push(`error ${message}`),
    },
    onWait: (delayMs) => waits.push(delayMs),
    loopDelay: () => 7,
    ...(limits === undefined ? {} : { limits }),
  });
  const watch = (name = 'inventory', circuit = breaker) =>
    agent.watch({ name, target: name, circuit, ...describeConfig({ mode: 'enforce' }) });
  watch();
  time.settle();
  return {
    agent,
    time,
    server,
    breaker,
    said,
    waits,
    watch,
    /** Connects for the first time or again, when a dial is open. */
    connect: (over?: Parameters<FakeServer['welcome']>[0]) => {
      const wire = server.welcome(over);
      time.settle();
      return wire;
    },
    /** Lines at the levels that are shown by default. */
    loud: () => said.filter((text) => !text.startsWith('debug ')),
  };
}

export function desiredEntry(id: string, over: Partial<DesiredOverride> = {}): DesiredOverride {
  return {
    id,
    breaker: 'inventory',
    kind: 'force_open',
    generation: 1,
    deliverWithinMs: 30_000,
    remainingMs: 600_000,
    reason: 'maintenance',
    actor: 'ann',
    scope: 'instance',
    ...over,
  };
}
