import { makeEntry, type Entry } from '@/lib/client/fuzzy';
import { isSimulated } from '@/lib/protocol/simulated';
import type { MeBody } from '@/lib/protocol/people';
import type { Policy } from '@/lib/protocol/risk';
import type { BreakerView, OverrideView, ServiceView } from '@/lib/protocol/views';
import { allowsPerson, type Place } from '../override/allowed';
import { isActive, KINDS, type Kind } from '../override/kinds';
import type { ShortcutId } from '../shortcuts/catalogue';
import { gravityFor, leastGravity, RETURN_GRAVITY, type Gravity } from './gravity';

export type Act =
  | { readonly type: 'open'; readonly path: string }
  | { readonly type: 'key'; readonly id: ShortcutId }
  | { readonly type: 'type'; readonly text: string }
  | { readonly type: 'copy-link' }
  | { readonly type: 'override'; readonly kind: Kind; readonly row: BreakerView }
  | { readonly type: 'return'; readonly override: OverrideView };

export type ItemKind = 'Breaker' | 'Service' | 'Target' | 'Page' | 'Action' | 'Command' | 'Person';

export type Item = {
  /** Stable over visits, so that it can be remembered. */
  readonly id: string;
  readonly kind: ItemKind;
  readonly name: string;
  readonly detail: string;
  readonly act: Act;
  readonly row?: BreakerView;
  readonly risk?: Gravity;
  /** The role that it takes, where this person does not have it. */
  readonly lacks?: string;
  /** Its key, to be learned in passing. */
  readonly keys?: string;
};

const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

const where = (row: BreakerView) =>
  `${row.service} → ${row.target} · ${row.environment}${isSimulated(row) ? ' · simulated' : ''}`;

export function breakerItems(rows: readonly BreakerView[]): Item[] {
  return rows.map((row) => ({
    id: `breaker:${row.id}`,
    kind: 'Breaker',
    name: row.name,
    detail: where(row),
    act: { type: 'open', path: at('/breakers', row.id) },
    row,
  }));
}

export function serviceItems(services: readonly ServiceView[]): Item[] {
  return services.map(({ id, name, environment, breakers }) => ({
    id: `service:${id}`,
    kind: 'Service',
    name,
    detail: `${environment} · ${breakers} ${breakers === 1 ? 'breaker' : 'breakers'}`,
    act: { type: 'open', path: at('/services', id) },
  }));
}

export function targetItems(rows: readonly BreakerView[]): Item[] {
  const counts = new Map<string, number>();
  for (const { target } of rows) counts.set(target, (counts.get(target) ?? 0) + 1);
  return [...counts].map(([target, count]) => ({
    id: `target:${target}`,
    kind: 'Target',
    name: target,
    detail: `${count} ${count === 1 ? 'breaker' : 'breakers'} to it`,
    act: { type: 'open', path: at('/targets', target) },
  }));
}

export function personItems(people: readonly { id: string; name: string; email: string }[]) {
  return people.map(({ id, name, email }): Item => ({
    id: `person:${id}`,
    kind: 'Person',
    name,
    detail: email,
    act: { type: 'open', path: '/settings/people' },
  }));
}

/** Each override that lives can be ended from here, by whoever may. */
export function returnItems(overrides: readonly OverrideView[], me: MeBody | null): Item[] {
  return overrides.filter(isActive).map((override) => ({
    id: `return:${override.id}`,
    kind: 'Command',
    name: `Return ${override.breaker} to automatic`,
    detail: `${KINDS[override.kind].done.toLowerCase()} by ${override.actor} · ${override.service} · ${override.environment}`,
    act: { type: 'return', override },
    risk: RETURN_GRAVITY,
    ...lacking(me, 'override.release', override),
  }));
}

function lacking(
  me: MeBody | null,
  action: 'override.issue' | 'override.release',
  ...places: readonly Place[]
): { lacks?: string } {
  return allowsPerson(me, action, ...places) ? {} : { lacks: 'operator' };
}

const KIND_LIST = ['force_open', 'force_closed', 'reset'] as const satisfies readonly Kind[];
const VERB = /^(force open|force closed|reset)(?:\s+(.*))?$/i;

/** "force open pay" is a command and the breaker that it is for. */
export function parseVerb(query: string): { kind: Kind; rest: string } | null {
  const [, verb, rest] = VERB.exec(query.trimStart()) ?? [];
  const kind = KIND_LIST.find((one) => KINDS[one].name.toLowerCase() === verb?.toLowerCase());
  return kind === undefined ? null : { kind, rest: rest ?? '' };
}

/** The same breakers, as what is done to them. A dialog follows; nothing happens from here. */
export function commandItems(
  kind: Kind,
  breakers: readonly Item[],
  { me, policies }: { readonly me: MeBody | null; readonly policies: readonly Policy[] | null },
): Item[] {
  return breakers.flatMap((item) =>
    item.row === undefined
      ? []
      : [
          {
            ...item,
            id: `${kind}:${item.row.id}`,
            kind: 'Command' as const,
            name: `${KINDS[kind].name} ${item.row.name}`,
            act: { type: 'override' as const, kind, row: item.row },
            ...gravityFor(kind, item.row, policies),
            ...lacking(me, 'override.issue', item.row),
          },
        ],
  );
}

/** The commands themselves: choosing one writes it into the field, and a breaker is asked for. */
export function verbItems(me: MeBody | null): Item[] {
  return KIND_LIST.map((kind) => ({
    id: `verb:${kind}`,
    kind: 'Command',
    name: `${KINDS[kind].name} …`,
    detail: 'a breaker, in a dialog with preview and reason',
    act: { type: 'type', text: `${KINDS[kind].name.toLowerCase()} ` },
    risk: leastGravity(kind),
    ...lacking(me, 'override.issue'),
  }));
}

/** The signs between the words of a detail are for the eye. */
export const toEntry = (item: Item): Entry<Item> =>
  makeEntry(item, item.name, item.detail.replace(/[→·]/g, ' '));
