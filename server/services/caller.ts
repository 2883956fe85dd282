/** Who asks, as far as the doors have established it. Nothing in a body can change it. */
import { roleFor, type Action, type Grant, type Role, type Scope } from '@/lib/protocol/access';
import type { Who } from '@/lib/protocol/views';
import type { AuditInsert } from '../store/port';

export type Factor = 'password' | 'totp' | 'passkey' | 'oidc';

export type Principal =
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly name: string;
      readonly email: string;
      readonly grants: readonly Grant[];
      readonly sessionId: string;
      /** What this session was signed in with. */
      readonly factors: readonly Factor[];
      /** When a factor was last proved, epoch milliseconds; null when it is not known. */
      readonly freshAt: number | null;
    }
  | {
      readonly kind: 'api_token';
      readonly id: string;
      readonly name: string;
      readonly grants: readonly Grant[];
      readonly ownerId: string;
    }
  /** A command run on the machine itself: whoever may read the data folder may do anything. */
  | { readonly kind: 'local'; readonly name: string }
  | { readonly kind: 'system' }
  /** Somebody who has not signed in, or not yet. */
  | { readonly kind: 'anonymous' };

export type Caller = {
  readonly principal: Principal;
  /** Address after the rules for proxies; null when nothing came over the network. */
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
  /** The role that let the running verb through; set by the gate. */
  readonly role?: Role;
};

export const SYSTEM: Caller = {
  principal: { kind: 'system' },
  ip: null,
  userAgent: null,
  requestId: null,
};

export function nameOf({ principal }: Caller): string {
  return 'name' in principal ? principal.name : principal.kind;
}

/** Stable over renames: two callers with the same id are the same person, token or machine. */
export function idOf({ principal }: Caller): string {
  switch (principal.kind) {
    case 'user':
    case 'api_token':
      return principal.id;
    default:
      return principal.kind;
  }
}

function whoOf(caller: Caller): Who {
  const { principal, ip, userAgent, role } = caller;
  const user = principal.kind === 'user' ? principal : null;
  return {
    kind: principal.kind,
    id: idOf(caller),
    name: nameOf(caller),
    session: user?.sessionId ?? null,
    factors: user === null ? [] : [...user.factors],
    role: role ?? null,
    ip,
    userAgent,
  };
}

/** The part of an audit row that says who. */
export function auditBy(caller: Caller): Pick<AuditInsert, 'actor' | 'who'> {
  return { actor: nameOf(caller), who: whoOf(caller) };
}

/** `undefined` when it is refused; null when no role is needed, as for a command on the machine. */
export function permit(
  { principal }: Caller,
  action: Action,
  scope?: Scope,
): Role | null | undefined {
  if (principal.kind === 'local' || principal.kind === 'system') return null;
  if (principal.kind === 'anonymous') return undefined;
  return roleFor(principal.grants, action, scope) ?? undefined;
}
