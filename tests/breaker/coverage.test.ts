import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Public cases that concern one breaker; numbers are those of the collection, with its gaps. */
const cases = [
  1, 2, 4, 5, 7, 9, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 24, 26, 27, 28, 30, 31, 33, 34, 35, 37,
  38, 40, 41, 43, 44, 46, 47, 49, 50, 52, 53, 55, 56, 58, 59, 61, 62, 64, 65, 67, 68, 69, 71, 72,
  74, 75, 77, 78, 80, 81, 83, 84, 85, 86, 87, 89, 90, 91, 92, 94, 95, 97, 98, 99, 101, 102, 104,
  105, 107, 108, 109,
];

/** What no test can quote yet, and why. */
const notYet: Readonly<Record<string, string>> = {
  W46: 'the core reads no header; a probe mark is never taken from outside',
  W50: 'a statement on the history of another library, without behaviour',
};

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'));
const names = files
  .filter((name) => name !== 'coverage.test.ts')
  .flatMap((name) => titles(readFileSync(new URL(name, folder), 'utf8')));
const quoted = new Set(names.flatMap(tags));

/** The titles of suites, tests and rows of tables: every quoted text that carries a tag. */
function titles(source: string): readonly string[] {
  return source.match(/'[^'\n]*\[(?:case |[A-Z])\d[^'\n]*'/g) ?? [];
}

/** `[I1-I3 I5]` means I1, I2, I3 and I5. */
function tags(title: string): readonly string[] {
  return [...title.matchAll(/\[([^\]]+)\]/g)].flatMap(([, inner = '']) =>
    inner.startsWith('case ') ? [inner] : inner.split(' ').flatMap(range),
  );
}

function range(word: string): readonly string[] {
  const [, letter = '', from = '', to = from] = /^([A-Z])(\d+)(?:-[A-Z](\d+))?$/.exec(word) ?? [];
  const count = Number(to) - Number(from) + 1;
  return Array.from(
    { length: letter === '' ? 0 : count },
    (_, i) => `${letter}${Number(from) + i}`,
  );
}

function numbered(letter: string, last: number): readonly string[] {
  return Array.from({ length: last }, (_, i) => `${letter}${i + 1}`);
}

function rules(): readonly string[] {
  const spec = readFileSync(new URL('../../lib/breaker/SPEC.md', import.meta.url), 'utf8');
  return [...spec.matchAll(/^- \*\*([BDE]\d+)\*\* /gm)].map(([, rule = '']) => rule);
}

function missing(wanted: readonly string[]): readonly string[] {
  return wanted.filter((tag) => !quoted.has(tag) && !(tag in notYet));
}

describe('what the tests quote', () => {
  it('every rule of the specification', () => {
    expect(rules().length).toBeGreaterThan(110);
    expect(missing(rules())).toEqual([]);
  });

  it('every public case', () => {
    expect(missing(cases.map((n) => `case ${n}`))).toEqual([]);
  });

  it('every known weakness of sample code and of other libraries', () => {
    expect(missing([...numbered('W', 55), ...numbered('S', 9)])).toEqual([]);
  });

  it('every invariant', () => {
    expect(missing(numbered('I', 34))).toEqual([]);
  });

  it('nothing is excused that a test quotes', () => {
    expect(Object.keys(notYet).filter((tag) => quoted.has(tag))).toEqual([]);
  });
});
