'use client';

import { useEffect, useMemo, useRef, useState, type FocusEvent, type PointerEvent } from 'react';
import { flushSync } from 'react-dom';
import { liveClient } from '@/lib/client/live';
import { isHeld, keepOrder, KEY_HOLD_MS, sameOrder, stableOrder, type Hand } from './hold';

type Held = { key: string; ids: readonly string[] };

const exists = (id: string) => liveClient().store.breaker(id) !== null;

/**
 * Freezes the order while a hand is on the list. `key` is the filter: when a person changes what
 * is listed, the new list comes in its own order at once.
 */
export function useHeldOrder(wanted: readonly string[], key: string, append: boolean) {
  const [held, setHeld] = useState<Held | null>(null);
  const [stable] = useState(stableOrder);
  const hand = useRef<Hand>({ pointerInside: false, focusInside: false, lastKeyAt: null });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const shown = useMemo(() => {
    const free = held === null || held.key !== key;
    return stable(free ? wanted : keepOrder(held.ids, wanted, { exists, append }));
  }, [held, key, wanted, append, stable]);

  const settle = () => {
    if (!isHeld(hand.current, Date.now())) setHeld(null);
  };
  const touch = (change: Partial<Hand>) => {
    hand.current = { ...hand.current, ...change };
    if (!isHeld(hand.current, Date.now())) {
      setHeld(null);
      return;
    }
    setHeld((current) => (current?.key === key ? current : { key, ids: shown }));
    if (change.lastKeyAt === undefined) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(settle, KEY_HOLD_MS);
  };

  return {
    shown,
    /** Something would move if nobody held it. */
    waiting: !sameOrder(shown, wanted),
    applyOrder: () => setHeld({ key, ids: wanted }),
    handlers: {
      onPointerMove: (event: PointerEvent) => {
        if (event.pointerType === 'touch' || hand.current.pointerInside) return;
        // A move is rendered later than news of the fleet: without this the rows move once more.
        flushSync(() => touch({ pointerInside: true }));
      },
      onPointerLeave: () => touch({ pointerInside: false }),
      onPointerDown: () => touch({ lastKeyAt: Date.now() }),
      onFocus: () => touch({ focusInside: true }),
      onBlur: (event: FocusEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget)) touch({ focusInside: false });
      },
      onKey: () => touch({ lastKeyAt: Date.now() }),
    },
  };
}
