import { isSimulated, SIMULATED_ENVIRONMENT } from '@/lib/protocol/simulated';
import type { TokenView } from '@/lib/protocol/views';
import type { AuditInsert, TokenRecord } from '../../store/port';
import { auditBy, type Caller } from '../caller';
import type { Tokens } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { createToken, isToken } from './token-text';

const DAY_MS = 86_400_000;
/** Last use is shown to the minute; a write each handshake would be a write a reconnect. */
const TOUCH_EVERY_MS = 60_000;

const viewOf = (record: TokenRecord): TokenView => ({
  ...record,
  abilities: [...record.abilities],
});

function audit(
  core: Core,
  action: string,
  caller: Caller,
  subject: string,
  details: AuditInsert['details'],
): AuditInsert {
  return { at: core.clock.wall(), ...auditBy(caller), action, subject, outcome: 'done', details };
}

function createCreate(core: Core): Tokens['create'] {
  return async (caller, body) => {
    const now = core.clock.wall();
    const { token, hint } = createToken(core.random);
    const { name, servicePattern, environment, abilities, expiresInDays } = body;
    if (isSimulated(body)) {
      throw new RecloserError(
        'invalid_input',
        `The environment "${SIMULATED_ENVIRONMENT}" is that of the built-in simulator; choose another name.`,
      );
    }
    const record: TokenRecord = {
      id: core.ids.token(),
      name,
      servicePattern,
      environment,
      abilities,
      hint,
      createdAt: now,
      expiresAt: now + expiresInDays * DAY_MS,
      lastUsedAt: null,
      revokedAt: null,
    };
    const details = { name, servicePattern, environment, abilities, expiresAt: record.expiresAt };
    const row = audit(core, 'token.created', caller, record.id, details);
    await core.store.createToken(record, core.hash(token), row);
    core.tokenNames.set(record.id, name);
    return { token, view: viewOf(record) };
  };
}

function createRevoke(core: Core): Tokens['revoke'] {
  return async (caller, id) => {
    const row = audit(core, 'token.revoked', caller, id, {});
    const record = await core.store.revokeToken(id, core.clock.wall(), row);
    if (record === null) throw new RecloserError('not_found', 'the token is not known');
    core.bus.publish({ type: 'token_revoked', tokenId: id });
    return viewOf(record);
  };
}

function createAuthenticate(core: Core): Tokens['authenticate'] {
  const touched = new Map<string, number>();
  return async (token) => {
    if (!isToken(token, 'rcl_a_')) return null;
    const record = await core.store.findToken(core.hash(token));
    const now = core.clock.wall();
    if (record === null || record.revokedAt !== null || record.expiresAt <= now) return null;
    const mono = core.clock.mono();
    if (mono - (touched.get(record.id) ?? -Infinity) > TOUCH_EVERY_MS) {
      touched.set(record.id, mono);
      core.store.touchToken(record.id, now).catch((error: unknown) => {
        core.log.error({ err: error, tokenId: record.id }, 'last use of a token was not stored');
      });
    }
    return record;
  };
}

/** [S-08] Only the hash is stored; the token is shown once. */
export function createTokens(core: Core): Tokens {
  return {
    create: createCreate(core),
    list: async () => (await core.store.listTokens()).map(viewOf),
    revoke: createRevoke(core),
    authenticate: createAuthenticate(core),
  };
}
