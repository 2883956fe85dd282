import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BreakerOptionError, CircuitBreaker } from '@/lib/breaker';
import type { BreakerOptions } from '@/lib/breaker';

const page = readFileSync(new URL('../../docs/options.md', import.meta.url), 'utf8');

/** Option and default of every row of every table. */
const documented = new Map(
  [...page.matchAll(/^\| `([^`]+)`\s*\|(?:[^|]*)\|\s*([^|]*?)\s*\|/gm)].map(
    ([, option = '', standard = '']) => [option, standard],
  ),
);

function make(options: unknown): CircuitBreaker {
  return new CircuitBreaker('page', options as BreakerOptions);
}

function problem(options: unknown): string {
  try {
    make(options);
  } catch (error) {
    if (error instanceof BreakerOptionError) return error.message;
    throw error;
  }
  return '';
}

/** The breaker itself names what it knows when it is given something that it does not. */
function known(options: unknown): string[] {
  const [, list = ''] = /accepts only (.+)\.$/.exec(problem(options)) ?? [];
  return list.split(', ').filter((name) => name !== 'kind');
}

/** A valid value of each kind, with nothing that has a default. */
const kinds: Record<string, Record<string, Record<string, unknown>>> = {
  window: {
    time: { durationMs: 10_000 },
    count: { size: 30 },
    hybrid: { size: 30, durationMs: 10_000 },
  },
  trip: {
    consecutive: { failures: 1 },
    count: { failures: 1 },
    ratio: { rate: 0.5, minimumCalls: 5 },
    mixed: { failures: 1, rate: 0.5, minimumCalls: 5 },
    slow: { slowMs: 5, rate: 0.5, minimumCalls: 5 },
    refused: { failures: 1 },
  },
  open: {
    fixed: { baseMs: 10_000 },
    exponential: { baseMs: 10_000 },
    adaptive: { baseMs: 10_000 },
  },
  'recovery.admission': {
    fixed: { calls: 1, periodMs: 1 },
    percent: { share: 0.5 },
    ramp: { steps: [1] },
    adaptive: { low: 0.1, high: 1, evalEveryMs: 5 },
    sticky: { steps: [1] },
  },
  'recovery.decision': {
    all: {},
    consecutive: { successes: 1 },
    windowRate: { successes: 1, of: 2 },
    latencyMultiple: { multiple: 2 },
  },
};

/** Options of every open time; the page has them once. */
const shared = ['jitter', 'minMs', 'stableForMs', 'decayEveryMs', 'maxHintMs'];

function wrapped(group: string, value: Record<string, unknown>): unknown {
  if (group === 'trip') return { trip: [value] };
  const [outer = '', inner] = group.split('.');
  return { [outer]: inner === undefined ? value : { [inner]: value } };
}

function pageName(group: string, kind: string, option: string): string {
  return group === 'open' && shared.includes(option)
    ? `open.*.${option}`
    : [group, kind, option].join('.');
}

type Found = { readonly name: string; readonly required: boolean; readonly value: unknown };

function optionsOfKinds(): Found[] {
  return Object.entries(kinds).flatMap(([group, forms]) =>
    Object.entries(forms).flatMap(([kind, needed]) =>
      known(wrapped(group, { kind, ...needed, noSuchOption: 1 })).map((option) => ({
        name: pageName(group, kind, option),
        required: option in needed,
        value: option in needed ? undefined : inForce(group, { kind, ...needed }, option),
      })),
    ),
  );
}

function inForce(group: string, value: Record<string, unknown>, option: string): unknown {
  const { config } = make(wrapped(group, value));
  const form: unknown =
    group === 'trip'
      ? config.trip[0]
      : group.split('.').reduce<unknown>((at, key) => Reflect.get(Object(at), key), config);
  return Reflect.get(Object(form), option);
}

const { config } = make({});
const top = known({ noSuchOption: 1 });
const recovery = known({ recovery: { noSuchOption: 1 } });
const latency = known({ recovery: { latency: { noSuchOption: 1 } } });
const ofKinds = optionsOfKinds();
const groups = Object.keys(kinds);

/** As the page writes values; a list of equal values is one. */
function written(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en-US');
  if (typeof value === 'string') return `\`'${value}'\``;
  if (Array.isArray(value)) {
    const items = value.map(written);
    return new Set(items).size === 1 ? (items[0] ?? '') : `[${items.join(', ')}]`;
  }
  return value === null ? 'none' : JSON.stringify(value);
}

/** What the page writes first; a remark may follow. */
function standard(name: string): string {
  const cell = documented.get(name) ?? 'not on the page';
  return /^\[[^\]]*\]|^[^\s,:]+(?:,\d{3})*/.exec(cell)?.[0] ?? cell;
}

/** A group is written by its kind, and its own table says the rest. */
function standardOf(name: string, value: unknown): string {
  const kind: unknown = Reflect.get(Object(Array.isArray(value) ? value[0] : value), 'kind');
  return typeof kind === 'string' ? `\`${kind}\`` : written(value);
}

describe('docs/options.md', () => {
  it('has every option of the code and no other', () => {
    const expected = [
      ...top,
      ...recovery.map((name) => `recovery.${name}`),
      ...latency.map((name) => `recovery.latency.${name}`),
      ...ofKinds.map(({ name }) => name),
      ...groups.filter((group) => group !== 'trip').map((group) => `${group}.kind`),
    ];
    expect([...documented.keys()].sort()).toEqual([...new Set(expected)].sort());
  });

  it('has every kind', () => {
    for (const group of groups.filter((name) => name !== 'trip')) {
      const [, list = ''] = /accepts (.+)\.$/.exec(problem(wrapped(group, { kind: 'no' }))) ?? [];
      expect(list.match(/\w+/g)?.sort()).toEqual(Object.keys(kinds[group] ?? {}).sort());
    }
    const [, trips = ''] = /accepts (.+)\.$/.exec(problem({ trip: [{ kind: 'no' }] })) ?? [];
    expect(trips.match(/\w+/g)?.sort()).toEqual(Object.keys(kinds['trip'] ?? {}).sort());
  });

  const plain = top.filter((name) => name in config && name !== 'recovery');
  it.each(plain)('%s', (name) => {
    expect(standard(name)).toBe(standardOf(name, Reflect.get(config, name)));
  });

  it.each(recovery.filter((name) => name !== 'latency'))('recovery.%s', (name) => {
    expect(standard(`recovery.${name}`)).toBe(standardOf(name, Reflect.get(config.recovery, name)));
  });

  it.each(latency)('recovery.latency.%s', (name) => {
    const value: unknown = Reflect.get(Object(config.recovery.latency), name);
    expect(standard(`recovery.latency.${name}`)).toBe(written(value));
  });

  it.each(ofKinds)('$name', ({ name, required, value }) => {
    expect(standard(name)).toBe(required ? 'required' : written(value));
  });

  it.each(ofKinds.filter(({ required }) => required))('$name is needed', ({ name }) => {
    const [kind = '', option = ''] = name.split('.').slice(-2);
    const group = name.slice(0, name.indexOf(`.${kind}.`));
    const { [option]: _left, ...rest } = kinds[group]?.[kind] ?? {};
    expect(problem(wrapped(group, { kind, ...rest }))).toContain(`.${option}`);
  });

  it('says what is in force without the option', () => {
    expect(documented.get('window.time.durationMs')).toContain(written(10_000));
    expect(documented.get('open.exponential.baseMs')).toContain(written(10_000));
    expect(documented.get('recovery.admission.ramp.steps')).toContain('[0.1, 0.3, 0.6, 1]');
    expect(page).toContain("{ kind: 'ratio', rate: 0.5, minimumCalls: 20 }");
    expect(config.window).toEqual({ kind: 'time', durationMs: 10_000, buckets: 10 });
    expect(config.trip).toEqual([{ kind: 'ratio', rate: 0.5, minimumCalls: 20 }]);
    expect(config.open).toMatchObject({ kind: 'exponential', baseMs: 10_000 });
    expect(config.recovery.admission).toEqual({ kind: 'ramp', steps: [0.1, 0.3, 0.6, 1] });
    for (const group of groups.filter((name) => name !== 'trip')) {
      const [outer = '', inner] = group.split('.');
      const value: unknown = Reflect.get(config, outer);
      const form: unknown = inner === undefined ? value : Reflect.get(Object(value), inner);
      expect(standard(`${group}.kind`)).toBe(written(Reflect.get(Object(form), 'kind')));
    }
  });
});
