import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SimulatorBody } from '../protocol/simulation';
import { get, post } from './http';
import { queryKeys } from './query-keys';
import { useEvery } from './use-live';

/** It may stop by itself, or be removed by somebody else. */
const EVERY_MS = 10_000;

export const useSimulatorQuery = () =>
  useQuery({
    queryKey: queryKeys.simulator,
    queryFn: ({ signal }) => get<SimulatorBody>('/api/simulator', signal),
    refetchInterval: useEvery(EVERY_MS),
  });

function useChange(what: 'start' | 'remove') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => post<SimulatorBody>(`/api/simulator/${what}`, {}),
    onSuccess: (body) => {
      client.setQueryData(queryKeys.simulator, body);
      return Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.services }),
        client.invalidateQueries({ queryKey: queryKeys.audit }),
      ]);
    },
  });
}

export const useStartSimulator = () => useChange('start');
export const useRemoveSimulator = () => useChange('remove');
