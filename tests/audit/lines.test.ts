import { describe, expect, it } from 'vitest';
import { csvHeader, csvLine } from '@/lib/audit/csv';
import { exactRowLine, rowLine } from '@/lib/audit/lines';

const base = {
  id: 7,
  at: 1,
  actor: 'kim',
  action: 'override.issued',
  subject: 'ovr_1',
  outcome: 'done',
  who: null,
  previousHash: 'a'.repeat(64),
  hash: 'b'.repeat(64),
};

const NASTY = 'line\nbreak\r \u001B[31mred \u2028 \u2029 \u0085 \u202E \u009B \u0000 {{7*7}} %s';

describe('[S-42] a log line', () => {
  it('is one line without anything that a terminal acts on, and reads back as it was', () => {
    const text = rowLine({ ...base, details: { reason: NASTY } }, 'chain', 'time');
    // eslint-disable-next-line no-control-regex -- the very thing that must not be there
    expect(text).not.toMatch(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E]/);
    expect(JSON.parse(text)).toMatchObject({ kind: 'audit', id: 7, details: { reason: NASTY } });
  });

  it('has no field over 2 KiB, in bytes, nested or as a key, and never half a character', () => {
    const long = '😀é'.repeat(2_000);
    const details = { reason: long, deep: [{ [long]: long }] };
    const text = rowLine({ ...base, details }, 'chain', 'time');
    const strings: string[] = [];
    JSON.parse(text, (key: string, value: unknown) => {
      strings.push(key);
      if (typeof value === 'string') strings.push(value);
      return value;
    });
    const bytes = strings.map((one) => Buffer.byteLength(one));
    expect(Math.max(...bytes)).toBeLessThanOrEqual(2_048);
    expect(Math.max(...bytes)).toBeGreaterThan(2_000);
    expect(text).not.toMatch(/\\ud8/i);
    expect(JSON.parse(text)).toMatchObject({ hash: base.hash, previousHash: base.previousHash });
  });

  it('is exact in an export', () => {
    const details = { reason: 'x'.repeat(5_000) };
    expect(JSON.parse(exactRowLine({ ...base, details }, null, 't'))).toMatchObject({ details });
  });
});

/** RFC 4180, as strict as a parser can be. */
function parseCsv(text: string): string[] {
  const cells: string[] = [];
  let rest = text.replace(/\r\n$/, '');
  for (;;) {
    const match = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|$)/.exec(rest);
    if (match === null) throw new Error(`not CSV: ${rest.slice(0, 40)}`);
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    rest = rest.slice(match[0].length);
    if (match[3] === '') return cells;
  }
}

const cellsOf = (over: object) => {
  const line = csvLine({ ...base, details: {}, ...over }, '2026-01-31T10:00:00.000Z');
  return parseCsv(line);
};

describe('[S-43] a CSV line', () => {
  it('has as many cells as the header, whatever is in them', () => {
    const header = parseCsv(csvHeader);
    expect(header.slice(0, 4)).toEqual(['row', 'time', 'actor', 'action']);
    const cells = cellsOf({ actor: 'a "b", c\r\nd', details: { reason: NASTY } });
    expect(cells).toHaveLength(header.length);
    expect(cells[2]).toBe('a "b", c\r\nd');
    expect(cells[header.indexOf('reason')]).toBe(NASTY);
  });

  it.each([
    '=HYPERLINK("http://evil.example","click")',
    '+1+1',
    '-2+3+cmd|" /C calc"!A0',
    '@SUM(1)',
    '\t=1+1',
    '\r=1+1',
    '\u0000=1+1',
    '  =1+1',
    '\u200B=1+1',
    '＝1+1',
    '\n=1+1',
  ])('disarms %j', (formula) => {
    const cells = cellsOf({ actor: formula, subject: formula, details: { reason: formula } });
    const told = [cells[2] ?? '', cells[4] ?? '', cells[6] ?? ''];
    expect(told.every((one) => one.startsWith("'"))).toBe(true);
    expect(told.map((one) => one.replaceAll("'", ''))).toEqual(Array(3).fill(formula));
  });

  it('leaves numbers and ordinary words as they are', () => {
    expect(cellsOf({ actor: 'kim-2', subject: 'a=b' }).slice(0, 5)).toEqual([
      '7',
      '2026-01-31T10:00:00.000Z',
      'kim-2',
      'override.issued',
      'a=b',
    ]);
  });
});
