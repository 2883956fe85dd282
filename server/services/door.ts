/**
 * [S-12] The one gate. HTTP routes and the live socket only ever see what `forCaller` returns: each
 * verb behind the action that it needs, on the object that it touches. A verb without an entry in
 * the table does not compile; a refusal is an audit row.
 */
import type { Action, Role, Scope } from '@/lib/protocol/access';
import type { CommandScope } from '@/lib/protocol/commands';
import { SIMULATED_ENVIRONMENT } from '@/lib/protocol/simulated';
import type { AuditInsert } from '../store/port';
import { auditBy, permit, type Caller } from './caller';
import type { Args, Behind, Door } from './contract';
import { RecloserError } from './errors';
import { isRecorded, markRecorded } from './refusals';
import { unrecorded } from './unrecorded';

type Verb = (...args: never[]) => Promise<unknown>;

/** Where the objects of the arguments are; null for what is not known. */
export type Objects = {
  breaker(id: string): Scope | null;
  override(id: string): Promise<Scope | null>;
  /** Every service that a command touches: it has to be allowed in all of them. */
  scope(scope: CommandScope): readonly Scope[] | null;
  command(id: string): Promise<readonly Scope[] | null>;
  release(id: string): Promise<readonly Scope[] | null>;
  review(id: string): Promise<readonly Scope[] | null>;
  token(id: string): Promise<Scope | null>;
  instance(id: string): Scope | null;
};

type Found = Scope | readonly Scope[] | null;
/** `self`: whoever is signed in, about the own profile. */
export type Need = Action | 'self';

type Rule<A extends unknown[]> = {
  readonly action: Need;
  /** Left out for a verb that is about the console as a whole or about everything. */
  readonly object?: (objects: Objects, ...args: A) => Found | Promise<Found>;
};
/** `asks` says that the verb only answers and is not told who asks. */
type Entry<V> = Rule<Args<V>> &
  (V extends (...args: infer A) => unknown
    ? A extends [Caller, ...unknown[]]
      ? { readonly asks?: never; readonly changesNothing?: true }
      : { readonly asks: true }
    : never);

export type GateTable = {
  readonly [G in keyof Behind]: { readonly [V in keyof Behind[G]]: Entry<Behind[G][V]> };
};

const self = { action: 'self' } as const;
const manage = { action: 'people.manage' } as const;
const read = { action: 'fleet.read', asks: true } as const;

const SIMULATED: Scope = { environment: SIMULATED_ENVIRONMENT, service: '*' };

export const gateTable: GateTable = {
  people: {
    list: { ...manage, asks: true },
    // Whether the person is within the reach of the caller is looked at by the verbs themselves.
    invite: manage,
    revokeInvitation: manage,
    setGrants: manage,
    disable: manage,
    enable: manage,
    resetFactors: manage,
    signOut: manage,
  },
  profile: {
    show: { ...self, changesNothing: true },
    changePassword: self,
    removeTotp: self,
    removePasskey: self,
    endSession: self,
    endOtherSessions: self,
    assertFresh: { ...self, changesNothing: true },
  },
  overrides: {
    impact: read,
    issue: {
      action: 'override.issue',
      object: (objects, { breakerId }) => objects.breaker(breakerId),
    },
    release: { action: 'override.release', object: (objects, id) => objects.override(id) },
    releaseBreaker: {
      action: 'override.release',
      object: (objects, breakerId) => objects.breaker(breakerId),
    },
    changeLease: { action: 'override.change', object: (objects, id) => objects.override(id) },
    get: read,
    list: read,
  },
  commands: {
    preview: read,
    issue: { action: 'override.issue', object: (objects, { scope }) => objects.scope(scope) },
    get: read,
    list: read,
    approve: { action: 'override.approve', object: (objects, id) => objects.command(id) },
    deny: { action: 'override.approve', object: (objects, id) => objects.command(id) },
    cancel: { action: 'override.release', object: (objects, id) => objects.command(id) },
    release: { action: 'override.release', object: (objects, id) => objects.command(id) },
    changeLease: { action: 'override.change', object: (objects, id) => objects.command(id) },
  },
  releases: {
    start: {
      action: 'override.release',
      object: async (objects, { commandId, overrideIds = [] }) => {
        if (commandId !== undefined) return objects.command(commandId);
        const found = await Promise.all(overrideIds.map((id) => objects.override(id)));
        return found.flatMap((scope) => scope ?? []);
      },
    },
    resume: { action: 'override.release', object: (objects, id) => objects.release(id) },
    cancel: { action: 'override.release', object: (objects, id) => objects.release(id) },
    get: read,
    list: read,
  },
  policies: {
    list: read,
    set: {
      action: 'policy.manage',
      // A policy is for all services of the environments that it names.
      object: (_objects, { environment }) => ({ environment, service: '*' }),
    },
  },
  reviews: {
    list: { action: 'audit.read', asks: true },
    close: { action: 'review.close', object: (objects, id) => objects.review(id) },
  },
  tokens: {
    create: {
      action: 'token.manage',
      object: (_objects, { environment, servicePattern }) => ({
        environment,
        service: servicePattern,
      }),
    },
    list: read,
    revoke: { action: 'token.manage', object: (objects, id) => objects.token(id) },
  },
  apiTokens: {
    create: self,
    list: { ...self, changesNothing: true },
    revoke: self,
  },
  queries: {
    fleet: read,
    breaker: read,
    history: read,
    series: read,
    targetSeries: read,
    services: read,
    service: read,
    audit: { action: 'audit.read', asks: true },
  },
  diagnosis: { breaker: read, findings: read },
  instances: {
    remove: { action: 'instance.remove', object: (objects, id) => objects.instance(id) },
  },
  simulator: {
    status: read,
    start: { action: 'simulator.manage', object: () => SIMULATED },
    remove: { action: 'simulator.manage', object: () => SIMULATED },
  },
  audit: {
    proof: { action: 'audit.read', asks: true },
    checkpoint: { action: 'audit.export', asks: true },
    export: { action: 'audit.export' },
  },
};

export type GateDeps = {
  readonly behind: Behind;
  readonly objects: Objects;
  readonly now: () => number;
  /** Resolves when the row is stored. */
  readonly appendAudit: (row: AuditInsert) => Promise<unknown>;
  /** Throws `read_only` when a change could not be recorded everywhere it has to be. */
  readonly assertRecordable: () => Promise<void>;
};

type AnyEntry = Rule<unknown[]> & {
  readonly asks?: boolean;
  readonly changesNothing?: boolean;
};

/** What the refused verb was about, when its first argument is an id. */
const subjectOf = ([first]: readonly unknown[]): string =>
  typeof first === 'string' ? first.slice(0, 128) : 'console';

function roleOf(caller: Caller, need: Need, scope?: Scope): Role | null | undefined {
  if (need !== 'self') return permit(caller, need, scope);
  return caller.principal.kind === 'user' ? null : undefined;
}

async function admit(
  deps: GateDeps,
  caller: Caller,
  verb: string,
  entry: AnyEntry,
  args: readonly unknown[],
): Promise<Caller> {
  const found = (await entry.object?.(deps.objects, ...args)) ?? undefined;
  const named = found === undefined ? [] : [found].flat();
  const scopes = named.length === 0 ? [undefined] : named;
  const roles = scopes.map((scope) => roleOf(caller, entry.action, scope));
  const refused = roles.indexOf(undefined);
  const [role] = roles;
  if (refused === -1) return role ? { ...caller, role } : caller;
  const scope = scopes[refused];
  await deps.appendAudit({
    at: deps.now(),
    ...auditBy(caller),
    action: 'access.denied',
    subject: subjectOf(args),
    outcome: 'refused',
    details: { verb, needs: entry.action, ...scope },
  });
  const where = scope === undefined ? '' : ` for ${scope.service} in ${scope.environment}`;
  throw markRecorded(
    new RecloserError('not_allowed', `You may not do this${where}.`, {
      details: { needs: entry.action },
    }),
  );
}

/** Of what the verb itself refused, unless it has written that down with more than is known here. */
async function recordRefusal(
  deps: GateDeps,
  caller: Caller,
  verb: string,
  args: readonly unknown[],
  error: RecloserError,
): Promise<void> {
  if (isRecorded(error)) return;
  await deps.appendAudit({
    at: deps.now(),
    ...auditBy(caller),
    action: verb,
    subject: subjectOf(args),
    outcome: 'refused',
    details: { code: error.code, message: error.message },
  });
}

/** The way back to automatic is never barred. */
const changes = ({ asks, changesNothing, action }: AnyEntry): boolean =>
  asks !== true && changesNothing !== true && action !== 'override.release';

/** The verbs of one caller. */
export function createDoor(deps: GateDeps, caller: Caller): Door {
  const group = (name: keyof Behind) =>
    Object.fromEntries(
      Object.entries<AnyEntry>(gateTable[name] as Record<string, AnyEntry>).map(([verb, entry]) => [
        verb,
        async (...args: unknown[]) => {
          try {
            const admitted = await admit(deps, caller, `${name}.${verb}`, entry, args);
            if (changes(entry)) await deps.assertRecordable();
            const run = Reflect.get(deps.behind[name], verb) as Verb;
            return await run(...((entry.asks === true ? args : [admitted, ...args]) as never[]));
          } catch (thrown) {
            if (entry.asks === true) throw thrown;
            if (thrown instanceof RecloserError && entry.changesNothing !== true) {
              await recordRefusal(deps, caller, `${name}.${verb}`, args, thrown);
            }
            throw unrecorded(thrown) ?? thrown;
          }
        },
      ]),
    );
  // One entry for each verb of `Behind`, which is what the table's type demands.
  const names = Object.keys(gateTable) as (keyof Behind)[];
  return Object.fromEntries(names.map((name) => [name, group(name)])) as unknown as Door;
}
