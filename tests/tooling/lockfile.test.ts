import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { installedProblems, lockProblems } from '@/scripts/lib/lockfile.mjs';
import { STAGES } from '@/scripts/lib/stages.mjs';

type Entry = Record<string, unknown>;
type Lock = { lockfileVersion: number; packages: Record<string, Entry> };
type Bill = { components: { name: string; version: string; hashes?: unknown }[] };
type Manifest = Record<string, Record<string, string>>;

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const manifest = read('package.json') as Manifest;
const lock = read('package-lock.json') as Lock;

/** The real files with one thing changed. */
function altered(change: (lock: Lock, manifest: Manifest) => void): string[] {
  const [copy, own] = [structuredClone(lock), structuredClone(manifest)];
  change(copy, own);
  return lockProblems(own, copy);
}

const ws = (copy: Lock): Entry => copy.packages['node_modules/ws'] ?? {};

describe('[S-40] the lockfile', () => {
  it('is in order, and a part of the gate', () => {
    expect(lockProblems(manifest, lock)).toEqual([]);
    expect(STAGES.map(({ name }) => name)).toContain('lockfile');
  });

  it.each<[string, (lock: Lock, manifest: Manifest) => void, RegExp]>([
    [
      'stale: a dependency was added to package.json alone',
      (_lock, own) => Object.assign(own['dependencies'] ?? {}, { leftpad: '1.0.0' }),
      /dependencies differ/,
    ],
    [
      'stale: a version was raised in package.json alone',
      (_lock, own) => Object.assign(own['dependencies'] ?? {}, { ws: '8.99.0' }),
      /ws is 8\.\d+\.\d+, but package\.json says 8\.99\.0/,
    ],
    [
      'another version than is asked for',
      (copy) => Object.assign(ws(copy), { version: '8.1.0' }),
      /ws is 8\.1\.0/,
    ],
    ['no hash', (copy) => delete ws(copy)['integrity'], /ws has no SHA-512/],
    [
      'a weak hash',
      (copy) => Object.assign(ws(copy), { integrity: 'sha1-AAAA' }),
      /ws has no SHA-512/,
    ],
    [
      'the address of a registry',
      (copy) => Object.assign(ws(copy), { resolved: 'https://packages.example/ws' }),
      /ws comes from https:\/\/packages\.example\/ws: no addresses/,
    ],
    [
      'a repository instead of a registry',
      (copy) => Object.assign(ws(copy), { resolved: 'git+ssh://git@github.com/x/ws.git' }),
      /ws comes from git/,
    ],
    ['a link', (copy) => Object.assign(ws(copy), { link: true }), /ws is a link/],
    [
      'a script at the installation that nobody allowed',
      (copy) => Object.assign(ws(copy), { hasInstallScript: true }),
      /ws runs a script/,
    ],
    [
      'a package that another one needs was cut out',
      (copy) => delete copy.packages['node_modules/scheduler'],
      /react-dom needs scheduler, which is missing/,
    ],
    ['an old form', (copy) => Object.assign(copy, { lockfileVersion: 1 }), /lockfileVersion/],
  ])('is refused: %s', (_what, change, problem) => {
    expect(altered(change).join('\n')).toMatch(problem);
  });

  it('is what is installed, native modules with it', () => {
    const other = structuredClone(lock);
    Object.assign(other.packages['node_modules/better-sqlite3'] ?? {}, {
      integrity: `sha512-${'A'.repeat(86)}==`,
    });
    expect(installedProblems(lock, other)).toEqual([
      expect.stringMatching(/better-sqlite3 is installed/),
    ]);
    expect(installedProblems(lock, lock)).toEqual([]);
  });
});

it('[S-40] the list of a release names every package with its hash', { timeout: 60_000 }, () => {
  const { stdout, status } = spawnSync(process.execPath, ['scripts/sbom.mjs'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^dist\/sbom\.cdx\.json: \d+ pack/)]);
  const { components } = read('dist/sbom.cdx.json') as Bill;
  const names = components.map(({ name }) => name);
  for (const name of Object.keys(manifest['dependencies'] ?? {})) expect(names).toContain(name);
  expect(names).not.toContain('oxlint');
  expect(components.filter(({ hashes }) => hashes === undefined)).toEqual([]);
});
