import type { Grant } from '../protocol/access';
import type {
  InviteBody,
  InvitedBody,
  OidcStartAnswer,
  PasskeyOptionsBody,
  PeopleBody,
  ProfileBody,
  RedeemBody,
  SetupBody,
  SignInAnswer,
  SignInOptionsBody,
  StartedTotpBody,
  StepUpAnswer,
  StepUpBody,
} from '../protocol/people';
import type {
  ApiTokensBody,
  CreateApiTokenBody,
  CreatedApiTokenBody,
} from '../protocol/api-tokens';
import { get, post, postOpen } from './http';

const path = encodeURIComponent;

export const getSignInOptions = (signal?: AbortSignal) =>
  get<SignInOptionsBody>('/api/sign-in', signal);
export const signIn = (body: { email: string; password: string }) =>
  postOpen<SignInAnswer>('/api/sign-in', body);
export const signInTotp = (code: string) => postOpen<SignInAnswer>('/api/sign-in/totp', { code });
export const getPasskeyOptions = () => postOpen<PasskeyOptionsBody>('/api/sign-in/passkey-options');
export const signInPasskey = (response: unknown) =>
  postOpen<SignInAnswer>('/api/sign-in/passkey', { response });
export const startOidc = (next: string) => postOpen<OidcStartAnswer>('/api/sign-in/oidc', { next });
export const setUp = (body: SetupBody) => postOpen<SignInAnswer>('/api/setup', body);
export const redeem = (body: RedeemBody) => postOpen<SignInAnswer>('/api/redeem', body);

export const signOut = () => post<unknown>('/api/sign-out');
export const getStepUpOptions = () => post<PasskeyOptionsBody>('/api/step-up/passkey-options');
export const stepUp = (body: StepUpBody) => post<StepUpAnswer>('/api/step-up', body);

export const getProfile = (signal?: AbortSignal) => get<ProfileBody>('/api/profile', signal);
export const changePassword = (body: { current: string; next: string }) =>
  post<unknown>('/api/profile/password', body);
export const startTotp = (password: string) =>
  post<StartedTotpBody>('/api/profile/totp/start', password === '' ? {} : { password });
export const confirmTotp = (code: string) => post<unknown>('/api/profile/totp/confirm', { code });
export const removeTotp = () => post<unknown>('/api/profile/totp/remove');
export const startPasskey = () => post<PasskeyOptionsBody>('/api/profile/passkeys/start');
export const confirmPasskey = (response: unknown, name: string) =>
  post<unknown>('/api/profile/passkeys/confirm', { response, ...(name === '' ? {} : { name }) });
export const removePasskey = (id: string) =>
  post<unknown>(`/api/profile/passkeys/${path(id)}/remove`);
export const endSession = (id: string) => post<unknown>(`/api/profile/sessions/${path(id)}/end`);
export const endOtherSessions = () => post<unknown>('/api/profile/sessions/end-others');

export const getApiTokens = (signal?: AbortSignal) => get<ApiTokensBody>('/api/api-tokens', signal);
export const createApiToken = (body: CreateApiTokenBody) =>
  post<CreatedApiTokenBody>('/api/api-tokens', body);
export const revokeApiToken = (id: string) => post<unknown>(`/api/api-tokens/${path(id)}/revoke`);

export const getPeople = (signal?: AbortSignal) => get<PeopleBody>('/api/people', signal);
export const invite = (body: InviteBody) => post<InvitedBody>('/api/people/invite', body);
export const revokeInvitation = (id: string) =>
  post<unknown>(`/api/invitations/${path(id)}/revoke`);
export const setGrants = (id: string, grants: readonly Grant[]) =>
  post<unknown>(`/api/people/${path(id)}/grants`, { grants });
export type PersonAct = 'disable' | 'enable' | 'reset-factors' | 'sign-out';
export const actOnPerson = (id: string, act: PersonAct) =>
  post<unknown>(`/api/people/${path(id)}/${act}`);
