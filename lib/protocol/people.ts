/** Bodies of the parts of `/api` that are about people: signing in, profiles, roles, sessions. */
import { z } from 'zod';
import { grant } from './grant';
import { name } from './primitives';

export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
const MAX_GRANTS = 50;

const email = z.string().trim().toLowerCase().max(254).pipe(z.email('must be an e-mail address'));
/** Any text: whether it will do is decided with the reason why not. */
const password = z.string().min(1).max(1_024);
const code = z.string().trim().min(1).max(128);
const totp = z
  .string()
  .transform((text) => text.replaceAll(' ', ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must be six digits'));
/** What the browser's authenticator answered; checked by the sign-in library. */
const authenticatorAnswer = z.looseObject({ id: z.string().max(2_048) });
/** What `navigator.credentials` is given. */
const authenticatorOptions = z.record(z.string(), z.json());
const at = z.number();

export const factor = z.enum(['password', 'totp', 'passkey', 'oidc']);
export type FactorName = z.infer<typeof factor>;

export const signInOptionsBody = z.object({
  /** True until the first admin has been made. */
  needsSetup: z.boolean(),
  /** Set when an identity provider is configured. */
  oidc: z.object({ label: z.string() }).nullable(),
});
export type SignInOptionsBody = z.infer<typeof signInOptionsBody>;

export const signInBody = z.strictObject({ email, password });
export const signInAnswer = z.object({
  /** `second_factor`: send a code of the authenticator app to `/api/sign-in/totp`. */
  state: z.enum(['signed_in', 'second_factor']),
});
export type SignInAnswer = z.infer<typeof signInAnswer>;

export const totpBody = z.strictObject({ code: totp });
export const passkeyOptionsBody = z.object({ options: authenticatorOptions });
export type PasskeyOptionsBody = z.infer<typeof passkeyOptionsBody>;
export const passkeyBody = z.strictObject({ response: authenticatorAnswer });
export const oidcStartBody = z.strictObject({
  /** A path of the console to come back to. */
  next: z.string().max(512).optional(),
});
export const oidcStartAnswer = z.object({ url: z.string() });
export type OidcStartAnswer = z.infer<typeof oidcStartAnswer>;

export const setupBody = z.strictObject({ token: code, name, email, password });
export type SetupBody = z.infer<typeof setupBody>;
/** An invitation, or the code of a recovery; the name counts for an invitation only. */
export const redeemBody = z.strictObject({ code, name: name.optional(), password });
export type RedeemBody = z.infer<typeof redeemBody>;

export const personView = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  createdAt: at,
  disabledAt: at.nullable(),
  grants: z.array(grant),
  hasPassword: z.boolean(),
  hasTotp: z.boolean(),
  passkeys: z.int(),
  isFederated: z.boolean(),
  lastSeenAt: at.nullable(),
});
export type PersonView = z.infer<typeof personView>;

export const invitationView = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  grants: z.array(grant),
  createdAt: at,
  expiresAt: at,
});
export type InvitationView = z.infer<typeof invitationView>;

export const peopleBody = z.object({
  now: at,
  people: z.array(personView),
  invitations: z.array(invitationView),
});
export type PeopleBody = z.infer<typeof peopleBody>;
export const personBody = z.object({ person: personView });

const grantList = z.array(grant).max(MAX_GRANTS);
export const inviteBody = z.strictObject({ name, email, grants: grantList });
export type InviteBody = z.infer<typeof inviteBody>;
/** The only answer that shows the code. */
export const invitedBody = z.object({ code: z.string(), invitation: invitationView });
export type InvitedBody = z.infer<typeof invitedBody>;
export const grantsBody = z.strictObject({ grants: grantList });

export const sessionView = z.object({
  id: z.string(),
  createdAt: at,
  lastSeenAt: at,
  factors: z.array(z.string()),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  isCurrent: z.boolean(),
});
export type SessionView = z.infer<typeof sessionView>;

export const profileBody = z.object({
  person: personView,
  sessions: z.array(sessionView),
  passkeys: z.array(
    z.object({ id: z.string(), name: z.string().nullable(), createdAt: at.nullable() }),
  ),
});
export type ProfileBody = z.infer<typeof profileBody>;

export const meBody = z.object({
  person: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    grants: z.array(grant),
  }),
  /** Sent back as `x-csrf` with everything that changes something; belongs to this session. */
  csrf: z.string(),
  /** Factors that a step-up takes from this person. */
  stepUpFactors: z.array(factor),
});
export type MeBody = z.infer<typeof meBody>;

export const changePasswordBody = z.strictObject({ current: password, next: password });
export const startTotpBody = z.strictObject({ password: password.optional() });
export const startedTotpBody = z.object({
  /** For the authenticator app, as text or as a QR code. Shown once. */
  uri: z.string(),
});
export type StartedTotpBody = z.infer<typeof startedTotpBody>;
export const addPasskeyBody = z.strictObject({
  response: authenticatorAnswer,
  name: name.optional(),
});

/** Which command it is for: a digest that the server made. */
const digest = z.string().regex(/^[\w:.-]{4,128}$/, 'must be a digest that the server made');
export const stepUpBody = z.strictObject({
  digest,
  proof: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('password'), password }),
    z.strictObject({ kind: z.literal('totp'), code: totp }),
    z.strictObject({ kind: z.literal('passkey'), response: authenticatorAnswer }),
  ]),
});
export type StepUpBody = z.infer<typeof stepUpBody>;
export const stepUpAnswer = z.object({
  /** For one command, once, from this session. */
  stepUp: z.string(),
  expiresAt: at,
  factor,
});
export type StepUpAnswer = z.infer<typeof stepUpAnswer>;

export const liveTicketBody = z.object({ ticket: z.string(), expiresInMs: z.int() });
export type LiveTicketBody = z.infer<typeof liveTicketBody>;

export const doneBody = z.object({ done: z.literal(true) });
