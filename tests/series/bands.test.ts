import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  UNKNOWN,
  instanceBands,
  rollUp,
  stateAt,
  instanceLanes,
  laneWeight,
  stateBands,
  worstState,
} from '@/lib/series/bands';
import type { EventLike, InstanceLike } from '@/lib/series/types';
import { change, event, story } from './make';

const domain = { from: 0, to: 100 };
const brief = (bands: readonly { from: number; to: number; state: string }[]) =>
  bands.map((band) => `${band.from}-${band.to} ${band.state}`);
const live = (state: string, since: number | null = null, id = 'a'): InstanceLike => ({
  instanceId: id,
  instance: id,
  liveness: 'live',
  state,
  since,
  asOf: 100,
});
const gap = (from: number, to: number, events = 3) => ({
  from,
  to,
  events,
  instanceId: 'a',
  reason: 'restart',
});

const of = (run: string, list: readonly EventLike[]) => list.map((item) => ({ ...item, run }));

describe('bands of one instance', () => {
  it('reaches back with the state that the first transition came from', () => {
    expect(brief(instanceBands(domain, [change(40, 'closed', 'open')], [], live('open')))).toEqual([
      '0-40 closed',
      '40-100 open',
    ]);
  });
  it('knows nothing before the registration', () => {
    const events = [event(20, 'registered'), change(40, 'closed', 'open')];
    expect(brief(instanceBands(domain, events, [], live('open')))).toEqual([
      '0-20 unknown',
      '20-40 closed',
      '40-100 open',
    ]);
  });
  it('is the current state all along without any transition', () => {
    expect(brief(instanceBands(domain, [], [], live('closed')))).toEqual(['0-100 closed']);
    expect(brief(instanceBands(domain, [], [], live('open', 30)))).toEqual([
      '0-30 unknown',
      '30-100 open',
    ]);
    expect(brief(instanceBands(domain, [], [], null))).toEqual(['0-100 unknown']);
  });
  it('ends with the last word of an instance that is no longer heard', () => {
    const offline = { ...live('open'), liveness: 'offline', asOf: 70 };
    expect(brief(instanceBands(domain, [change(40, 'closed', 'open')], [], offline))).toEqual([
      '0-40 closed',
      '40-70 open',
      '70-100 unknown',
    ]);
  });
  it('does not carry a state over lost events', () => {
    const events = [change(10, 'closed', 'open'), change(60, 'closed', 'open')];
    expect(brief(instanceBands(domain, events, [gap(20, 40)], live('open')))).toEqual([
      '0-10 closed',
      '10-20 open',
      '20-40 unknown',
      '40-60 closed',
      '60-100 open',
    ]);
  });
  it('begins anew with each start, and knows nothing of the silence between two', () => {
    const events = [
      ...of('r1', [change(10, 'closed', 'open'), change(20, 'open', 'half_open')]),
      ...of('r2', [event(60, 'registered'), change(80, 'closed', 'open')]),
    ];
    expect(brief(instanceBands(domain, events, [gap(30, 60, 0)], live('open')))).toEqual([
      '0-10 closed',
      '10-20 open',
      '20-30 half_open',
      '30-60 unknown',
      '60-80 closed',
      '80-100 open',
    ]);
    const restarted = of('r2', [event(60, 'registered')]);
    expect(
      brief(
        instanceBands(
          domain,
          [...of('r1', [change(-50, 'open', 'half_open')]), ...restarted],
          [gap(0, 60, 0)],
          live('closed'),
        ),
      ),
    ).toEqual(['0-60 unknown', '60-100 closed']);
  });
  it('takes the word of the same start over a silence: its events came later', () => {
    const events = [change(10, 'closed', 'open'), change(50, 'open', 'closed')];
    expect(brief(instanceBands(domain, events, [gap(20, 60, 0)], live('closed')))).toEqual([
      '0-10 closed',
      '10-50 open',
      '50-100 closed',
    ]);
  });
  it('keeps the state over lost samples', () => {
    expect(
      brief(instanceBands(domain, [change(10, 'closed', 'open')], [gap(20, 40, 0)], live('open'))),
    ).toEqual(['0-10 closed', '10-100 open']);
  });
});

describe('roll-up', () => {
  it('shows the worst, and unknown only where nobody is known', () => {
    expect(worstState(['closed', 'half_open', UNKNOWN])).toBe('half_open');
    expect(worstState([UNKNOWN, 'closed'])).toBe('closed');
    expect(worstState([])).toBe(UNKNOWN);
  });
  it('takes the worst over instances, or the chosen one', () => {
    const source = {
      events: [
        change(20, 'closed', 'open', {}, 'a'),
        change(50, 'open', 'closed', {}, 'a'),
        change(40, 'closed', 'half_open', {}, 'b'),
      ],
      gaps: [],
      instances: [live('closed', null, 'a'), live('half_open', null, 'b')],
    };
    expect(brief(stateBands(domain, instanceLanes(domain, source)))).toEqual([
      '0-20 closed',
      '20-50 open',
      '50-100 half_open',
    ]);
    expect(brief(stateBands(domain, instanceLanes(domain, source, 'b')))).toEqual([
      '0-40 closed',
      '40-100 half_open',
    ]);
    expect(brief(stateBands(domain, []))).toEqual(['0-100 unknown']);
  });
  it('gives each instance a lane of its own, in the order of names', () => {
    const source = {
      events: [
        change(20, 'closed', 'open', {}, 'z10'),
        change(40, 'closed', 'half_open', {}, 'z9'),
      ],
      gaps: [],
      instances: [live('closed', null, 'a')],
    };
    const lanes = instanceLanes(domain, source);
    expect(lanes.map((lane) => [lane.instance, brief(lane.bands)])).toEqual([
      ['a', ['0-100 closed']],
      ['inst-z9', ['0-40 closed', '40-100 half_open']],
      ['inst-z10', ['0-20 closed', '20-100 open']],
    ]);
    const weights = lanes.map(laneWeight);
    expect([...weights].sort((x, y) => x - y)).toEqual(weights);
    expect(laneWeight({ instanceId: 'x', instance: 'x', bands: [] })).toBe(0);
  });
  it('covers the domain without holes or overlaps, whatever happened', () => {
    const state = fc.constantFrom('closed', 'open', 'half_open', 'forced_open');
    const run = fc.constantFrom('r1', 'r2');
    const changes = fc.array(fc.tuple(fc.integer({ min: -20, max: 120 }), state, state, run), {
      maxLength: 12,
    });
    const lost = fc.array(
      fc.tuple(fc.integer({ min: -20, max: 120 }), fc.integer({ min: 1, max: 30 })),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(changes, lost, (list, holes) => {
        const bands = instanceBands(
          domain,
          list.map(([at, from, to, of]) => ({ ...change(at, from, to), run: of })),
          holes.map(([from, length]) => gap(from, from + length)),
          live('closed'),
        );
        expect(bands[0]?.from).toBe(0);
        expect(bands.at(-1)?.to).toBe(100);
        bands.forEach((band, index) => {
          expect(band.to).toBeGreaterThan(band.from);
          expect(band.from).toBe(index === 0 ? 0 : bands[index - 1]?.to);
        });
        expect(rollUp(domain, [bands])).toEqual(bands);
      }),
    );
  });
  it('reads the state at an instant', () => {
    const whole = { from: 0, to: 80_000 };
    const source = { events: story(), gaps: [], instances: [] };
    const bands = stateBands(whole, instanceLanes(whole, source));
    const instants = [5_000, 12_000, 30_000, 45_000, 70_000, 80_000, 90_000];
    expect(instants.map((at) => stateAt(bands, at))).toEqual([
      'open',
      'half_open',
      'open',
      'half_open',
      'closed',
      'closed',
      UNKNOWN,
    ]);
  });
});
