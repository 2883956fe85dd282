import type { CommandView } from '@/lib/protocol/command-views';
import type { MeBody } from '@/lib/protocol/people';

type Acting =
  | 'override.issue'
  | 'override.approve'
  | 'audit.read'
  | 'review.close'
  | 'policy.manage';

/** Repeats the table of the protocol: importing it would bring its schemas into the browser. */
export const ROLES_OF: Readonly<Record<Acting, readonly string[]>> = {
  'override.issue': ['operator', 'admin'],
  'override.approve': ['approver', 'admin'],
  'audit.read': ['approver', 'auditor', 'admin'],
  'review.close': ['approver', 'admin'],
  'policy.manage': ['admin'],
};

/** [S-14] Nobody approves or reviews what they asked for, also through a token of theirs. */
export const isOwnCommand = (me: MeBody | null, { requester }: Pick<CommandView, 'requester'>) =>
  me !== null && requester.id === me.person.id;

const covers = (pattern: string, value: string): boolean =>
  pattern.endsWith('*') ? value.startsWith(pattern.slice(0, -1)) : value === pattern;

/**
 * Only hides what would be refused; the server decides. Services are left to it, as a command may
 * cross them.
 */
export function allowsPerson(me: MeBody | null, action: Acting, environment?: string): boolean {
  if (me === null) return false;
  return me.person.grants.some(
    (grant) =>
      ROLES_OF[action].includes(grant.role) &&
      (environment === undefined || covers(grant.environment, environment)),
  );
}
