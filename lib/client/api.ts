import type {
  BreakerBody,
  CreateTokenBody,
  HistoryBody,
  HistoryQuery,
  ReleaseOverrideBody,
  SeriesBody,
  SeriesQuery,
  ServiceBody,
  TargetSeriesBody,
  TargetSeriesQuery,
} from '../protocol/api';
import type { DiagnosisBody, FindingsBody } from '../protocol/findings';
import type { AuditFilterQuery, AuditProofBody } from '../protocol/audit';
import type {
  AuditBody,
  CreatedTokenBody,
  OverrideBody,
  OverridesBody,
  RemovedInstanceBody,
  ServicesBody,
  TokensBody,
} from './bodies';
import { download, get, post, withQuery } from './http';

const path = encodeURIComponent;

export type HistoryFilter = Partial<Omit<HistoryQuery, 'before' | 'limit'>> & { limit?: number };
export type SeriesRange = Omit<SeriesQuery, 'points'> & { points?: number };

export const getBreaker = (id: string, signal?: AbortSignal) =>
  get<BreakerBody>(`/api/breakers/${path(id)}`, signal);

export const getHistory = (
  id: string,
  query: HistoryFilter & { before?: string },
  signal?: AbortSignal,
) => get<HistoryBody>(withQuery(`/api/breakers/${path(id)}/history`, query), signal);

export const getSeries = (id: string, range: SeriesRange, signal?: AbortSignal) =>
  get<SeriesBody>(withQuery(`/api/breakers/${path(id)}/series`, range), signal);

export const getDiagnosis = (id: string, signal?: AbortSignal) =>
  get<DiagnosisBody>(`/api/breakers/${path(id)}/diagnosis`, signal);

export const getFindings = (service: string, signal?: AbortSignal) =>
  get<FindingsBody>(withQuery('/api/findings', { service }), signal);

export const getServices = (signal?: AbortSignal) => get<ServicesBody>('/api/services', signal);

export const getService = (id: string, signal?: AbortSignal) =>
  get<ServiceBody>(`/api/services/${path(id)}`, signal);

export const removeInstance = (id: string) =>
  post<RemovedInstanceBody>(`/api/instances/${path(id)}/remove`, {});

export const getTokens = (signal?: AbortSignal) => get<TokensBody>('/api/tokens', signal);

/** What a form sends: fields with a default may be left out. */
export type NewToken = Omit<CreateTokenBody, 'abilities' | 'expiresInDays'> &
  Partial<Pick<CreateTokenBody, 'abilities' | 'expiresInDays'>>;

export const createToken = (body: NewToken) => post<CreatedTokenBody>('/api/tokens', body);

export const revokeToken = (id: string) => post<unknown>(`/api/tokens/${path(id)}/revoke`);

export const getOverrides = (filter: { active: boolean }, signal?: AbortSignal) =>
  get<OverridesBody>(
    withQuery('/api/overrides', { active: filter.active ? 1 : undefined }),
    signal,
  );

export const getTargetSeries = (query: TargetSeriesQuery, signal?: AbortSignal) =>
  get<TargetSeriesBody>(withQuery('/api/targets/series', query), signal);

export const releaseOverride = (id: string, body: ReleaseOverrideBody) =>
  post<OverrideBody>(`/api/overrides/${path(id)}/release`, body);

/** `withinMs` counts back from the moment of asking. */
export type AuditFilter = AuditFilterQuery & { readonly withinMs?: number };

function auditParams({ withinMs, ...filter }: AuditFilter) {
  return { ...filter, ...(withinMs === undefined ? {} : { from: Date.now() - withinMs }) };
}

export const getAudit = (filter: AuditFilter, before: number | null, signal?: AbortSignal) =>
  get<AuditBody>(
    withQuery('/api/audit', { ...auditParams(filter), before: before ?? undefined }),
    signal,
  );

export const getAuditProof = (signal?: AbortSignal) =>
  get<AuditProofBody>('/api/audit/proof', signal);

export type AuditFormat = 'jsonl' | 'csv';

export const downloadAudit = (filter: AuditFilter, format: AuditFormat) =>
  download(withQuery('/api/audit/export', { ...auditParams(filter), format }));

export const downloadCheckpoint = () => download('/api/audit/checkpoint');
