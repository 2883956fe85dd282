import { useEffect, useRef, useState } from 'react';
import { CursorStore } from './cursor-store';

/** Keys repeat; the address need not follow each of them. */
const REST_MS = 300;

/** A cursor that begins where it was pinned, follows when that changes from outside, and tells its pins. */
export function usePinned(at: number | null, onPin?: (at: number | null) => void): CursorStore {
  const [cursor] = useState(() => new CursorStore(at));
  // What was told from here comes back late, when the keys have gone on: it is not news.
  const tellings = useRef([at]);
  useEffect(() => {
    const own = tellings.current.indexOf(at);
    tellings.current = own === -1 ? [at] : tellings.current.slice(own);
    if (own === -1 && at !== round(cursor.pinned())) cursor.pin(at);
  }, [cursor, at]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let told = cursor.pinned();
    const stop = cursor.subscribe(() => {
      if (cursor.pinned() === told) return;
      told = cursor.pinned();
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (onPin === undefined) return;
        tellings.current.push(round(told));
        onPin(round(told));
      }, REST_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [cursor, onPin]);
  return cursor;
}

const round = (at: number | null) => (at === null ? null : Math.round(at));
