import { useCallback, useState, useSyncExternalStore } from 'react';
import { useTopic } from '@/lib/client/use-live';
import { instanceDetailId } from '@/lib/protocol/detail-id';
import { DetailStore } from './detail-store';
import { NO_DETAIL, type LiveDetail } from './live-detail';

const nothing = () => NO_DETAIL;
const ignore = () => undefined;

/** The live half of a breaker page; `onResync` fetches the other half again. */
export function useLiveDetail(breakerId: string, onResync: () => void): LiveDetail {
  const [store] = useState(() => new DetailStore());
  const resync = useCallback(() => {
    store.resync();
    onResync();
  }, [store, onResync]);
  useTopic(`breaker:${breakerId}`, store.add, resync);
  return useSyncExternalStore(store.subscribe, store.shown, nothing);
}

/** The live points of one chosen instance; nothing while none is chosen. */
export function useInstanceDetail(breakerId: string, instanceId: string | null): LiveDetail {
  const [held, setHeld] = useState(() => ({ instanceId, store: new DetailStore() }));
  // What was told of another instance is not this one's.
  if (held.instanceId !== instanceId) setHeld({ instanceId, store: new DetailStore() });
  const { store } = held;
  const topic = instanceId && `breaker:${instanceDetailId(breakerId, instanceId)}`;
  useTopic(topic, store.add, topic === null ? ignore : store.resync);
  return useSyncExternalStore(store.subscribe, store.shown, nothing);
}
