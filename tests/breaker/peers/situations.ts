import type { Stage } from './libraries';
import { Ignored, usual, type LibraryName, type Plan } from './plan';

/** A public report about a library that cannot be run here. */
type Report = { readonly library: string; readonly issue: string };

export type Situation = {
  readonly title: string;
  readonly why: string;
  readonly plan?: Partial<Plan>;
  readonly play: (stage: Stage) => Promise<string>;
  /** What was seen; the test plays it again. */
  readonly seen: Readonly<Record<LibraryName, string>>;
  readonly reports: readonly Report[];
};

function report(library: string, ...issues: string[]): Report[] {
  return issues.map((issue) => ({ library, issue }));
}

async function tripped(stage: Stage): Promise<void> {
  await stage.fails(4);
  if (stage.state !== 'open') throw new Error(`not open but ${stage.state}`);
}

async function halfOpen(stage: Stage): Promise<void> {
  await tripped(stage);
  await stage.wait(10_000);
}

async function recovered(stage: Stage): Promise<void> {
  await halfOpen(stage);
  await (await stage.call()).ok();
}

function word(signal: AbortSignal | undefined): string {
  return signal?.aborted === true ? 'aborted' : 'not aborted';
}

export const planOf = (plan: Partial<Plan> = {}): Plan => ({ ...usual, ...plan });

export const situations: readonly Situation[] = [
  {
    title: 'A call from before the trip succeeds while the breaker is open',
    why: 'Old news must not end an open time.',
    play: async (stage) => {
      const early = await stage.call();
      await tripped(stage);
      await stage.wait(1_000);
      await early.ok();
      return stage.state;
    },
    seen: { recloser: 'open', opossum: 'open', cockatiel: 'open' },
    reports: [
      ...report('opossum', 'nodeshift/opossum#381'),
      ...report('Vert.x', 'vert-x3/vertx-circuit-breaker#14'),
    ],
  },
  {
    title: 'A call from before the trip fails while a probe is under way',
    why: 'Only probes judge a recovery.',
    play: async (stage) => {
      const early = await stage.call();
      await halfOpen(stage);
      await stage.call();
      await early.fail();
      return stage.state;
    },
    seen: { recloser: 'half_open', opossum: 'open', cockatiel: 'open' },
    reports: report('Polly', 'App-vNext/Polly#217'),
  },
  {
    title: 'A call from before the trip succeeds while a probe is under way',
    why: 'The probe has not answered yet.',
    play: async (stage) => {
      const early = await stage.call();
      await halfOpen(stage);
      await stage.call();
      await early.ok();
      return stage.state;
    },
    seen: { recloser: 'half_open', opossum: 'closed', cockatiel: 'half_open' },
    reports: report('Resilience4j', 'resilience4j/resilience4j#1090'),
  },
  {
    title: 'Six calls are under way; four trip it, two fail five seconds later',
    why: 'One opening, one event, and the wait stays what it was.',
    play: async (stage) => {
      const calls = await stage.calls(6);
      for (const call of calls.slice(0, 4)) await call.fail();
      await stage.wait(5_000);
      for (const call of calls.slice(4)) await call.fail();
      await stage.wait(5_000);
      const opened = stage.library.opened();
      const next = await stage.call();
      return `opened ${opened === 1 ? 'once' : `${opened} times`}, next call after 10 s ${next.started ? 'let in' : 'refused'}`;
    },
    seen: {
      recloser: 'opened once, next call after 10 s let in',
      opossum: 'opened once, next call after 10 s let in',
      cockatiel: 'opened once, next call after 10 s let in',
    },
    reports: [
      ...report('opossum', 'nodeshift/opossum#385'),
      ...report('Polly', 'App-vNext/Polly#219'),
    ],
  },
  {
    title: 'All failures are 429 with a Retry-After of one minute',
    why: 'The target has said when it wants to be asked again.',
    play: async (stage) => {
      const busy = { status: 429, headers: { 'retry-after': '60' } };
      await stage.fails(4, Object.assign(new Error('busy'), busy));
      return `tries again after ${(await stage.waitForProbe(120_000)) / 1_000} s`;
    },
    seen: {
      recloser: 'tries again after 60 s',
      opossum: 'tries again after 10 s',
      cockatiel: 'tries again after 10 s',
    },
    reports: [],
  },
  {
    title: 'Fifty calls arrive when the open time is over; the first one hangs',
    why: 'A target that is ill gets one probe, and nobody else waits for it.',
    play: async (stage) => {
      await halfOpen(stage);
      const calls = await stage.calls(50);
      const count = (test: (call: (typeof calls)[number]) => boolean) => calls.filter(test).length;
      const waiting = count((call) => !call.started && call.ended === 'pending');
      return `${count((call) => call.started)} let in, ${count((call) => call.ended === 'refused')} refused, ${waiting} waiting`;
    },
    seen: {
      recloser: '1 let in, 49 refused, 0 waiting',
      opossum: '1 let in, 49 refused, 0 waiting',
      cockatiel: '1 let in, 0 refused, 49 waiting',
    },
    reports: [
      ...report('Resilience4j', 'resilience4j/resilience4j#343'),
      ...report('SmallRye', 'smallrye/smallrye-fault-tolerance#319'),
      ...report('opossum', 'nodeshift/opossum#119'),
    ],
  },
  {
    title: 'The probe never answers, and nobody has set a timeout; an hour passes',
    why: 'A lost probe must not keep the breaker half-open for ever.',
    plan: { timeoutMs: null },
    play: async (stage) => {
      await halfOpen(stage);
      await stage.call();
      await stage.wait(3_600_000);
      const next = await stage.call();
      return next.started ? 'next call let in' : `next call ${next.ended}`;
    },
    seen: {
      recloser: 'next call let in',
      opossum: 'next call refused',
      cockatiel: 'next call pending',
    },
    reports: [
      ...report('Resilience4j', 'resilience4j/resilience4j#903', 'resilience4j/resilience4j#935'),
      ...report('OmniRoute', 'diegosouzapw/OmniRoute#13836'),
    ],
  },
  {
    title: 'The probe ends with an error that is to be ignored',
    why: 'It says nothing: neither closed nor stuck.',
    play: async (stage) => {
      await halfOpen(stage);
      await (await stage.call()).fail(new Ignored('no such customer'));
      const { state } = stage;
      return `${state}, next call ${(await stage.call()).started ? 'let in' : 'refused'}`;
    },
    seen: {
      recloser: 'half_open, next call let in',
      opossum: 'closed, next call let in',
      cockatiel: 'closed, next call let in',
    },
    reports: [
      ...report('Polly', 'App-vNext/Polly#1979', 'App-vNext/Polly#311'),
      ...report('Resilience4j', 'resilience4j/resilience4j#544'),
      ...report('Hystrix', 'Netflix/Hystrix#674'),
    ],
  },
  {
    title: 'The caller gives the probe up',
    why: 'The target has not failed.',
    play: async (stage) => {
      await halfOpen(stage);
      const caller = new AbortController();
      await stage.call(caller.signal);
      caller.abort(new DOMException('gone', 'AbortError'));
      await stage.wait(0);
      return stage.state;
    },
    seen: { recloser: 'half_open', opossum: 'open', cockatiel: 'open' },
    reports: [
      ...report('Resilience4j', 'resilience4j/resilience4j#332', 'resilience4j/resilience4j#1681'),
      ...report('Monix', 'monix/monix#1080'),
    ],
  },
  {
    title: 'The very first call fails, with the thresholds that nobody has set',
    why: 'One of one is 100 %, and says nothing.',
    plan: { minimumCalls: null },
    play: async (stage) => {
      await stage.fails(1);
      return stage.state;
    },
    seen: { recloser: 'closed', opossum: 'open', cockatiel: 'closed' },
    reports: report('opossum', 'nodeshift/opossum#217', 'nodeshift/opossum#660'),
  },
  {
    title: 'Window 5 s, five calls needed: four failures, five quiet minutes, one failure',
    why: 'What is five minutes old is not in a window of five seconds.',
    plan: { windowMs: 5_000, minimumCalls: 5 },
    play: async (stage) => {
      await stage.fails(4);
      await stage.wait(300_000);
      await stage.fails(1);
      return stage.state;
    },
    seen: { recloser: 'closed', opossum: 'closed', cockatiel: 'open' },
    reports: report('cockatiel', 'connor4312/cockatiel#64'),
  },
  {
    title: 'The service’s own limit of one call at a time turns twenty calls away',
    why: 'That is this process, not the target.',
    plan: { slots: 1 },
    play: async (stage) => {
      await stage.calls(21);
      return stage.state;
    },
    seen: { recloser: 'closed', opossum: 'open', cockatiel: 'open' },
    reports: report('Hystrix', 'Netflix/Hystrix#1031'),
  },
  {
    title: 'A thousand calls are refused while open; after the recovery one call fails',
    why: 'The breaker’s own refusals are no failures.',
    play: async (stage) => {
      await tripped(stage);
      for (const call of await stage.calls(1_000)) if (call.started) throw new Error('let in');
      await stage.wait(10_000);
      await (await stage.call()).ok();
      await stage.fails(1);
      return stage.state;
    },
    seen: { recloser: 'closed', opossum: 'closed', cockatiel: 'closed' },
    reports: [
      ...report('Hystrix', 'Netflix/Hystrix#1034'),
      ...report('Kratos', 'go-kratos/kratos#2777'),
    ],
  },
  {
    title: 'The open time is over and no call has come: what does the state say?',
    why: 'A screen must not show open for hours.',
    play: async (stage) => {
      await halfOpen(stage);
      return stage.state;
    },
    seen: { recloser: 'half_open', opossum: 'half_open', cockatiel: 'open' },
    reports: [
      ...report('Polly', 'App-vNext/Polly#481'),
      ...report('Resilience4j', 'resilience4j/resilience4j#347'),
    ],
  },
  {
    title: 'Three recoveries fail in a row, with growing waits where there are any',
    why: 'A target that stays down is asked less and less.',
    plan: { growing: true },
    play: async (stage) => {
      await tripped(stage);
      const waits: number[] = [];
      for (let i = 0; i < 3; i++) waits.push((await stage.waitForProbe(120_000)) / 1_000);
      return `waits ${waits.join(', ')} s`;
    },
    seen: {
      recloser: 'waits 10, 20, 40 s',
      opossum: 'waits 10, 10, 10 s',
      cockatiel: 'waits 10, 20, 40 s',
    },
    reports: report('Resilience4j', 'resilience4j/resilience4j#1044'),
  },
  {
    title: 'Four calls are needed to trip; after a recovery, how many failures trip it again?',
    why: 'Closed starts with an empty window.',
    play: async (stage) => {
      await recovered(stage);
      for (let failures = 1; failures <= 10; failures++) {
        await stage.fails(1);
        if (stage.state !== 'closed') return String(failures);
      }
      return 'more than 10';
    },
    seen: { recloser: '4', opossum: '3', cockatiel: '3' },
    reports: [
      ...report('Resilience4j', 'resilience4j/resilience4j#290', 'resilience4j/resilience4j#547'),
      ...report('Sentinel', 'alibaba/Sentinel#154'),
    ],
  },
  {
    title: 'The first probe was good; a hundred calls arrive at once, recovery by default',
    why: 'One good answer does not show that the target can take the whole load.',
    plan: { ramp: true },
    play: async (stage) => {
      await recovered(stage);
      const calls = await stage.calls(100);
      return `${calls.filter((call) => call.started).length} let in`;
    },
    seen: { recloser: '2 let in', opossum: '100 let in', cockatiel: '100 let in' },
    reports: [
      ...report('Hystrix', 'Netflix/Hystrix#1647', 'Netflix/Hystrix#1739'),
      ...report('cockatiel', 'connor4312/cockatiel#73'),
    ],
  },
  {
    title: 'A call has timed out and was aborted; is the signal of the next call aborted too?',
    why: 'One controller per call.',
    play: async (stage) => {
      const first = await stage.call();
      await stage.wait(30_000);
      const next = await stage.call();
      return `first ${word(first.signal)}, next ${word(next.signal)}`;
    },
    seen: {
      recloser: 'first aborted, next not aborted',
      opossum: 'first aborted, next aborted',
      cockatiel: 'first aborted, next not aborted',
    },
    reports: report('opossum', 'nodeshift/opossum#861'),
  },
  {
    title: 'An operator holds it open; a minute passes and a call comes',
    why: 'What a person has forced, no timer ends.',
    play: async (stage) => {
      stage.library.holdOpen();
      await stage.wait(60_000);
      return `next call ${(await stage.call()).started ? 'let in' : 'refused'}`;
    },
    seen: {
      recloser: 'next call refused',
      opossum: 'next call let in',
      cockatiel: 'next call refused',
    },
    reports: report('Resilience4j', 'resilience4j/resilience4j#991'),
  },
  {
    title: 'Two operators hold it open; one lets go',
    why: 'One person must not undo the other unknowingly.',
    play: async (stage) => {
      const first = stage.library.holdOpen();
      stage.library.holdOpen();
      first();
      return `next call ${(await stage.call()).started ? 'let in' : 'refused'}`;
    },
    seen: {
      recloser: 'next call refused',
      opossum: 'next call let in',
      cockatiel: 'next call refused',
    },
    reports: [],
  },
];
