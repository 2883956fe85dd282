/** Finding things by a few typed letters, one of which may be wrong. No DOM, no clock. */

export type Entry<T> = {
  readonly item: T;
  readonly name: string;
  /** The words of the name, then those of the rest. */
  readonly words: readonly string[];
  readonly nameWords: number;
  readonly text: string;
};

export type Found<T> = { readonly item: T; readonly score: number };

const SCORE = { exact: 100, start: 80, inside: 50, typo: 30, miss: 0 };
/** What stands in the name counts more than what stands beside it. */
const NAME_BONUS = 10;
const SHORTEST_TYPO = 3;
const MARKS = /\p{M}/gu;
const BREAKS = /[^\p{L}\p{N}]+/u;
const CAMEL = /(\p{Ll}|\p{N})(\p{Lu})/gu;

// Nearly every name is ASCII, and there are thousands of them.
const ASCII = /^[ -~]*$/;
const ASCII_BREAKS = /[^a-z0-9]+/;
const ASCII_CAMEL = /([a-z0-9])([A-Z])/g;

const plain = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : text.normalize('NFKD').replace(MARKS, '').toLowerCase();

function partsOf(text: string): string[] {
  return ASCII.test(text)
    ? text.replace(ASCII_CAMEL, '$1 $2').toLowerCase().split(ASCII_BREAKS)
    : plain(text.replace(CAMEL, '$1 $2')).split(BREAKS);
}

/** `paymentsApi-v2` is found by itself, and by payments, api and v2. */
function wordsOf(text: string): string[] {
  const words = partsOf(text);
  for (const whole of plain(text).split(/\s+/)) if (!words.includes(whole)) words.push(whole);
  return words.filter(Boolean);
}

export function makeEntry<T>(item: T, name: string, rest: string): Entry<T> {
  const nameWords = wordsOf(name);
  return {
    item,
    name: plain(name),
    words: [...nameWords, ...wordsOf(rest)],
    nameWords: nameWords.length,
    text: `${plain(name)} ${plain(rest)}`,
  };
}

/**
 * Whether a word begins as typed but for one slip: a wrong, a missing or a needless letter, or two
 * that changed places.
 */
export function startsWithTypo(word: string, typed: string): boolean {
  let at = 0;
  while (at < typed.length && at < word.length && typed[at] === word[at]) at += 1;
  if (at === typed.length) return true;
  const after = typed.slice(at + 1);
  return (
    word.startsWith(after, at + 1) ||
    word.startsWith(after, at) ||
    word.startsWith(typed.slice(at), at + 1) ||
    (typed[at] === word[at + 1] &&
      typed[at + 1] === word[at] &&
      word.startsWith(typed.slice(at + 2), at + 2))
  );
}

function scoreOne<T>(entry: Entry<T>, typed: string): number {
  const { words, text } = entry;
  const isInside = text.includes(typed);
  let best: number = isInside ? SCORE.inside : SCORE.miss;
  if (isInside && entry.name.includes(typed)) best += NAME_BONUS;
  const mayBeTypo = !isInside && typed.length >= SHORTEST_TYPO;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const bonus = index < entry.nameWords ? NAME_BONUS : 0;
    let score = SCORE.miss;
    if (isInside && word.startsWith(typed)) {
      score = (word.length === typed.length ? SCORE.exact : SCORE.start) + bonus;
    } else if (mayBeTypo && startsWithTypo(word, typed)) {
      score = SCORE.typo + bonus;
    }
    if (score > best) best = score;
  }
  return best;
}

/** Zero when a typed word is nowhere to be found; the more alike, the more. */
function scoreAll<T>(entry: Entry<T>, typed: readonly string[]): number {
  let sum = 0;
  for (const word of typed) {
    const score = scoreOne(entry, word);
    if (score === SCORE.miss) return 0;
    sum += score;
  }
  return sum;
}

/**
 * The best of them, best first; of equals the shorter name, then the order that was given.
 * `favour` adds to the score of what a person used lately. Nothing typed finds nothing.
 */
export function find<T>(
  entries: readonly Entry<T>[],
  query: string,
  limit: number,
  favour: (item: T) => number = () => 0,
): Found<T>[] {
  const typed = plain(query).split(/\s+/).filter(Boolean);
  if (typed.length === 0) return [];
  const found: (Found<T> & { length: number; order: number })[] = [];
  for (let order = 0; order < entries.length; order += 1) {
    const entry = entries[order];
    if (entry === undefined) continue;
    const score = scoreAll(entry, typed);
    if (score === 0) continue;
    const { item } = entry;
    found.push({ item, score: score + favour(item), length: entry.name.length, order });
  }
  return found
    .sort((a, b) => b.score - a.score || a.length - b.length || a.order - b.order)
    .slice(0, limit)
    .map(({ item, score }) => ({ item, score }));
}
