/** [S-50] The tables of docs/security.md hold: each rule has its place and a test that names it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const manual = readFileSync('docs/security.md', 'utf8');
const RULES = Array.from({ length: 50 }, (_, index) => `S-${String(index + 1).padStart(2, '0')}`);

/** The cells of each row of the table under a heading. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = manual.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Rule|Elsewhere|-)/.test(line))
    .map((line) =>
      line
        .slice(2, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

/** The files that a cell names: after `a/b/c`, `d` is `a/b/d`. */
function named(cell: string): string[] {
  let folder = '.';
  return [...cell.matchAll(/`([^`]+)`/g)]
    .map(([, name = '']) => name)
    .filter((name) => !name.startsWith('react/'))
    .map((name) => {
      if (!name.includes('/')) return existsSync(name) ? name : `${folder}/${name}`;
      folder = dirname(name);
      return name;
    });
}

const ENDINGS = ['.test.ts', '.test.tsx', '.e2e.test.ts', '.ts'];

/** The files of a name without its ending, or all those of a folder. */
function filesOf(name: string): string[] {
  const files = ENDINGS.map((ending) => name + ending).filter((file) => existsSync(file));
  if (files.length > 0 || !existsSync(name) || !statSync(name).isDirectory()) return files;
  return readdirSync(name, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(name, file));
}

/** Names of tests are strings; what a comment says proves nothing. */
function quotes(file: string, rule: string): boolean {
  const source = readFileSync(file, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
  return new RegExp(`['"\`][^'"\`\\n]*\\[${rule}\\]`).test(source);
}

describe('[S-50] each rule of security', () => {
  const rows = tableUnder('Rule by rule');

  it('has one row, in order', () => {
    expect(rows.map(([rule]) => rule)).toEqual(RULES);
  });

  it.each(rows)('%s, %s: its places exist, and each test that is named quotes it', (...cells) => {
    const [rule = '', , where = '', tests = ''] = cells;
    expect(named(where).filter((name) => !existsSync(name))).toEqual([]);
    expect(named(tests)).not.toEqual([]);
    const silent = named(tests).filter((name) => !filesOf(name).some((file) => quotes(file, rule)));
    expect(silent).toEqual([]);
  });
});

it.each(tableUnder('Lessons of others'))('[S-50] %s: its lesson is a test', (...cells) => {
  const [, , kept = ''] = cells;
  expect(named(kept)).not.toEqual([]);
  expect(named(kept).filter((name) => filesOf(name).length === 0)).toEqual([]);
});

it('[S-50] the policy names a private way to report, and the lessons', () => {
  const policy = readFileSync('SECURITY.md', 'utf8');
  expect(policy).toContain('Report a vulnerability');
  expect(policy).toContain('docs/security.md#lessons-of-others');
});
