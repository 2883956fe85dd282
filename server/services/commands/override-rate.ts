import { idOf, type Caller } from '../caller';
import type { Core } from '../core';
import { createRateLimit } from '../rate-limit';
import { isLocal, stampOf } from './people';

/** [S-21] What one person, with all their tokens, and what all together may ask for in a minute. */
export const OVERRIDE_LIMITS = { perPerson: 10, inAll: 60 } as const;

export type OverrideRate = {
  /** Throws `too_many`; a release is never asked. */
  check(caller: Caller): void;
  /** Something was stored: an attempt that is refused, or sent again, takes nothing away. */
  count(caller: Caller): void;
};

const ALL = 'all';
const keyOf = (caller: Caller): string => stampOf(caller).id ?? idOf(caller);

export function createOverrideRate({ clock, overrideLimits }: Core): OverrideRate {
  const { perPerson, inAll } = overrideLimits ?? OVERRIDE_LIMITS;
  const still = 'Returning to automatic is never limited.';
  const own = createRateLimit(clock, {
    perMinute: perPerson,
    refusal: `At most ${perPerson} overrides a minute and person. ${still}`,
  });
  const all = createRateLimit(clock, {
    perMinute: inAll,
    refusal: `At most ${inAll} overrides a minute in all. ${still}`,
  });
  return {
    check(caller) {
      if (isLocal(caller)) return;
      own.check(keyOf(caller));
      all.check(ALL);
    },
    count(caller) {
      if (isLocal(caller)) return;
      own.count(keyOf(caller));
      all.count(ALL);
    },
  };
}
