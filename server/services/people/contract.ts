/** What the doors may ask about people. Refusals are `RecloserError`s. */
import type { Grant } from '@/lib/protocol/access';
import type {
  InviteBody,
  InvitedBody,
  PeopleBody,
  PersonView,
  ProfileBody,
  RedeemBody,
  SetupBody,
  StepUpAnswer,
} from '@/lib/protocol/people';
import type { PersonRecord } from '../../store/port/people';
import type { Caller, Factor } from '../caller';
import type { StepUps } from '../step-ups';

/** scrypt or better; both take the time that makes guessing dear. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(hash: string, password: string): Promise<boolean>;
}

/** Of other people; for those who manage them. */
export interface People {
  list(): Promise<PeopleBody>;
  /** The code is in this answer only. */
  invite(caller: Caller, body: InviteBody): Promise<InvitedBody>;
  revokeInvitation(caller: Caller, id: string): Promise<void>;
  setGrants(caller: Caller, id: string, grants: readonly Grant[]): Promise<PersonView>;
  disable(caller: Caller, id: string): Promise<PersonView>;
  enable(caller: Caller, id: string): Promise<PersonView>;
  resetFactors(caller: Caller, id: string): Promise<PersonView>;
  signOut(caller: Caller, id: string): Promise<PersonView>;
}

/** Of oneself. What changes a factor needs one that was proved within five minutes. */
export interface Profile {
  show(caller: Caller): Promise<ProfileBody>;
  changePassword(
    caller: Caller,
    body: { readonly current: string; readonly next: string },
  ): Promise<void>;
  removeTotp(caller: Caller): Promise<void>;
  removePasskey(caller: Caller, id: string): Promise<void>;
  endSession(caller: Caller, id: string): Promise<void>;
  endOtherSessions(caller: Caller): Promise<void>;
  /** Throws unless a factor may be changed from this session now. */
  assertFresh(caller: Caller): Promise<void>;
}

/** The ways in for those who are not signed in. Only the sign-in doors reach these. */
export interface Entry {
  needsSetup(): Promise<boolean>;
  /** [S-02] Null when set-up has been done. An older token ends. */
  renewSetupToken(
    caller?: Caller,
  ): Promise<{ readonly token: string; readonly expiresAt: number } | null>;
  setUp(caller: Caller, body: SetupBody): Promise<PersonRecord>;
  /** Whoever holds an invitation or a recovery code. */
  redeem(caller: Caller, body: RedeemBody): Promise<PersonRecord>;
  /** For a command on the machine: a code with which this person sets a new password. */
  recover(email: string): Promise<{ readonly code: string; readonly expiresAt: number }>;
}

/** [S-13] Fresh factors, each for one command. */
export interface IssuingStepUps extends StepUps {
  issue(caller: Caller, digest: string, factor: Factor): Promise<StepUpAnswer>;
}
