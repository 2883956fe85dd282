import type { z } from 'zod';
import type {
  commandBody,
  commandsBody,
  CommandPreview,
  gradualReleaseBody,
  gradualReleasesBody,
  PoliciesBody,
  reviewBody,
  reviewsBody,
} from '../protocol/command-views';
import type {
  ApproveBody,
  ChangeLeaseBody,
  CloseReviewBody,
  DenyBody,
  IssueCommandBody,
  PolicyView,
  PreviewCommandBody,
  ReleaseBody,
  SetPolicyBody,
  StartReleaseBody,
} from '../protocol/commands';
import { get, post, withQuery } from './http';

export type CommandBody = z.infer<typeof commandBody>;
export type CommandsBody = z.infer<typeof commandsBody>;
type GradualBody = z.infer<typeof gradualReleaseBody>;
type GradualsBody = z.infer<typeof gradualReleasesBody>;
type ReviewBody = z.infer<typeof reviewBody>;
type ReviewsBody = z.infer<typeof reviewsBody>;

const path = encodeURIComponent;
const command = (id: string, verb: string) => `/api/commands/${path(id)}/${verb}`;

export const previewCommand = (body: PreviewCommandBody) =>
  post<CommandPreview>('/api/commands/preview', body);
export const issueCommand = (body: IssueCommandBody) => post<CommandBody>('/api/commands', body);
export const getCommands = (signal?: AbortSignal) => get<CommandsBody>('/api/commands', signal);
/** Those that wait for a second person or for their start. */
export const getWaiting = (signal?: AbortSignal) =>
  get<CommandsBody>(withQuery('/api/commands', { waiting: 1 }), signal);
export const getCommand = (id: string, signal?: AbortSignal) =>
  get<CommandBody>(`/api/commands/${path(id)}`, signal);
export const approveCommand = (id: string, body: ApproveBody) =>
  post<CommandBody>(command(id, 'approve'), body);
export const denyCommand = (id: string, body: DenyBody) =>
  post<CommandBody>(command(id, 'deny'), body);
export const cancelCommand = (id: string) => post<CommandBody>(command(id, 'cancel'));
export const releaseCommand = (id: string, body: ReleaseBody) =>
  post<CommandBody>(command(id, 'release'), body);
export const changeLease = (id: string, body: ChangeLeaseBody) =>
  post<CommandBody>(command(id, 'lease'), body);

/** What a form sends: fields with a default may be left out. */
type NewRelease = Partial<StartReleaseBody>;
export const startRelease = (body: NewRelease) => post<GradualBody>('/api/releases', body);
export const getReleases = (signal?: AbortSignal) =>
  get<GradualsBody>(withQuery('/api/releases', { open: 1 }), signal);
export const resumeRelease = (id: string) => post<GradualBody>(`/api/releases/${path(id)}/resume`);
export const cancelRelease = (id: string) => post<GradualBody>(`/api/releases/${path(id)}/cancel`);

export const getReviews = (signal?: AbortSignal) =>
  get<ReviewsBody>(withQuery('/api/reviews', { open: 1 }), signal);
export const closeReview = (id: string, body: CloseReviewBody) =>
  post<ReviewBody>(`/api/reviews/${path(id)}/close`, body);

export const getPolicies = (signal?: AbortSignal) => get<PoliciesBody>('/api/policies', signal);
export const setPolicy = (body: SetPolicyBody) =>
  post<{ policy: PolicyView }>('/api/policies', body);
