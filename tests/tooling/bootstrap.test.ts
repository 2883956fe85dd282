import { describe, expect, it } from 'vitest';
import { chromiumCandidates, pickChromium } from '@/scripts/lib/chromium.mjs';
import { parseFault } from '@/scripts/lib/demo-fault.mjs';
import { installAdvice } from '@/scripts/lib/install-advice.mjs';
import { installReason } from '@/scripts/lib/install-decision.mjs';
import { isSupportedNode, nodeComplaint } from '@/scripts/lib/node-version.mjs';
import { npmCommand } from '@/scripts/lib/npm.mjs';
import { elapsed, progress } from '@/scripts/lib/progress.mjs';

describe('the Node version', () => {
  it.each(['v20.19.0', 'v20.20.2', 'v22.12.0', 'v22.20.1', 'v24.0.0', 'v26.1.0'])(
    'takes %s',
    (version) => expect(isSupportedNode(version)).toBe(true),
  );

  it.each(['v0.12.18', 'v18.20.4', 'v20.18.3', 'v21.7.3', 'v22.11.0', 'v23.11.1', 'nonsense'])(
    'refuses %s in one line',
    (version) => {
      expect(isSupportedNode(version)).toBe(false);
      expect(nodeComplaint(version)).toContain(version);
      expect(nodeComplaint(version)).not.toContain('\n');
    },
  );
});

describe('whether to install', () => {
  const ws = { version: '8.23.0', integrity: 'sha512-a' };
  const other = { version: '1.0.0', integrity: 'sha512-b', optional: true };
  const locked = { packages: { '': { name: 'recloser' }, 'node_modules/ws': ws } };
  const facts = {
    hasModules: true,
    installedAt: 200,
    lockedAt: 100,
    installed: { packages: { 'node_modules/ws': ws } },
    locked,
  };

  it('leaves an install alone that is newer than the lock', () => {
    expect(installReason(facts)).toBeNull();
    expect(installReason({ ...facts, installedAt: 100 })).toBeNull();
  });

  it('installs when there is nothing, or when the last install broke off', () => {
    expect(installReason({ ...facts, hasModules: false, installed: null })).toMatch(/missing/);
    expect(installReason({ ...facts, installed: null })).toMatch(/did not finish/);
  });

  it('looks at the versions when the lock is newer', () => {
    const newer = { ...facts, lockedAt: 300 };
    expect(installReason(newer)).toBeNull();
    const bumped = { packages: { 'node_modules/ws': { ...ws, version: '8.24.0' } } };
    expect(installReason({ ...newer, locked: bumped })).toBe('ws changed in package-lock.json');
    const added = { packages: { ...locked.packages, 'node_modules/pino': ws } };
    expect(installReason({ ...newer, locked: added })).toMatch(/pino/);
  });

  it('does not miss an optional package of another platform', () => {
    const packages = { ...locked.packages, 'node_modules/@swc/core-win32-x64-msvc': other };
    expect(installReason({ ...facts, lockedAt: 300, locked: { packages } })).toBeNull();
  });
});

describe('advice after a failed install', () => {
  it.each([
    ['gyp ERR! find Python Python is not set', /python3, make and g\+\+/],
    ['gyp ERR! stack Error: not found: make', /python3, make and g\+\+/],
    ['make: g++: No such file or directory', /python3, make and g\+\+/],
    ['npm error code ENOSPC', /disk is full/],
    ['npm error network request to … failed, reason: getaddrinfo ENOTFOUND', /registry/],
    [
      'npm error `npm ci` can only install packages when your package.json and package-lock.json',
      /disagree/,
    ],
    ['something new', /npm ci by hand/],
  ])('%s', (output, advice) => expect(installAdvice(output)).toMatch(advice));
});

describe('npm', () => {
  it('is the one that runs the script, else the one on the path', () => {
    const own = npmCommand(['ci'], { npm_execpath: '/opt/npm/bin/npm-cli.js' });
    expect(own).toEqual({
      command: process.execPath,
      args: ['/opt/npm/bin/npm-cli.js', 'ci'],
      shell: false,
    });
    expect(npmCommand(['ci'], {}).command).toBe('npm');
    expect(npmCommand(['ci'], { npm_execpath: '/opt/yarn/yarn.js' }).command).toBe('npm');
  });
});

const only = (wanted: string) => (path: string) => path === wanted;

describe('the browser for the tests', () => {
  const env = { PATH: '/opt/bin:/usr/local/bin' };

  it('is the one asked for', () => {
    const wanted = { ...env, RECLOSER_CHROMIUM: '/opt/mine' };
    expect(pickChromium(wanted, null, () => true)).toBe('/opt/mine');
  });

  it('is not another one when the one asked for cannot run', () => {
    const wanted = { ...env, RECLOSER_CHROMIUM: '/opt/mine' };
    expect(() => pickChromium(wanted, null, (path) => path !== '/opt/mine')).toThrow('/opt/mine');
  });

  it('is found on the path, then among those of playwright', () => {
    expect(pickChromium(env, null, only('/opt/bin/google-chrome'))).toBe('/opt/bin/google-chrome');
    expect(pickChromium(env, '/cache/chrome', only('/cache/chrome'))).toBe('/cache/chrome');
    expect(pickChromium(env, null, () => false)).toBeNull();
    expect(chromiumCandidates({}, null)[0]).toBe('/usr/bin/chromium');
  });
});

describe('progress', () => {
  it('tells time for a person', () => {
    expect(elapsed(400)).toBe('0 s');
    expect(elapsed(59_400)).toBe('59 s');
    expect(elapsed(64_000)).toBe('1 min 04 s');
  });

  it('writes whole lines when nobody watches', () => {
    const lines: string[] = [];
    const shown = progress('Installing', {
      out: { isTTY: false, write: (t: string) => lines.push(t) },
    });
    shown.update('Compiling');
    shown.end();
    expect(lines).toEqual(['Installing …\n', 'Compiling …\n', 'Compiling: done (0 s)\n']);
  });
});

describe('the fault command', () => {
  it('turns words into a request', () => {
    expect(parseFault(['payments', 'errors', 'share=0.5', 'instance=payments-1'])).toEqual({
      path: '/fault',
      body: { service: 'payments', kind: 'errors', share: 0.5, instance: 'payments-1' },
    });
    expect(parseFault(['scenario', 'pause'])).toEqual({
      path: '/scenario',
      body: { running: false },
    });
  });

  it.each([[[]], [['payments']], [['--help', 'x']], [['payments', 'errors', 'half']]])(
    'explains itself for %j',
    (args) => expect(() => parseFault(args)).toThrow('SERVICE KIND'),
  );
});
