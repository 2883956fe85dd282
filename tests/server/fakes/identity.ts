import type { Identity } from '@/server/auth/identity/identity';
import type { User } from '@/server/auth/identity/sessions';
import { ada } from '@/tests/support/callers';

/** Sent by the `post` of the tests. */
export const TEST_CSRF = 'csrf-of-the-test';

export type FakeIdentity = Identity & {
  /** Whose session every request has; null for none. */
  user: User | null;
  setupNeeded: boolean;
  tickets: Set<string>;
  readonly asked: string[];
  /** Thrown by every answer. */
  thrown: unknown;
};

const adaUser = ada.principal as User;

export function fakeIdentity(): FakeIdentity {
  const asked: string[] = [];
  const answer = async <T>(name: string, value: T): Promise<T> => {
    asked.push(name);
    if (fake.thrown !== null) throw fake.thrown;
    return value;
  };
  const signedIn = { state: 'signed_in' as const };
  const options = { options: { challenge: 'abc' } };
  const fake: FakeIdentity = {
    user: adaUser,
    setupNeeded: false,
    tickets: new Set(['ticket-1']),
    asked,
    thrown: null,
    signedIn: async () => (fake.user === null ? null : { user: fake.user, csrf: TEST_CSRF }),
    refresh: async () => fake.user,
    redeemTicket: (ticket) => fake.tickets.has(ticket),
    needsSetup: async () => fake.setupNeeded,
    options: () => answer('options', { needsSetup: fake.setupNeeded, oidc: null }),
    setUp: () => answer('setUp', signedIn),
    redeem: () => answer('redeem', signedIn),
    signIn: () => answer('signIn', signedIn),
    signInTotp: () => answer('signInTotp', signedIn),
    passkeyOptions: () => answer('passkeyOptions', options),
    signInPasskey: () => answer('signInPasskey', signedIn),
    startOidc: () => answer('startOidc', 'https://idp.example/authorize'),
    finishOidc: () => answer('finishOidc', '/'),
    me: (_exchange, csrf) =>
      answer('me', {
        person: { id: 'usr_ada', name: 'ada', email: 'ada@example.test', grants: [] },
        csrf,
        stepUpFactors: ['password' as const],
      }),
    signOut: () => answer('signOut', undefined),
    liveTicket: () => {
      if (fake.thrown !== null) throw fake.thrown;
      return { ticket: 'ticket-1', expiresInMs: 30_000 };
    },
    changePassword: () => answer('changePassword', undefined),
    startTotp: () => answer('startTotp', 'otpauth://totp/x'),
    confirmTotp: () => answer('confirmTotp', undefined),
    startPasskey: () => answer('startPasskey', options),
    confirmPasskey: () => answer('confirmPasskey', undefined),
    stepUpOptions: () => answer('stepUpOptions', options),
    stepUp: () => answer('stepUp', { stepUp: 'step-1', expiresAt: 1, factor: 'password' as const }),
  };
  return fake;
}
