import { covers, type Grant } from '@/lib/protocol/access';
import type { BreakerView } from '@/lib/protocol/views';
import type { ApiTokens } from '../contract';
import { auditBy, type Caller } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { createRateLimit } from '../rate-limit';
import type { Screens } from './contract';

const LOOKS_PER_MINUTE = 120;
const TRIES_PER_MINUTE = 10;
const FLEET: ReadonlySet<string> = new Set(['fleet']);

const sees = (grants: readonly Grant[], { environment, service }: BreakerView): boolean =>
  grants.some((one) => covers(one.environment, environment) && covers(one.service, service));

/** Who holds the handle is for those who are signed in. */
const anonymous = (row: BreakerView): BreakerView =>
  row.override === null ? row : { ...row, override: { ...row.override, actor: '' } };

/** [S-44] Reading, within its scope and its rate, for as long as its owner could read it too. */
export function createScreens(core: Core, tokens: Pick<ApiTokens, 'screen'>): Screens {
  const { clock, store, feed } = core;
  const looks = createRateLimit(clock, {
    perMinute: LOOKS_PER_MINUTE,
    refusal: `At most ${LOOKS_PER_MINUTE} looks a minute with one token of a screen.`,
  });
  const tries = createRateLimit(clock, {
    perMinute: TRIES_PER_MINUTE,
    refusal: `At most ${TRIES_PER_MINUTE} screens a minute from one address.`,
  });

  const note = (caller: Caller, subject: string, outcome: 'done' | 'refused') =>
    store.appendAudit({
      at: clock.wall(),
      ...auditBy(caller),
      action: outcome === 'done' ? 'screen.opened' : 'screen.refused',
      subject,
      outcome,
      details: {},
    });

  async function known(token: string) {
    const found = await tokens.screen(token);
    if (found !== null) return found;
    throw new RecloserError(
      'not_signed_in',
      'The token of this screen is unknown, expired or revoked.',
    );
  }

  return {
    async open(caller, token) {
      const key = caller.ip ?? '';
      tries.check(key);
      tries.count(key);
      const found = await known(token).catch(async (thrown: unknown) => {
        await note(caller, 'screen', 'refused');
        throw thrown;
      });
      await note(caller, found.id, 'done');
      return { name: found.name, expiresAt: found.expiresAt };
    },
    async show(token) {
      const { id, grants } = await known(token);
      looks.check(id);
      looks.count(id);
      const { breakers: all, ...rest } = feed.snapshot(FLEET);
      const breakers = all.filter((row) => sees(grants, row)).map(anonymous);
      const environmentNames = [...new Set(breakers.map(({ environment }) => environment))];
      return { ...rest, breakers, environmentNames, services: [], overrides: [] };
    },
  };
}
