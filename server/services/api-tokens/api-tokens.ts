import { isWithin, type Grant } from '@/lib/protocol/access';
import type { ApiTokenView, CreateApiTokenBody } from '@/lib/protocol/api-tokens';
import type { ApiTokenRecord } from '../../store/port/api-tokens';
import { auditBy, idOf, nameOf, permit, type Caller, type Principal } from '../caller';
import type { ApiTokens } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { assertFresh } from '../people/profile';
import { createToken, isToken } from '../tokens/token-text';

const DAY_MS = 86_400_000;
const TOUCH_EVERY_MS = 60_000;
const MAX_LIVE_TOKENS = 20;

const prefixOf = { script: 'rcl_u_', screen: 'rcl_k_' } as const;

const viewOf = (record: ApiTokenRecord): ApiTokenView => ({
  ...record,
  // The beginning of a token says what it is for, and is kept.
  kind: record.hint.startsWith(prefixOf.screen) ? 'screen' : 'script',
  grants: [...record.grants],
});

const isLive = (token: ApiTokenRecord, now: number): boolean =>
  token.revokedAt === null && token.expiresAt > now;

/** A token must not outlive its owner's roles, so a script cannot make itself another one. */
function ownerOf(caller: Caller): Extract<Principal, { kind: 'user' }> {
  const { principal } = caller;
  if (principal.kind === 'user') return principal;
  throw new RecloserError('not_allowed', 'Only a person who is signed in can make an API token.');
}

function refuseMore(asked: readonly Grant[], held: readonly Grant[]): void {
  const beyond = asked.find((one) => !isWithin(held, one));
  if (beyond === undefined) return;
  const { role, environment, service } = beyond;
  throw new RecloserError(
    'not_allowed',
    `You cannot give what you do not hold: ${role} in ${environment} for ${service}.`,
  );
}

function createCreate(core: Core): ApiTokens['create'] {
  return async (caller, body: CreateApiTokenBody) => {
    const owner = ownerOf(caller);
    refuseMore(body.grants, owner.grants);
    await assertFresh(core, caller);
    const now = core.clock.wall();
    const all = await core.store.apiTokens.listApiTokens();
    const live = all.filter((one) => one.ownerId === owner.id && isLive(one, now));
    if (live.length >= MAX_LIVE_TOKENS) {
      throw new RecloserError('conflict', `You have ${MAX_LIVE_TOKENS} API tokens; revoke one.`);
    }
    const { token, hint } = createToken(core.random, prefixOf[body.kind]);
    const record: ApiTokenRecord = {
      id: core.ids.apiToken(),
      name: body.name,
      grants: body.grants,
      ownerId: owner.id,
      owner: nameOf(caller),
      hint,
      createdAt: now,
      expiresAt: now + body.expiresInDays * DAY_MS,
      lastUsedAt: null,
      revokedAt: null,
    };
    const { id, name, grants, expiresAt } = record;
    await core.store.apiTokens.createApiToken(record, core.hash(token), {
      at: now,
      ...auditBy(caller),
      action: 'api_token.created',
      subject: id,
      outcome: 'done',
      details: { kind: body.kind, name, grants: [...grants], expiresAt },
    });
    return { token, view: viewOf(record) };
  };
}

/** One's own; everybody's for those who manage people. */
function createRevoke(core: Core): ApiTokens['revoke'] {
  return async (caller, id) => {
    const known = await core.store.apiTokens.getApiToken(id);
    const mayAll = managesPeople(caller);
    // A stranger's token is not even confirmed to exist.
    if (known === null || (known.ownerId !== idOf(caller) && !mayAll)) {
      throw new RecloserError('not_found', 'the API token is not known');
    }
    const record = await core.store.apiTokens.revokeApiToken(id, core.clock.wall(), {
      at: core.clock.wall(),
      ...auditBy(caller),
      action: 'api_token.revoked',
      subject: id,
      outcome: 'done',
      details: { name: known.name, owner: known.owner },
    });
    return viewOf(record ?? known);
  };
}

function managesPeople(caller: Caller): boolean {
  return permit(caller, 'people.manage') !== undefined;
}

/** Never more than its owner holds at this moment: roles taken away count at once. */
function createLookUp(core: Core) {
  const touched = new Map<string, number>();
  return async (text: string, prefix: (typeof prefixOf)[keyof typeof prefixOf]) => {
    if (!isToken(text, prefix)) return null;
    const record = await core.store.apiTokens.findApiToken(core.hash(text));
    const now = core.clock.wall();
    if (record === null || !isLive(record, now)) return null;
    const owner = await core.store.people.findPerson({ id: record.ownerId });
    if (owner === null || owner.disabledAt !== null) return null;
    const mono = core.clock.mono();
    if (mono - (touched.get(record.id) ?? -Infinity) > TOUCH_EVERY_MS) {
      touched.set(record.id, mono);
      core.store.apiTokens.touchApiToken(record.id, now).catch((error: unknown) => {
        core.log.error({ err: error, tokenId: record.id }, 'last use of a token was not stored');
      });
    }
    return { ...record, grants: record.grants.filter((one) => isWithin(owner.grants, one)) };
  };
}

export function createApiTokens(core: Core): ApiTokens {
  const lookUp = createLookUp(core);
  return {
    create: createCreate(core),
    async list(caller) {
      const all = await core.store.apiTokens.listApiTokens();
      const mayAll = managesPeople(caller);
      return all.filter((one) => mayAll || one.ownerId === idOf(caller)).map(viewOf);
    },
    revoke: createRevoke(core),
    async authenticate(text) {
      const found = await lookUp(text, prefixOf.script);
      if (found === null) return null;
      const { id, name, owner, grants, ownerId } = found;
      return { kind: 'api_token', id, name: `${name} (${owner})`, grants, ownerId };
    },
    screen: (text) => lookUp(text, prefixOf.screen),
  };
}
