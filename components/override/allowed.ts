import type { CommandView } from '@/lib/protocol/command-views';
import type { MeBody } from '@/lib/protocol/people';

type Acting =
  | 'override.issue'
  | 'override.release'
  | 'override.change'
  | 'override.approve'
  | 'audit.read'
  | 'review.close'
  | 'policy.manage'
  | 'instance.remove'
  | 'simulator.manage';

/** Repeats the table of the protocol: importing it would bring its schemas into the browser. */
export const ROLES_OF: Readonly<Record<Acting, readonly string[]>> = {
  'override.issue': ['operator', 'admin'],
  'override.release': ['operator', 'admin'],
  'override.change': ['operator', 'admin'],
  'override.approve': ['approver', 'admin'],
  'audit.read': ['approver', 'auditor', 'admin'],
  'review.close': ['approver', 'admin'],
  'policy.manage': ['admin'],
  'instance.remove': ['admin'],
  'simulator.manage': ['admin'],
};

/** [S-14] Nobody approves or reviews what they asked for, also through a token of theirs. */
export const isOwnCommand = (me: MeBody | null, { requester }: Pick<CommandView, 'requester'>) =>
  me !== null && requester.id === me.person.id;

const covers = (pattern: string, value: string): boolean =>
  pattern.endsWith('*') ? value.startsWith(pattern.slice(0, -1)) : value === pattern;

/** Where it acts. Without a service, in any of the environment. */
export type Place = { readonly environment: string; readonly service?: string | undefined };

/**
 * Whether one's grants allow it in every one of the places; without places, anywhere at all. Only
 * hides what would be refused: the server decides.
 */
export function allowsPerson(
  me: MeBody | null,
  action: Acting,
  ...places: readonly Place[]
): boolean {
  const grants = me?.person.grants.filter(({ role }) => ROLES_OF[action].includes(role)) ?? [];
  return (
    grants.length > 0 &&
    places.every(({ environment, service }) =>
      grants.some(
        (grant) =>
          covers(grant.environment, environment) &&
          (service === undefined || covers(grant.service, service)),
      ),
    )
  );
}

type Reach = Pick<CommandView, 'environment'> & {
  readonly facts: { readonly breakers: readonly { readonly breakerId: string }[] };
};

/** Where a command acts, as far as the live fleet knows its breakers. */
export function placesOf(
  { environment, facts }: Reach,
  serviceOf: (breakerId: string) => string | undefined,
): Place[] {
  const services = new Set(facts.breakers.map(({ breakerId }) => serviceOf(breakerId)));
  return [...services].map((service) => ({ environment, service }));
}
