/**
 * Who may do what, in pure data: the server decides with it, the browser only hides what would be
 * refused. Denied is whatever is not listed. The schema is in `grant`: pages carry no validator.
 */

export const roles = ['viewer', 'responder', 'operator', 'approver', 'admin', 'auditor'] as const;
export type Role = (typeof roles)[number];

export const actions = [
  'fleet.read',
  'audit.read',
  'audit.export',
  'incident.annotate',
  'override.issue',
  'override.release',
  'override.change',
  'override.approve',
  'override.break_glass',
  'review.close',
  'token.manage',
  'people.manage',
  'policy.manage',
  'instance.remove',
  'simulator.manage',
  'backup.make',
] as const;
export type Action = (typeof actions)[number];

/** Each is exact, or a prefix with a trailing `*`; `*` alone is everything. */
export type Grant = { role: Role; environment: string; service: string };

/** What is acted on. `service` may itself be a pattern, as that of a token. */
export type Scope = { readonly environment: string; readonly service: string };

const READER = ['fleet.read'] as const satisfies readonly Action[];
const RESPONDER = [...READER, 'incident.annotate'] as const satisfies readonly Action[];

/** An auditor reads all of the audit and changes nothing. */
export const actionsOf: Readonly<Record<Role, readonly Action[]>> = {
  viewer: READER,
  responder: RESPONDER,
  operator: [
    ...RESPONDER,
    'override.issue',
    'override.release',
    'override.change',
    'override.break_glass',
  ],
  approver: [...RESPONDER, 'audit.read', 'override.approve', 'review.close'],
  auditor: [...READER, 'audit.read', 'audit.export'],
  admin: actions,
};

/** Of the whole console, or shown across services because an outage crosses them: no scope limits them. */
const UNSCOPED: ReadonlySet<Action> = new Set<Action>([
  'fleet.read',
  'audit.read',
  'audit.export',
  'backup.make',
]);

/** Whether a pattern of the first kind (exact, or a prefix with `*`) takes in the second. */
export function covers(granted: string, wanted: string): boolean {
  if (granted.endsWith('*')) return wanted.startsWith(granted.slice(0, -1));
  return granted === wanted;
}

/**
 * The first role among the grants that allows it, null when none does. Without a scope the question
 * is whether it is allowed anywhere at all.
 */
export function roleFor(grants: readonly Grant[], action: Action, scope?: Scope): Role | null {
  const found = grants.find(
    ({ role, environment, service }) =>
      actionsOf[role].includes(action) &&
      (scope === undefined ||
        UNSCOPED.has(action) ||
        (covers(environment, scope.environment) && covers(service, scope.service))),
  );
  return found?.role ?? null;
}

/** Where a question is asked; what is left out is everything. */
export type Place = { readonly environment?: string | null; readonly service?: string | null };

const reaches = (granted: string, wanted: string | null | undefined): boolean =>
  wanted === null || wanted === undefined || covers(granted, wanted);

const isAll = (granted: string, wanted: string | null | undefined): boolean =>
  granted === '*' || (wanted !== null && wanted !== undefined);

/**
 * The roles that these grants give at a place, without those that another of them contains.
 * `inPart` when none of them reaches all of the place.
 */
export function rolesAt(
  grants: readonly Grant[],
  { environment, service }: Place,
): { roles: Role[]; inPart: boolean } {
  const here = grants.filter(
    (one) => reaches(one.environment, environment) && reaches(one.service, service),
  );
  const held = roles.filter((role) => here.some((one) => one.role === role));
  const contains = (role: Role, other: Role) =>
    role !== other && actionsOf[other].every((action) => actionsOf[role].includes(action));
  return {
    roles: held.filter((role) => !held.some((other) => contains(other, role))),
    inPart:
      here.length > 0 &&
      !here.some((one) => isAll(one.environment, environment) && isAll(one.service, service)),
  };
}

/** Whether somebody with these grants may hand this one on: nothing in it that they do not hold. */
export function isWithin(held: readonly Grant[], wanted: Grant): boolean {
  return held.some(
    ({ role, environment, service }) =>
      covers(environment, wanted.environment) &&
      covers(service, wanted.service) &&
      actionsOf[wanted.role].every((action) => actionsOf[role].includes(action)),
  );
}

export function allows(grants: readonly Grant[], action: Action, scope?: Scope): boolean {
  return roleFor(grants, action, scope) !== null;
}
