import { useCallback, useState, useSyncExternalStore } from 'react';
import { useTopic } from '@/lib/client/use-live';
import { DetailStore } from './detail-store';
import { NO_DETAIL, type LiveDetail } from './live-detail';

const nothing = () => NO_DETAIL;

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
