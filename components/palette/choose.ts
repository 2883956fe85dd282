import { find } from '@/lib/client/fuzzy';
import type { MeBody } from '@/lib/protocol/people';
import type { Policy } from '@/lib/protocol/risk';
import { commandItems, parseVerb, type Item, type toEntry } from './items';

const LIMIT = 40;
/** As much as the difference between the start of a word and its middle. */
const RECENT_BONUS = 30;

export type Source = {
  /** Everything that can be found, in the order in which equals are shown. */
  readonly entries: readonly ReturnType<typeof toEntry>[];
  /** What is offered before anything is typed. */
  readonly first: readonly Item[];
  readonly recent: readonly string[];
  readonly me: MeBody | null;
  /** As set by people; null until they are known. */
  readonly policies: readonly Policy[] | null;
};

function beforeTyping({ entries, first, recent }: Source): Item[] {
  const byId = new Map(entries.map(({ item }) => [item.id, item]));
  const lately = recent.flatMap((id) => byId.get(id) ?? []);
  return [...lately, ...first.filter(({ id }) => !recent.includes(id))];
}

/** What the palette shows for what is typed. */
export function choose(source: Source, query: string): Item[] {
  if (query.trim() === '') return beforeTyping(source);
  const { entries, recent } = source;
  const favour = ({ id }: Item) => (recent.includes(id) ? RECENT_BONUS : 0);
  const verb = parseVerb(query);
  if (verb !== null) {
    const breakers = entries.filter(({ item }) => item.row !== undefined);
    const found =
      verb.rest.trim() === ''
        ? breakers.slice(0, LIMIT).map(({ item }) => item)
        : find(breakers, verb.rest, LIMIT).map(({ item }) => item);
    return commandItems(verb.kind, found, source);
  }
  return find(entries, query, LIMIT, favour).map(({ item }) => item);
}
