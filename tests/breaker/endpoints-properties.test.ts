import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EndpointSet } from '@/lib/breaker';
import type {
  EndpointEvent,
  EndpointPermit,
  EndpointSetOptions,
  OverrideHandle,
} from '@/lib/breaker';
import { inFull, runs } from '@/tests/support/runs';
import { endpoints, quick } from './endpoints-support';
import { generator } from './player';

const RUNS = runs(40);
const names = ['a', 'b', 'c', 'd', 'e'];

type Command =
  | { readonly do: 'arrive'; readonly calls: number; readonly keep: boolean }
  | { readonly do: 'adv'; readonly ms: number }
  | { readonly do: 'health'; readonly rates: readonly number[] }
  | { readonly do: 'settle'; readonly newest: boolean; readonly good: boolean }
  | { readonly do: 'force'; readonly at: number }
  | { readonly do: 'release' }
  | { readonly do: 'swap'; readonly at: number };

const rate = fc.constantFrom(0, 0, 0, 0.3, 0.6, 1);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: arrivals() },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('adv'), ms: fc.constantFrom(0, 1, 999, 1_500, 9_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('health'),
      rates: fc.array(rate, { minLength: 5, maxLength: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('settle'),
      newest: fc.boolean(),
      good: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('force'), at: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('swap'), at: fc.nat(4) }) },
);

function arrivals(): fc.Arbitrary<Command> {
  return fc.record({
    do: fc.constant('arrive'),
    calls: fc.integer({ min: 1, max: 150 }),
    keep: fc.boolean(),
  });
}

const history = fc.array(command, { minLength: 20, maxLength: 60, size: 'max' });
const options: fc.Arbitrary<Partial<EndpointSetOptions>> = fc.record({
  maxEjectedShare: fc.constantFrom(0, 0.2, 0.5, 1),
  panic: fc.constantFrom('fail_fast', 'use_all'),
  outlier: fc.constantFrom(null, { minimumCalls: 5, deviations: 1 }),
});
const seeds = fc.integer({ min: 0, max: 2 ** 31 });

type Watcher = { readonly picked?: (play: Play, endpoint: string | null) => void };

/** Plays a history on one set and writes down what can be seen of it. */
class Play {
  now = 0;
  readonly set: EndpointSet;
  readonly events: EndpointEvent[] = [];
  readonly log: string[] = [];
  readonly out: EndpointPermit[] = [];
  readonly done: EndpointPermit[] = [];
  #rates: readonly number[] = [];
  readonly #random: () => number;
  readonly #handles: OverrideHandle[] = [];
  readonly #watcher: Watcher;
  readonly #ticks: boolean;

  constructor(
    given: Partial<EndpointSetOptions>,
    seed: number,
    watcher: Watcher = {},
    ticks = false,
  ) {
    this.#random = generator(seed);
    this.#watcher = watcher;
    this.#ticks = ticks;
    this.set = new EndpointSet('property', {
      endpoints: names,
      breaker: quick,
      clock: () => this.now,
      wallClock: () => this.now,
      random: generator(seed + 1),
      ...given,
    });
    this.set.on((event) => this.events.push(event));
  }

  run(commands: readonly Command[]): this {
    for (const each of commands) this.#do(each);
    return this;
  }

  #do(each: Command): void {
    switch (each.do) {
      case 'arrive':
        for (let i = 0; i < each.calls; i++) this.#arrive(each.keep && i % 7 === 0);
        break;
      case 'adv':
        this.#advance(each.ms);
        break;
      case 'health':
        this.#rates = each.rates;
        break;
      case 'settle':
        this.#settle(each.newest ? this.out.pop() : this.out.shift(), each.good);
        break;
      case 'force':
        this.#force(names[each.at] ?? '');
        break;
      case 'release':
        this.#handles.pop()?.release();
        break;
      case 'swap': {
        const name = names[each.at] ?? '';
        if (!this.set.remove(name)) this.set.add(name);
        break;
      }
    }
  }

  #advance(ms: number): void {
    const looks = this.#ticks ? 4 : 1;
    for (let i = 0; i < looks; i++) {
      this.now += ms / looks;
      if (this.#ticks) this.set.status();
    }
  }

  #settle(permit: EndpointPermit | undefined, good: boolean): void {
    if (permit === undefined) return;
    this.done.push(permit);
    this.log.push(good ? permit.success() : permit.failure('timeout'));
  }

  #force(name: string): void {
    const request = { reason: 'test', actor: 'ann', expiresInMs: 20_000 };
    const handle = this.set.breaker(name)?.override('forced_open', request);
    if (handle !== undefined) this.#handles.push(handle);
  }

  #arrive(keep: boolean): void {
    this.now += 5;
    const permit = this.set.pick();
    this.log.push(permit.granted ? `${permit.endpoint} ${permit.probe}` : permit.reason);
    this.#watcher.picked?.(this, permit.granted ? permit.endpoint : null);
    if (!permit.granted) return;
    if (keep) {
      this.out.push(permit);
      return;
    }
    this.done.push(permit);
    const bad = this.#random() < (this.#rates[names.indexOf(permit.endpoint)] ?? 0);
    this.log.push(bad ? permit.failure('server_error', 1) : permit.success(1));
  }
}

/** From the public status alone. */
function naive({ set }: Play): boolean {
  const { endpoints: all, maxEjected } = set.status();
  const missing = all.reduce((sum, { share }) => sum + 10_000 - Math.round(share * 10_000), 0);
  return missing > maxEjected * 10_000 || missing === all.length * 10_000;
}

describe('whatever happens', () => {
  it('[E1] [I21] looking in between changes nothing', () => {
    fc.assert(
      fc.property(options, history, seeds, (given, commands, seed) => {
        const lazy = new Play(given, seed).run(commands);
        const eager = new Play(given, seed, {}, true).run(commands);
        lazy.set.tick();
        eager.set.tick();
        expect(eager.log).toEqual(lazy.log);
        expect(eager.events).toEqual(lazy.events);
        expect(eager.set.status()).toEqual(lazy.set.status());
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  it('[E5] [E6] panic is said once at each edge, and is what the shares say', () => {
    let edges = 0;
    fc.assert(
      fc.property(options, history, seeds, (given, commands, seed) => {
        const watcher = { picked: (play: Play) => expect(play.set.panic).toBe(naive(play)) };
        const play = new Play(given, seed, watcher).run(commands);
        play.set.tick();
        const seen = play.events.filter(({ type }) => type === 'panic' || type === 'panic_over');
        expect(seen.map(({ type }) => type)).toEqual(
          seen.map((_, i) => (i % 2 === 0 ? 'panic' : 'panic_over')),
        );
        expect(play.set.panic).toBe(seen.length % 2 === 1);
        edges += seen.length;
      }),
      { numRuns: RUNS },
    );
    expect(edges).toBeGreaterThan(inFull ? 40 : 0);
  }, 60_000);

  it('[E6] events are numbered without gaps and each endpoint moves one phase at a time', () => {
    fc.assert(
      fc.property(options, history, seeds, (given, commands, seed) => {
        const { events } = new Play(given, seed).run(commands);
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
        const last = new Map<string, string>();
        for (const { type, endpoint } of events) {
          if (endpoint === null) continue;
          expect(type).not.toBe(last.get(endpoint));
          if (type === 'added' || type === 'removed') last.delete(endpoint);
          else last.set(endpoint, type);
        }
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  it('[E10] comparison never ejects beyond what may be missing', () => {
    let seen = 0;
    fc.assert(
      fc.property(options, history, seeds, (given, commands, seed) => {
        const outlier = { minimumCalls: 5, deviations: 0, minimumGap: 0.05 };
        // Breakers that hardly trip by themselves leave more to the comparison.
        const breaker = { ...quick, trip: [{ kind: 'consecutive', failures: 100 }] as const };
        const { events, set } = new Play({ ...given, breaker, outlier }, seed).run(commands);
        const outliers = events.filter(({ reason }) => reason === 'outlier');
        const cap = (total: number) =>
          given.maxEjectedShare === 0 ? 0 : Math.max(1, (given.maxEjectedShare ?? 0.5) * total);
        for (const { out, endpoints: total } of outliers) {
          expect(out).toBeLessThanOrEqual(cap(total));
        }
        seen += set.status().counters.outliers;
      }),
      { numRuns: RUNS },
    );
    expect(seen).toBeGreaterThan(inFull ? 20 : 0);
  }, 60_000);

  it('[E7] no endpoint in service carries more of a panic than with exactly the cap missing', () => {
    let looked = 0;
    fc.assert(
      fc.property(options, history, seeds, (given, commands, seed) => {
        let stretch = '';
        let arrived = 0;
        let calls = new Map<string, number>();
        const watcher = {
          picked: ({ set }: Play, endpoint: string | null) => {
            const { endpoints: all, panic, maxEjected } = set.status();
            const phases = all.map(({ name, phase }) => `${name}${phase}`).join();
            if (phases !== stretch || !panic) {
              stretch = phases;
              arrived = 0;
              calls = new Map();
              return;
            }
            arrived++;
            if (endpoint === null) return;
            calls.set(endpoint, (calls.get(endpoint) ?? 0) + 1);
            const { phase } = all.find(({ name }) => name === endpoint) ?? {};
            if (phase !== 'in') return;
            looked++;
            const share = 1 / (all.length - maxEjected);
            expect(calls.get(endpoint)).toBeLessThanOrEqual(Math.ceil(arrived * share) + 2);
          },
        };
        new Play(given, seed, watcher).run(commands);
      }),
      { numRuns: RUNS },
    );
    expect(looked).toBeGreaterThan(inFull ? 500 : 0);
  }, 60_000);

  it('[E2] an endpoint on its way back gets at most the share of its step of a fair share', () => {
    let looked = 0;
    fc.assert(
      fc.property(options, history, seeds, (given, commands, seed) => {
        const books = new Map<string, { arrived: number; probes: number }>();
        const watcher = {
          picked: ({ set }: Play, endpoint: string | null) => {
            const { endpoints: all } = set.status();
            for (const { name, phase, share, step } of all) {
              const { epoch = 0, stepSeq = 0 } = set.breaker(name)?.status() ?? {};
              const key = `${name} ${epoch} ${stepSeq} ${all.length}`;
              if (phase !== 'recovering' || step === null) continue;
              const book = books.get(key) ?? { arrived: 0, probes: 0 };
              books.set(key, book);
              book.arrived++;
              if (endpoint !== name) continue;
              book.probes++;
              looked++;
              const turns = Math.ceil(book.arrived / all.length) + 1;
              // One for the phase of the credit and one that need not wait for its share.
              expect(book.probes).toBeLessThanOrEqual(Math.ceil(turns * share) + 2);
            }
          },
        };
        new Play({ ...given, panic: 'fail_fast' }, seed, watcher).run(
          commands.filter((each) => each.do !== 'swap'),
        );
      }),
      { numRuns: RUNS },
    );
    expect(looked).toBeGreaterThan(inFull ? 500 : 0);
  }, 60_000);

  it('every permit settles once, and then nothing is in flight', () => {
    fc.assert(
      fc.property(options, history, seeds, (given, commands, seed) => {
        const play = new Play(given, seed).run(commands);
        for (const permit of play.out.splice(0)) {
          expect(permit.success()).not.toBe('duplicate');
          play.done.push(permit);
        }
        for (const permit of play.done) {
          expect(['duplicate', 'expired', 'late']).toContain(permit.failure('server_error'));
        }
        for (const { inFlight } of play.set.status().endpoints) expect(inFlight).toBe(0);
      }),
      { numRuns: RUNS },
    );
  }, 60_000);

  it('[E9] a healthy fleet is never ejected', () => {
    const well = fc.constantFrom(
      'success',
      'client_error',
      'cancelled',
      'ignored',
      'rejected_local',
    );
    fc.assert(
      fc.property(fc.array(well, { minLength: 50, maxLength: 600 }), fc.nat(50), (calls, ms) => {
        const s = endpoints(names, { outlier: { minimumCalls: 1, deviations: 0, minimumGap: 0 } });
        for (const outcome of calls) {
          s.adv(ms);
          const permit = s.set.pick();
          if (!permit.granted) throw new Error(permit.reason);
          if (outcome === 'success') permit.success();
          else permit.failure(outcome);
        }
        expect(s.types()).toEqual([]);
        expect(s.set.status().counters.overflow).toBe(0);
      }),
      { numRuns: RUNS },
    );
  }, 60_000);
});
