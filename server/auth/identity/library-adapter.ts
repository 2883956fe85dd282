/**
 * The tables of the sign-in library, through the store's port. Beyond what the library knows: the
 * token of a session is stored as a hash, a session can go on under a new token, and a change takes
 * its audit row with it.
 */
import { createAdapterFactory } from 'better-auth/adapters';
import type { Clock } from '../../services/contract';
import type { AuthClause, AuthModel, AuthRow, PeopleStore } from '../../store/port/people';
import { currentScope, takeAudit } from './library-scope';
import { hashOfToken } from './sessions';

type Clause = Pick<AuthClause, 'field' | 'value'> & {
  readonly operator?: AuthClause['operator'] | undefined;
  readonly connector?: AuthClause['connector'] | undefined;
};

/** Only models that the library was told of; the store refuses any other. */
const models = (model: string): AuthModel => model as AuthModel;

const isToken = (model: string, field: string) => model === 'session' && field === 'token';

function clausesOf(model: string, where: readonly Clause[] | undefined): AuthClause[] {
  return (where ?? []).map(({ field, value, operator = 'eq', connector = 'AND' }) => ({
    field,
    operator,
    connector,
    value: isToken(model, field) && typeof value === 'string' ? hashOfToken(value) : value,
  }));
}

/** The library sets cookies from what it reads: it gets the token that it asked with. */
function shown(model: string, row: AuthRow, where: readonly Clause[] | undefined): AuthRow {
  const asked = where?.find(({ field }) => isToken(model, field))?.value;
  return typeof asked === 'string' ? { ...row, token: asked } : row;
}

function hashed(model: string, set: AuthRow): AuthRow {
  const { token } = set;
  return model === 'session' && typeof token === 'string'
    ? { ...set, token: hashOfToken(token) }
    : set;
}

async function createSession(people: PeopleStore, clock: Clock, row: AuthRow): Promise<AuthRow> {
  const { caller, factors, rotate } = currentScope();
  const now = clock.wall();
  const { token } = row;
  if (typeof token !== 'string') throw new Error('a session without a token');
  if (rotate !== undefined) {
    await people.rotateSession(rotate, hashOfToken(token), now, factors);
    currentScope().signedIn = String(row['userId']);
    return { ...row, id: rotate };
  }
  const at = new Date(now);
  const own = { createdAt: at, updatedAt: at, lastSeenAt: at, freshAt: at, factors: [...factors] };
  const from = { ipAddress: caller.ip, userAgent: caller.userAgent };
  const stored = { ...hashed('session', row), ...own, ...from };
  await people.auth.insert('session', stored, await takeAudit('session', row));
  currentScope().signedIn = String(row['userId']);
  return row;
}

export function createLibraryAdapter(people: PeopleStore, clock: Clock) {
  const { auth } = people;
  async function change(model: string, where: readonly Clause[], set: AuthRow, by?: AuthRow) {
    const rows = await auth.change({
      model: models(model),
      where: clausesOf(model, where),
      set: hashed(model, set),
      audit: await takeAudit(models(model), set),
      ...(by === undefined ? {} : { increment: by as Record<string, number> }),
    });
    return rows.map((row) => shown(model, row, where));
  }
  async function find(query: {
    model: string;
    where?: readonly Clause[];
    limit?: number;
    offset?: number;
    sortBy?: { field: string; direction: 'asc' | 'desc' };
  }) {
    const { model, where, limit, offset, sortBy } = query;
    const rows = await auth.find({
      model: models(model),
      where: clausesOf(model, where),
      ...(limit === undefined ? {} : { limit }),
      ...(offset === undefined ? {} : { offset }),
      ...(sortBy === undefined ? {} : { sortBy }),
    });
    return rows.map((row) => shown(model, row, where));
  }
  async function remove(model: string, where: readonly Clause[]) {
    const query = { model: models(model), where: clausesOf(model, where) };
    return auth.remove(query, await takeAudit(models(model), {}));
  }
  return createAdapterFactory({
    config: { adapterId: 'recloser', adapterName: 'Recloser store', supportsNumericIds: false },
    adapter: () => ({
      create: async ({ model, data }) => {
        if (model === 'session') return (await createSession(people, clock, data)) as typeof data;
        const row = await auth.insert(models(model), data, await takeAudit(models(model), data));
        return row as typeof data;
      },
      findOne: async ({ model, where }) =>
        ((await find({ model, where, limit: 1 }))[0] ?? null) as never,
      findMany: async (query) => (await find(query as Parameters<typeof find>[0])) as never[],
      count: async ({ model, where }) =>
        auth.count({ model: models(model), where: clausesOf(model, where) }),
      update: async ({ model, where, update }) =>
        ((await change(model, where, update as AuthRow))[0] ?? null) as never,
      updateMany: async ({ model, where, update }) => (await change(model, where, update)).length,
      delete: async ({ model, where }) => void (await remove(model, where)),
      deleteMany: async ({ model, where }) => (await remove(model, where)).length,
      consumeOne: async ({ model, where }) => ((await remove(model, where))[0] ?? null) as never,
      incrementOne: async ({ model, where, increment, set }) =>
        ((await change(model, where, set ?? {}, increment))[0] ?? null) as never,
    }),
  });
}
