import { describe, expect, it } from 'vitest';
import { everyState } from '@/components/design/breaker-fixtures';
import { choose, type Source } from '@/components/palette/choose';
import {
  breakerItems,
  parseVerb,
  returnItems,
  targetItems,
  toEntry,
  verbItems,
} from '@/components/palette/items';
import { withRecent } from '@/components/palette/recent';
import type { MeBody } from '@/lib/protocol/people';
import type { OverrideView } from '@/lib/protocol/views';

const NOW = 1_800_000_000_000;
const rows = everyState(NOW);

const person = (role: 'viewer' | 'operator', environment = '*'): MeBody => ({
  person: {
    id: 'p1',
    name: 'Mara',
    email: 'mara@example.org',
    grants: [{ role, environment, service: '*' }],
  },
  csrf: 'x',
  stepUpFactors: [],
});

function source(change: Partial<Source> = {}): Source {
  const me = person('operator');
  const first = verbItems(me);
  return {
    entries: [...first, ...breakerItems(rows), ...targetItems(rows)].map(toEntry),
    first,
    recent: [],
    me,
    policies: [],
    ...change,
  };
}

const riskOf = (verb: string, name: string, change: Partial<Source> = {}) =>
  choose(source(change), `${verb} ${name}`).find(({ name: found }) => found.endsWith(` ${name}`))
    ?.risk;

describe('[U-34] the palette', () => {
  it('offers what was used lately first, then what can be done', () => {
    const [row] = rows;
    const recent = [`breaker:${row!.id}`, 'gone:for-good'];
    const ids = choose(source({ recent }), '').map(({ id }) => id);
    expect(ids).toEqual([
      `breaker:${row!.id}`,
      'verb:force_open',
      'verb:force_closed',
      'verb:reset',
    ]);
  });

  it('finds a breaker by its name and leads to its page', () => {
    const row = rows.find(({ state }) => state === 'open')!;
    const [item] = choose(source(), row.name).filter(({ kind }) => kind === 'Breaker');
    expect(item).toMatchObject({
      name: row.name,
      act: { type: 'open', path: `/breakers/${encodeURIComponent(row.id)}` },
    });
  });

  it('takes a command and the breaker it is for', () => {
    const [row] = rows;
    const [open] = choose(source(), `force open ${row!.name}`);
    expect(open).toMatchObject({ act: { type: 'override', kind: 'force_open' } });
    expect(open).not.toHaveProperty('lacks');
  });

  it('[U-20] says how grave it is for this breaker, by the policy in force', () => {
    const [first] = rows;
    const row = { ...first!, environment: 'production', service: 'checkout' };
    const small = { ...row, instances: { total: 10, live: 10, stale: 0, offline: 0 } };
    const large = { ...row, instances: { total: 11, live: 2, stale: 0, offline: 9 } };
    const policy = {
      environment: 'prod*',
      twoPerson: 'L3',
      stepUp: 'L2',
      tierOneServices: [] as string[],
      updatedAt: NOW,
      updatedBy: 'root',
    } as const;
    const found = (verb: string, one: typeof row, tierOneServices: string[] = []) =>
      riskOf(verb, one.name, {
        entries: breakerItems([one]).map(toEntry),
        policies: [{ ...policy, tierOneServices }],
      });
    expect(found('force open', small)).toMatchObject({
      level: 'L2',
      takes: 'L2: a dialog with preview, reason and lease, a fresh proof that it is you',
    });
    const grave =
      'L3: a dialog with preview, reason and lease, the name typed, a fresh proof that it is you, a second person';
    expect(found('force open', large)).toMatchObject({ level: 'L3', takes: grave });
    expect(found('reset', small, ['check*'])).toMatchObject({ level: 'L3', takes: grave });
    expect(found('force closed', small)).toMatchObject({ level: 'L3', takes: grave });
  });

  it('[U-20] claims no level while the policies are not known', () => {
    const [row] = rows;
    expect(riskOf('force open', row!.name, { policies: null })).toBeUndefined();
    const verbs = Object.fromEntries(
      verbItems(person('operator')).map(({ id, risk }) => [id, risk?.label]),
    );
    expect(verbs).toEqual({
      'verb:force_open': 'L2+',
      'verb:force_closed': 'L3',
      'verb:reset': 'L2+',
    });
  });

  it('lists every breaker for a command without a name', () => {
    expect(choose(source(), 'force open ').length).toBe(Math.min(rows.length, 40));
  });

  it('shows a viewer what it takes, and an operator of elsewhere too', () => {
    const [row] = rows;
    const query = `force open ${row!.name}`;
    expect(choose(source({ me: person('viewer') }), query)[0]).toMatchObject({ lacks: 'operator' });
    expect(choose(source({ me: person('operator', 'nowhere') }), query)[0]).toMatchObject({
      lacks: 'operator',
    });
    expect(choose(source({ me: null }), query)[0]).toMatchObject({ lacks: 'operator' });
  });

  it('offers the way back for overrides that live, and for no other', () => {
    const base = {
      id: 'o1',
      breakerId: 'b',
      environment: 'production',
      service: 'edge',
      breaker: 'pricing',
      kind: 'force_open',
      actor: 'Mara',
      endedAt: null,
    } as OverrideView;
    const ended = { ...base, id: 'o2', endedAt: NOW };
    const items = returnItems([base, ended], person('operator'));
    expect(items.map(({ id, risk }) => [id, risk?.level])).toEqual([['return:o1', 'L1']]);
  });

  it('reads a command only where it is one', () => {
    expect(parseVerb('force open pay')).toEqual({ kind: 'force_open', rest: 'pay' });
    expect(parseVerb('reset')).toEqual({ kind: 'reset', rest: '' });
    expect(parseVerb('force opening')).toBeNull();
    expect(parseVerb('resetter')).toBeNull();
  });

  it('remembers eight, newest first, none twice', () => {
    const many = Array.from({ length: 12 }, (_, n) => `i${n}`).reduce(withRecent, [] as string[]);
    expect(many).toHaveLength(8);
    expect(withRecent(many, many[3]!)[0]).toBe(many[3]);
    expect(new Set(withRecent(many, many[3]!)).size).toBe(8);
  });
});
