/**
 * [S-03] Length and guessability, no rules of composition: those make people write worse ones. What
 * is refused is what a list of leaked passwords or a look at the person would try first.
 */
import { PASSWORD_MAX, PASSWORD_MIN } from '@/lib/protocol/people';
import { RecloserError } from '../errors';
import { COMMON_PASSWORDS } from './common-passwords';

const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const plain = (text: string): string =>
  text.toLowerCase().replace(/[01345 7@$!]/g, (char) => LEET[char] ?? '');

/** What stays of a password without the digits and signs that people put around a word. */
const core = (text: string): string =>
  plain(text.replace(/^[\d\W_]+|[\d\W_]+$/g, '')).replace(/[\W_]/g, '');

/** `abcdefgh`, `87654321`, `aaaaaaaa`: every step the same, -1, 0 or 1. */
function isRun(text: string): boolean {
  const codes = Array.from(text, (char) => char.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return new Set(steps).size === 1 && Math.abs(steps[0] ?? 9) <= 1;
}

const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop', '1234567890'];

function isKeyboardRow(text: string): boolean {
  const rows = KEYBOARD.flatMap((row) => [row, row.split('').toReversed().join('')]);
  return rows.some((row) => row.repeat(2).includes(text.toLowerCase()));
}

/** `abcabcabc`: one piece of at most four characters again and again. */
const isRepeated = (text: string): boolean => /^(.{1,4})\1+.?$/u.test(text);

function isAboutPerson(text: string, about: readonly string[]): boolean {
  const pieces = about
    .flatMap((one) => one.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((piece) => piece.length >= 4);
  const rest = pieces.reduce((left, piece) => left.replaceAll(piece, ''), text.toLowerCase());
  const own = rest.replace(/[\W_]/g, '');
  return own.length < PASSWORD_MIN / 2 && rest.length < text.length;
}

function isCommon(text: string): boolean {
  return [text.toLowerCase(), plain(text), core(text)].some((one) => COMMON_PASSWORDS.has(one));
}

/** Null when it will do; else why not. `about`: words that belong to the person. */
export function passwordProblem(password: string, about: readonly string[]): string | null {
  const text = password.normalize('NFKC');
  const { length } = Array.from(text);
  if (length < PASSWORD_MIN) return `A password needs at least ${PASSWORD_MIN} characters.`;
  if (length > PASSWORD_MAX) return `A password has at most ${PASSWORD_MAX} characters.`;
  const isWeak = isCommon(text) || isRun(text) || isKeyboardRow(text) || isRepeated(text);
  if (isWeak) return 'This password is among the first that are guessed; take another one.';
  return isAboutPerson(text, ['recloser', ...about])
    ? 'This password is little more than your own name or that of the console; take another one.'
    : null;
}

export function assertPassword(password: string, about: readonly string[]): void {
  const problem = passwordProblem(password, about);
  if (problem !== null) throw new RecloserError('invalid_input', problem);
}
