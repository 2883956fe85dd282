import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PreviewCommandBody } from '../protocol/commands';
import * as commands from './commands';
import { queryKeys } from './query-keys';

const PREVIEW_EVERY_MS = 5_000;
const LIST_EVERY_MS = 5_000;
const FOLLOWED_EVERY_MS = 2_000;
const WAITING_EVERY_MS = 10_000;

/** Null asks nothing. Never from the cache: a preview that is a minute old is no preview. */
export const usePreview = (body: PreviewCommandBody | null, enabled = true) =>
  useQuery({
    queryKey: queryKeys.preview(body),
    queryFn: () => {
      if (body === null) throw new Error('nothing to preview');
      return commands.previewCommand(body);
    },
    enabled: enabled && body !== null,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: PREVIEW_EVERY_MS,
    placeholderData: keepPreviousData,
  });

export const useCommands = () =>
  useQuery({
    queryKey: queryKeys.commandList,
    queryFn: ({ signal }) => commands.getCommands(signal),
    refetchInterval: LIST_EVERY_MS,
  });

/** On every page, for those who may approve. */
export const useWaiting = (enabled: boolean) =>
  useQuery({
    queryKey: queryKeys.waiting,
    queryFn: ({ signal }) => commands.getWaiting(signal),
    enabled,
    refetchInterval: WAITING_EVERY_MS,
  });

/** One command while somebody watches what becomes of it. */
export const useCommand = (first: commands.CommandBody) =>
  useQuery({
    queryKey: queryKeys.command(first.command.id),
    queryFn: ({ signal }) => commands.getCommand(first.command.id, signal),
    initialData: first,
    refetchInterval: FOLLOWED_EVERY_MS,
  });

export const useReleases = () =>
  useQuery({
    queryKey: queryKeys.releases,
    queryFn: ({ signal }) => commands.getReleases(signal),
    refetchInterval: FOLLOWED_EVERY_MS,
  });

/** For those who may read the audit; others are refused. */
export const useReviews = (enabled: boolean) =>
  useQuery({
    queryKey: queryKeys.reviews,
    queryFn: ({ signal }) => commands.getReviews(signal),
    enabled,
    refetchInterval: LIST_EVERY_MS,
  });

export const usePolicies = () =>
  useQuery({
    queryKey: queryKeys.policies,
    queryFn: ({ signal }) => commands.getPolicies(signal),
  });

/** An act on commands, after which everything that tells of them is read again, also when it failed. */
export function useAct<Input, Output>(run: (input: Input) => Promise<Output>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSettled: () =>
      Promise.all(
        [
          queryKeys.commands,
          queryKeys.releases,
          queryKeys.reviews,
          queryKeys.policies,
          queryKeys.overrides,
          queryKeys.breakers,
          queryKeys.audit,
        ].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}
