import type { PersonRecord } from '../../store/port/people';
import type { Caller, Factor } from '../caller';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import type { IssuingStepUps } from './contract';
import { audit, personOrThrow } from './people';

/** [S-13] How long a proof may wait for its command. */
export const STEP_UP_MS = 5 * 60_000;

/** A password is what was just typed at sign-in; with another factor at hand it proves too little. */
export function stepUpFactorsOf(person: PersonRecord): readonly Factor[] {
  const strong: Factor[] = [
    ...(person.hasTotp ? ['totp' as const] : []),
    ...(person.passkeys > 0 ? ['passkey' as const] : []),
  ];
  if (strong.length > 0) return strong;
  return person.hasPassword ? ['password'] : [];
}

const hashOf = (core: Core, id: string): string => core.hash(`step-up:${id}`);

export function createStepUps(core: Core): IssuingStepUps {
  const { people } = core.store;
  const factorsOf = async ({ principal }: Caller): Promise<readonly Factor[]> =>
    principal.kind === 'user' ? stepUpFactorsOf(await personOrThrow(core, principal.id)) : [];
  return {
    factorsOf,
    issue: async (caller, digest, factor) => {
      const { principal } = caller;
      if (principal.kind !== 'user') {
        throw new RecloserError('not_allowed', 'Only somebody who has signed in can step up.');
      }
      const now = core.clock.wall();
      const id = Buffer.from(core.random(16)).toString('base64url');
      const record = {
        id: core.ids.stepUp(),
        hash: hashOf(core, id),
        sessionId: principal.sessionId,
        personId: principal.id,
        digest,
        factor,
        createdAt: now,
        expiresAt: now + STEP_UP_MS,
      };
      const row = audit(core, caller, 'session.stepped_up', principal.id, { digest, factor });
      await people.putStepUp(record, row);
      return { stepUp: id, expiresAt: record.expiresAt, factor };
    },
    consume: async ({ principal }, digest, id) => {
      if (principal.kind !== 'user') return false;
      const { sessionId } = principal;
      const at = core.clock.wall();
      return people.consumeStepUp({ hash: hashOf(core, id), sessionId, digest, at });
    },
  };
}
