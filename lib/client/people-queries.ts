import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as people from './people';
import { queryKeys } from './query-keys';
import { getMe } from './session';

export const useMe = () => useQuery({ queryKey: queryKeys.me, queryFn: () => getMe() });

export const useSignInOptions = () =>
  useQuery({
    queryKey: queryKeys.signIn,
    queryFn: ({ signal }) => people.getSignInOptions(signal),
  });

export const useProfile = () =>
  useQuery({ queryKey: queryKeys.profile, queryFn: ({ signal }) => people.getProfile(signal) });

/** For those who may read them only; the rest would be refused. */
export const usePeopleWhen = (enabled: boolean) =>
  useQuery({
    queryKey: queryKeys.people,
    queryFn: ({ signal }) => people.getPeople(signal),
    enabled,
  });

export const usePeople = () => usePeopleWhen(true);

export const useApiTokens = () =>
  useQuery({
    queryKey: queryKeys.apiTokens,
    queryFn: ({ signal }) => people.getApiTokens(signal),
  });

/** A change after which a list of people, or the own profile, is read again. */
export function useChange<Input, Output>(
  what: 'people' | 'profile' | 'apiTokens',
  run: (input: Input) => Promise<Output>,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys[what] }),
  });
}
