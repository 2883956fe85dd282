import { describe, expect, it, vi } from 'vitest';
import { SECOND_KEY_MS, ShortcutRegistry } from '@/components/shortcuts/registry';

const press = (chord: string, change: object = {}) => ({
  chord,
  isTyping: false,
  isModal: false,
  now: 0,
  ...change,
});

function withKey(...ids: Parameters<ShortcutRegistry['add']>[0][]) {
  const registry = new ShortcutRegistry();
  const runs = ids.map((id) => {
    const run = vi.fn<() => void>();
    registry.add(id, run);
    return run;
  });
  return { registry, runs, run: runs[0]! };
}

describe('[U-33] keys', () => {
  it('do what the page gave them, and nothing without a listener', () => {
    const { registry, run } = withKey('pause');
    expect(registry.press(press('p'))).toBe(true);
    expect(run).toHaveBeenCalledOnce();
    expect(registry.press(press('o'))).toBe(false);
  });

  it('never fire in a field, but Ctrl+K does', () => {
    const { registry, runs } = withKey('pause', 'palette');
    expect(registry.press(press('p', { isTyping: true }))).toBe(false);
    expect(registry.press(press('Mod+k', { isTyping: true }))).toBe(true);
    expect(runs.map((run) => run.mock.calls.length)).toEqual([0, 1]);
  });

  it('never fire behind a dialog', () => {
    const { registry, runs } = withKey('return', 'override', 'palette');
    for (const chord of ['r', 'o', 'Mod+k']) {
      expect(registry.press(press(chord, { isModal: true }))).toBe(false);
    }
    for (const run of runs) expect(run).not.toHaveBeenCalled();
  });

  it('two in a row count within the time, and not after it', () => {
    const { registry, run } = withKey('go.fleet');
    expect(registry.press(press('g', { now: 0 }))).toBe(true);
    registry.press(press('f', { now: SECOND_KEY_MS }));
    expect(run).toHaveBeenCalledOnce();

    registry.press(press('g', { now: 10_000 }));
    expect(registry.press(press('f', { now: 10_001 + SECOND_KEY_MS }))).toBe(false);
    expect(run).toHaveBeenCalledOnce();
  });

  it('a first key that was followed by typing in a field is forgotten', () => {
    const { registry, run } = withKey('go.fleet');
    registry.press(press('g'));
    registry.press(press('x', { isTyping: true }));
    expect(registry.press(press('f'))).toBe(false);
    expect(run).not.toHaveBeenCalled();
  });

  it('[2.1.4] can be turned off but for those with Ctrl', () => {
    const { registry, runs } = withKey('pause', 'go.fleet', 'palette');
    registry.prefer({}, false);
    expect(registry.press(press('p'))).toBe(false);
    expect(registry.press(press('g'))).toBe(false);
    expect(registry.press(press('Mod+k'))).toBe(true);
    expect(runs.map((run) => run.mock.calls.length)).toEqual([0, 0, 1]);
  });

  it('can be given other keys', () => {
    const { registry, run } = withKey('pause');
    registry.prefer({ pause: 'z p' }, true);
    expect(registry.press(press('p'))).toBe(false);
    registry.press(press('z'));
    expect(registry.press(press('p'))).toBe(true);
    expect(run).toHaveBeenCalledOnce();
  });

  it('the newest listener wins, and gives the key back when it goes', () => {
    const { registry, run } = withKey('override');
    const nested = vi.fn<() => void>();
    const undo = registry.add('override', nested);
    registry.press(press('o'));
    expect([run.mock.calls.length, nested.mock.calls.length]).toEqual([0, 1]);
    undo();
    registry.press(press('o'));
    expect([run.mock.calls.length, nested.mock.calls.length]).toEqual([1, 1]);
  });

  it('says which of them are of use on this page', () => {
    const registry = new ShortcutRegistry();
    const heard = vi.fn<() => void>();
    registry.watch(heard);
    const undo = registry.add('pause', () => undefined);
    expect(registry.active()).toEqual(['pause']);
    undo();
    expect(registry.active()).toEqual([]);
    expect(heard).toHaveBeenCalledTimes(2);
  });
});
