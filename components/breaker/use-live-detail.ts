import { useCallback, useReducer } from 'react';
import { useTopic } from '@/lib/client/use-live';
import type { BreakerDetailPatch } from '@/lib/protocol/live-frames';
import { foldDetail, NO_DETAIL, type LiveDetail } from './live-detail';

/** The live half of a breaker page; `onResync` fetches the other half again. */
export function useLiveDetail(breakerId: string, onResync: () => void): LiveDetail {
  const [detail, dispatch] = useReducer(foldDetail, NO_DETAIL);
  const onDetail = useCallback(
    (patch: BreakerDetailPatch) => dispatch({ type: 'patch', patch }),
    [],
  );
  const resync = useCallback(() => {
    dispatch({ type: 'resync' });
    onResync();
  }, [onResync]);
  useTopic(`breaker:${breakerId}`, onDetail, resync);
  return detail;
}
