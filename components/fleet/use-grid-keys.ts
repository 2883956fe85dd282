'use client';

import { useState, type KeyboardEvent } from 'react';
import { moveTo } from './move';

type Options = {
  ids: readonly string[];
  pageSize: () => number;
  onMove: (index: number) => void;
  onOpen: (id: string) => void;
  onAnyKey: () => void;
};

/** One tab stop: arrows, j/k, paging, Home and End move the active row, which is kept by id. */
export function useGridKeys({ ids, pageSize, onMove, onOpen, onAnyKey }: Options) {
  const [activeId, setActiveId] = useState<string | null>(null);
  const activeIndex = activeId === null ? -1 : ids.indexOf(activeId);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    onAnyKey();
    if (event.key === 'Enter' && activeId !== null && event.target === event.currentTarget) {
      onOpen(activeId);
      return;
    }
    const next = moveTo(event.key, activeIndex, ids.length, pageSize());
    if (next === null) return;
    event.preventDefault();
    setActiveId(ids[next] ?? null);
    onMove(next);
  };

  return {
    activeId: activeIndex < 0 ? null : activeId,
    /** Entering the list starts at its first row, or where one was before. */
    enter: () => setActiveId((current) => current ?? ids[0] ?? null),
    onKeyDown,
  };
}
