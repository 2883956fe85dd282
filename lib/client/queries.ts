import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { ReleaseOverrideBody } from '../protocol/api';
import * as api from './api';
import type { AuditFilter, AuditFormat, HistoryFilter, NewToken, SeriesRange } from './api';
import { queryKeys } from './query-keys';
import { useEvery } from './use-live';

/** Liveness and counters of instances have no topic of their own on these pages. */
const SERVICES_EVERY_MS = 5_000;
const PROOF_EVERY_MS = 10_000;
const DIAGNOSIS_EVERY_MS = 10_000;

export const useServicesQuery = () =>
  useQuery({
    queryKey: queryKeys.services,
    queryFn: ({ signal }) => api.getServices(signal),
    refetchInterval: useEvery(SERVICES_EVERY_MS),
  });

export const useServiceQuery = (id: string) =>
  useQuery({
    queryKey: queryKeys.service(id),
    queryFn: ({ signal }) => api.getService(id, signal),
    refetchInterval: useEvery(SERVICES_EVERY_MS),
  });

export const useTokensQuery = () =>
  useQuery({ queryKey: queryKeys.tokens, queryFn: ({ signal }) => api.getTokens(signal) });

/** The first copy of a breaker page; `useTopic` keeps it current. */
export const useBreakerQuery = (id: string) =>
  useQuery({
    queryKey: queryKeys.breakerDetail(id),
    queryFn: ({ signal }) => api.getBreaker(id, signal),
  });

export const useDiagnosisQuery = (id: string) =>
  useQuery({
    queryKey: queryKeys.diagnosis(id),
    queryFn: ({ signal }) => api.getDiagnosis(id, signal),
    refetchInterval: DIAGNOSIS_EVERY_MS,
  });

/** Findings of the last hour in the breakers of one service. */
export const useFindingsQuery = (serviceId: string) =>
  useQuery({
    queryKey: queryKeys.findings(serviceId),
    queryFn: ({ signal }) => api.getFindings(serviceId, signal),
    refetchInterval: DIAGNOSIS_EVERY_MS,
  });

export const useHistory = (id: string, filter: HistoryFilter = {}) =>
  useInfiniteQuery({
    queryKey: queryKeys.history(id, filter),
    queryFn: ({ pageParam, signal }) =>
      api.getHistory(id, { ...filter, ...(pageParam ? { before: pageParam } : {}) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });

/** The picture of the range before stays until the new one is here; that of others would be a lie. */
export function useSeries(id: string, range: SeriesRange) {
  const queryKey = queryKeys.series(id, range);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => api.getSeries(id, range, signal),
    placeholderData: (before, query) => {
      const [, breaker, , of] = (query?.queryKey ?? []) as Partial<typeof queryKey>;
      return breaker === id && of?.instance === range.instance ? before : undefined;
    },
  });
}

export const useOverridesQuery = (filter: { active: boolean }) =>
  useQuery({
    queryKey: queryKeys.overrideList(filter.active),
    queryFn: ({ signal }) => api.getOverrides(filter, signal),
  });

/** The rows of the filter before stay until the new ones are here. */
export const useAuditQuery = (filter: AuditFilter) =>
  useInfiniteQuery({
    queryKey: queryKeys.auditList(filter),
    queryFn: ({ pageParam, signal }) => api.getAudit(filter, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });

export const useAuditProofQuery = () =>
  useQuery({
    queryKey: queryKeys.auditProof,
    queryFn: ({ signal }) => api.getAuditProof(signal),
    refetchInterval: useEvery(PROOF_EVERY_MS),
  });

/** `save` takes the file; an export is a row of its own. */
export function useExportAudit(save: (file: Blob, format: AuditFormat) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ filter, format }: { filter: AuditFilter; format: AuditFormat }) =>
      save(await api.downloadAudit(filter, format), format),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.audit }),
  });
}

export const useDownloadCheckpoint = (save: (file: Blob) => void) =>
  useMutation({ mutationFn: async () => save(await api.downloadCheckpoint()) });

/** After an override: the breaker, the lists and the audit trail all tell another story. */
function useOverrideChanged() {
  const client = useQueryClient();
  return (breakerId: string) =>
    Promise.all([
      client.invalidateQueries({ queryKey: queryKeys.breaker(breakerId) }),
      client.invalidateQueries({ queryKey: queryKeys.overrides }),
      client.invalidateQueries({ queryKey: queryKeys.audit }),
    ]);
}

export function useReleaseOverride() {
  const changed = useOverrideChanged();
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: ReleaseOverrideBody }) =>
      api.releaseOverride(id, body),
    onSuccess: ({ override }) => changed(override.breakerId),
  });
}

export function useRemoveInstance() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.removeInstance(id),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.services }),
        client.invalidateQueries({ queryKey: queryKeys.breakers }),
        client.invalidateQueries({ queryKey: queryKeys.audit }),
      ]),
  });
}

export function useCreateToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: NewToken) => api.createToken(body),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.tokens }),
  });
}

export function useRevokeToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.revokeToken(id),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.tokens }),
  });
}
