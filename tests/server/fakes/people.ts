import type { ApiTokenView } from '@/lib/protocol/api-tokens';
import type { InvitationView, PersonView } from '@/lib/protocol/people';
import type { Entry, IssuingStepUps, People, Profile } from '@/server/services/people/contract';

type Answer = <T>(name: string, value: T, ...args: unknown[]) => Promise<T>;

export const personView: PersonView = {
  id: 'usr_bob',
  name: 'bob',
  email: 'bob@example.test',
  createdAt: 1,
  disabledAt: null,
  grants: [{ role: 'operator', environment: 'test', service: '*' }],
  hasPassword: true,
  hasTotp: false,
  passkeys: 0,
  isFederated: false,
  lastSeenAt: null,
};

const invitation: InvitationView = {
  id: 'code_1',
  name: 'kim',
  email: 'kim@example.test',
  grants: [],
  createdAt: 1,
  expiresAt: 2,
};

export function fakePeople(answer: Answer): People {
  const person =
    (name: string) =>
    (...args: unknown[]) =>
      answer(name, personView, ...args);
  return {
    list: () => answer('people', { now: 1, people: [personView], invitations: [invitation] }),
    invite: (...args) => answer('invite', { code: 'abc', invitation }, ...args),
    revokeInvitation: (...args) => answer('revokeInvitation', undefined, ...args),
    setGrants: person('setGrants'),
    disable: person('disable'),
    enable: person('enable'),
    resetFactors: person('resetFactors'),
    signOut: person('signOut'),
  };
}

export function fakeProfile(answer: Answer): Profile {
  const nothing =
    (name: string) =>
    (...args: unknown[]): Promise<void> =>
      answer(name, undefined, ...args);
  return {
    show: (...args) =>
      answer('profile', { person: personView, sessions: [], passkeys: [] }, ...args),
    changePassword: nothing('changePassword'),
    removeTotp: nothing('removeTotp'),
    removePasskey: nothing('removePasskey'),
    endSession: nothing('endSession'),
    endOtherSessions: nothing('endOtherSessions'),
    assertFresh: nothing('assertFresh'),
  };
}

const unused = async (): Promise<never> => {
  throw new Error('not part of this test');
};

export const fakeStepUps: IssuingStepUps = {
  factorsOf: async () => ['password'],
  issue: unused,
  consume: async () => false,
};

export const fakeEntry: Entry = {
  needsSetup: async () => false,
  renewSetupToken: async () => null,
  setUp: unused,
  redeem: unused,
  recover: unused,
};

export const apiTokenView: ApiTokenView = {
  kind: 'script',
  id: 'key_1',
  name: 'deploy script',
  grants: [{ role: 'operator', environment: 'test', service: '*' }],
  ownerId: 'usr_1',
  owner: 'Ann',
  hint: 'rcl_u_abcd',
  createdAt: 1,
  expiresAt: 2,
  lastUsedAt: null,
  revokedAt: null,
};
