import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keysOf, SHORTCUTS } from '@/components/shortcuts/catalogue';
import { chordOf, keycaps, keysProblem, type KeyPress } from '@/components/shortcuts/chord';
import { withKeys } from '@/components/shortcuts/key-editor';

const press = (change: Partial<KeyPress>): KeyPress => ({
  key: '',
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...change,
});

describe('[U-33] a key press as text', () => {
  it('is the character, whatever keys it takes to type it', () => {
    expect(chordOf(press({ key: '?', shiftKey: true, code: 'Minus' }))).toBe('?');
    expect(chordOf(press({ key: '/', shiftKey: true, code: 'Digit7' }))).toBe('/');
    expect(chordOf(press({ key: 'r' }))).toBe('r');
    expect(chordOf(press({ key: 'R', shiftKey: true }))).toBe('Shift+r');
    expect(chordOf(press({ key: 'R' }))).toBe('r');
  });

  it('takes Ctrl and Cmd for one', () => {
    expect(chordOf(press({ key: 'k', ctrlKey: true }))).toBe('Mod+k');
    expect(chordOf(press({ key: 'k', metaKey: true }))).toBe('Mod+k');
  });

  it('knows the place of a letter on a keyboard that has none', () => {
    expect(chordOf(press({ key: 'п', code: 'KeyG' }))).toBe('g');
  });

  it('leaves Alt, named keys and the space bar alone', () => {
    expect(chordOf(press({ key: 'a', altKey: true }))).toBeNull();
    for (const key of ['Enter', 'Escape', 'Shift', 'F5', 'ArrowDown', ' ', 'Dead']) {
      expect(chordOf(press({ key }))).toBeNull();
    }
  });

  it('shows the caps of this computer', () => {
    expect(keycaps('Mod+k', false)).toEqual(['Ctrl', 'K']);
    expect(keycaps('Mod+k', true)).toEqual(['⌘', 'K']);
    expect(keycaps('g f', false)).toEqual(['g', 'f']);
  });
});

describe('[U-33] the table of keys', () => {
  const keys = SHORTCUTS.map(({ id }) => keysOf(id));

  it.each(SHORTCUTS.map(({ id }) => [id] as const))(
    '%s is in nobody’s way: browser, screen reader, other keys',
    (id) => {
      expect(
        keysProblem(
          keysOf(id),
          keys.filter((other) => other !== keysOf(id)),
        ),
      ).toBeNull();
    },
  );

  it('no key is given twice', () => {
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('refuses what the browser keeps, what is taken and what is no key', () => {
    expect(keysProblem('Mod+w', [])).toContain('browser');
    expect(keysProblem('Mod+r', [])).toContain('browser');
    expect(keysProblem('g', ['g f'])).toContain('g f');
    expect(keysProblem('g f', ['g'])).toContain('g');
    expect(keysProblem('p', ['p'])).toContain('in use');
    expect(keysProblem('', [])).not.toBeNull();
    expect(keysProblem('a b c', [])).not.toBeNull();
    expect(keysProblem('F5', [])).not.toBeNull();
    expect(keysProblem('Mod+j k', [])).not.toBeNull();
  });

  it('keeps a change, and forgets it when it is back at the default', () => {
    const changed = withKeys({}, 'pause', 'z');
    expect(changed).toEqual({ pause: 'z' });
    expect(withKeys(changed, 'pause', keysOf('pause'))).toEqual({});
  });

  it('never throws, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (typed, others) => {
        const problem = keysProblem(typed, others);
        expect(problem === null || problem.length > 0).toBe(true);
      }),
    );
  });
});
