import type { PolicyView } from '@/lib/protocol/commands';
import { BUILT_IN } from '@/lib/protocol/risk';
import type { PolicyRecord } from '../../store/port';
import { auditBy, nameOf } from '../caller';
import type { Policies } from '../contract';
import type { Core } from '../core';

const viewOf = (policy: PolicyRecord): PolicyView => ({
  ...policy,
  tierOneServices: [...policy.tierOneServices],
});

/** Which risk asks for a second person or for a step-up, by environment. */
export function createPolicies(core: Core): Policies {
  return {
    list: async () => ({
      builtIn: BUILT_IN.map(viewOf),
      policies: (await core.store.listPolicies()).map(viewOf),
    }),
    set: async (caller, body) => {
      const at = core.clock.wall();
      const { environment } = body;
      const before = (await core.store.listPolicies()).find(
        (policy) => policy.environment === environment,
      );
      const policy = { ...body, updatedAt: at, updatedBy: nameOf(caller) };
      await core.store.setPolicy(policy, {
        at,
        ...auditBy(caller),
        action: 'policy.set',
        subject: environment,
        outcome: 'done',
        details: { before: before ?? null, after: policy },
      });
      return viewOf(policy);
    },
  };
}
