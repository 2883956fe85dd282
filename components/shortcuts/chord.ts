/** The parts of a key press that say what was meant. */
export type KeyPress = {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
};

const LETTER_CODE = /^Key([A-Z])$/;
const DIGIT = /^[0-9]$/;
const ONE_CHARACTER = /^.$/u;

/** A layout that is not Latin still has the key where the Latin letter would be. */
function letterOf({ key, code }: KeyPress): string {
  const place = LETTER_CODE.exec(code)?.[1];
  const isForeign = key.length === 1 && key.charCodeAt(0) > 127;
  return place !== undefined && isForeign ? place.toLowerCase() : key;
}

/**
 * One press as text: `f`, `?`, `Mod+k`, `Shift+r`. Null for what is never a shortcut: modifiers
 * alone, Alt (it types characters and belongs to screen readers), and named keys.
 */
export function chordOf(press: KeyPress): string | null {
  if (press.altKey) return null;
  const key = letterOf(press);
  if (!ONE_CHARACTER.test(key) || key === ' ') return null;
  const lower = key.toLowerCase();
  const isLetter = lower !== key.toUpperCase();
  const shift = press.shiftKey && (isLetter || DIGIT.test(key)) ? 'Shift+' : '';
  const mod = press.ctrlKey || press.metaKey ? 'Mod+' : '';
  return `${mod}${shift}${lower}`;
}

/** `g f` is two chords; a single one is a list of one. */
export const chordsOf = (keys: string): string[] => keys.split(' ').filter(Boolean);

/** Single keys can be turned off; those with Ctrl or Cmd need no such switch. */
export const isSingleKey = (keys: string): boolean => !keys.startsWith('Mod+');

/** Whether the keyboard has a Cmd key. */
export const isApple = (): boolean =>
  typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent);

/** What stands on the keycaps: `Ctrl` `K`, or `g` `f`. */
export function keycaps(keys: string, isApple: boolean): string[] {
  return chordsOf(keys).flatMap((chord) =>
    chord.split(/\+(?=.)/).map((part) => {
      if (part === 'Mod') return isApple ? '⌘' : 'Ctrl';
      return keys.startsWith('Mod+') ? part.toUpperCase() : part;
    }),
  );
}

/** For `aria-keyshortcuts`, which knows no sequences: only the first press is named. */
export const ariaKeys = (keys: string): string =>
  (chordsOf(keys)[0] ?? '').replace('Mod+', 'Control+');

const CHORD = /^(Mod\+)?(Shift\+)?[^\s]$/u;
/** Browsers keep these for themselves, or a screen reader and every field need them. */
const TAKEN = new Set(['w', 't', 'n', 'q', 'r', 'l', 'f', 'p', 's', 'a', 'c', 'v', 'x', 'z', '+']);

/** Why these keys cannot be had; null when they can. `others` are the keys of all other shortcuts. */
export function keysProblem(keys: string, others: readonly string[]): string | null {
  const chords = chordsOf(keys);
  if (chords.length < 1 || chords.length > 2 || !chords.every((chord) => CHORD.test(chord))) {
    return 'Use one key, Ctrl with a key, or two keys in a row such as “g f”.';
  }
  if (chords.some((chord) => chord.startsWith('Mod+')) && chords.length > 1) {
    return 'Ctrl or Cmd works with one key only, not in a row of two.';
  }
  const [first = ''] = chords;
  if (first.startsWith('Mod+') && TAKEN.has(first.slice(4))) {
    return 'The browser keeps this key for itself.';
  }
  const clash = others.find(
    (other) => other === keys || other.startsWith(`${keys} `) || keys.startsWith(`${other} `),
  );
  return clash === undefined ? null : `“${clash}” is in use already.`;
}
