import type { PreviewCommandBody } from '../protocol/commands';
import type { TimeDomain } from '../series/types';
import type { AuditFilter, HistoryFilter, SeriesRange } from './api';

/** Every key is here; a prefix names everything below it, for invalidation. */
export const queryKeys = {
  services: ['services'] as const,
  service: (id: string) => ['services', id] as const,
  tokens: ['tokens'] as const,
  findings: (serviceId: string) => ['findings', serviceId] as const,
  breakers: ['breaker'] as const,
  breaker: (id: string) => ['breaker', id] as const,
  breakerDetail: (id: string) => ['breaker', id, 'detail'] as const,
  diagnosis: (id: string) => ['breaker', id, 'diagnosis'] as const,
  history: (id: string, filter: HistoryFilter) => ['breaker', id, 'history', filter] as const,
  series: (id: string, range: SeriesRange) => ['breaker', id, 'series', range] as const,
  targetSeries: (target: string, environment: string | null, range: TimeDomain | number) =>
    ['target', target, environment, 'series', range] as const,
  preview: (body: PreviewCommandBody | null) => ['preview', body] as const,
  commands: ['commands'] as const,
  commandList: ['commands', 'list'] as const,
  waiting: ['commands', 'waiting'] as const,
  command: (id: string) => ['commands', 'one', id] as const,
  releases: ['releases'] as const,
  reviews: ['reviews'] as const,
  policies: ['policies'] as const,
  overrides: ['overrides'] as const,
  overrideList: (active: boolean) => ['overrides', 'list', { active }] as const,
  audit: ['audit'] as const,
  auditList: (filter: AuditFilter) => ['audit', 'list', filter] as const,
  auditProof: ['audit', 'proof'] as const,
  simulator: ['simulator'] as const,
  health: ['health'] as const,
  me: ['me'] as const,
  signIn: ['sign-in'] as const,
  profile: ['profile'] as const,
  people: ['people'] as const,
  apiTokens: ['api-tokens'] as const,
};
