import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { EMPTY_FLEET, type Fleet } from '../live/fold';
import type { FleetSummary } from '../live/summary';
import { EMPTY_SUMMARY } from '../live/summary';
import type { BreakerDetailPatch, PresentPerson } from '../protocol/live-frames';
import type { BreakerView, OverrideView, ServiceView } from '../protocol/views';
import type { Connection } from './connection';
import { liveClient, startedClient } from './live';

const NOTHING: readonly never[] = [];
const CONNECTING: Connection = { status: 'connecting' };
const nothing = () => NOTHING;

const watch = (channel: string) => (listener: () => void) =>
  startedClient().store.channels.add(channel, listener);
const watchList = watch('list');
const watchOverrides = watch('overrides');
const watchServices = watch('services');
const watchEnvironments = watch('environments');

/** One row; wakes only when that row changed. Null when it is not known (yet). */
export function useBreaker(id: string): BreakerView | null {
  const subscribe = useCallback(
    (listener: () => void) => startedClient().store.watchRow(id, listener),
    [id],
  );
  return useSyncExternalStore(
    subscribe,
    () => liveClient().store.breaker(id),
    () => null,
  );
}

/** All rows, for sorting and filtering: at once when a state changed, else once a second. */
export function useBreakerList(): readonly BreakerView[] {
  return useSyncExternalStore(watchList, () => liveClient().store.list(), nothing);
}

export function useFleetSummary(): FleetSummary {
  return useSyncExternalStore(
    watchList,
    () => liveClient().store.summary(),
    () => EMPTY_SUMMARY,
  );
}

/** Those not ended, and those ended within the last hour. */
export function useOverrides(): readonly OverrideView[] {
  return useSyncExternalStore(watchOverrides, () => liveClient().store.overrides(), nothing);
}

export function useServices(): readonly ServiceView[] {
  return useSyncExternalStore(watchServices, () => liveClient().store.services(), nothing);
}

export function useEnvironments(): readonly string[] {
  return useSyncExternalStore(watchEnvironments, () => liveClient().store.environments(), nothing);
}

const serviceOf = (breakerId: string): string | undefined =>
  liveClient().store.breaker(breakerId)?.service;

/** Names of the services that these breakers belong to, as far as they are known yet. */
export function useServiceOf(breakerIds: readonly string[]): typeof serviceOf {
  // One text, so that it wakes only when one of the names becomes known.
  useSyncExternalStore(
    watchList,
    () => breakerIds.map(serviceOf).join('\n'),
    () => '',
  );
  return serviceOf;
}

const watchConnection = (listener: () => void) => startedClient().watchConnection(listener);

export function useConnection(): Connection {
  return useSyncExternalStore(
    watchConnection,
    () => liveClient().connection(),
    () => CONNECTING,
  );
}

const watchTicker = (listener: () => void) => startedClient().ticker.watch(listener);

/** Server time in whole seconds, from one shared ticker; stands still while not live. */
export function useServerNow(): number | null {
  return useSyncExternalStore<number | null>(
    watchTicker,
    () => liveClient().ticker.live(),
    () => null,
  );
}

/** Server time that goes on without a connection; for ages of the connection itself. */
export function useWallNow(): number | null {
  return useSyncExternalStore<number | null>(
    watchTicker,
    () => liveClient().ticker.wall(),
    () => null,
  );
}

/** Keeps a topic of `/ws/live` while mounted; null wants none. Callbacks should be stable. */
export function useTopic(
  topic: string | null,
  onDetail?: (detail: BreakerDetailPatch) => void,
  onResync?: () => void,
): void {
  useEffect(
    () => (topic === null ? undefined : startedClient().wantTopic(topic, onDetail)),
    [topic, onDetail],
  );
  useEffect(() => (onResync ? startedClient().watchResync(onResync) : undefined), [onResync]);
}

const watchPresence = (listener: () => void) => startedClient().watchPresence(listener);

/** Other people at a breaker whose topic this page wants. */
export function usePresence(breakerId: string): readonly PresentPerson[] {
  return useSyncExternalStore<readonly PresentPerson[]>(
    watchPresence,
    () => liveClient().presentAt(breakerId),
    nothing,
  );
}

/** Others at this breaker are told that an override of it is being prepared, while mounted. */
export const usePreparing = (breakerId: string): void => useTopic(`preparing:${breakerId}`);

const watchPaused = watch('paused');
const watchMissed = watch('missed');

/** When this page was paused, on the server's clock; null while it is not. */
export function usePausedAt(): number | null {
  return useSyncExternalStore<number | null>(
    watchPaused,
    () => liveClient().pausedAt(),
    () => null,
  );
}

/** What has come in since the pause; looked at once a second at most. */
export function useMissedFleet(): Fleet {
  return useSyncExternalStore(
    watchMissed,
    () => liveClient().store.fleet,
    () => EMPTY_FLEET,
  );
}

/** For `refetchInterval`: nothing is asked again by itself while this page is paused. */
export const useEvery = (ms: number): number | false => (usePausedAt() === null ? ms : false);

export const setPaused = (paused: boolean): void => liveClient().setPaused(paused);
export const reconnectNow = (): void => liveClient().reconnectNow();
