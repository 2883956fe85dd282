import type { RequesterStamp } from '../../store/port';
import type { Caller } from '../caller';

/** Who asked: for an API token the person behind it. */
export function stampOf({ principal }: Caller): RequesterStamp {
  switch (principal.kind) {
    case 'user':
      return { kind: 'user', id: principal.id, email: principal.email.toLowerCase() };
    case 'api_token':
      return { kind: 'api_token', id: principal.ownerId, email: null };
    default:
      return { kind: principal.kind, id: null, email: null };
  }
}

/**
 * [S-14] Only a person can be the second one, and not the first under another account: the address
 * links the two.
 */
export function isSecondPerson(caller: Caller, requester: RequesterStamp): boolean {
  const { principal } = caller;
  if (principal.kind !== 'user') return false;
  const sameAddress = requester.email !== null && requester.email === principal.email.toLowerCase();
  return principal.id !== requester.id && !sameAddress;
}

/** A command on the machine is from whoever may read the data folder: no factor would stop them. */
export const isLocal = ({ principal }: Caller): boolean =>
  principal.kind === 'local' || principal.kind === 'system';
