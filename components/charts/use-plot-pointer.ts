import { useRef, useState, type PointerEvent } from 'react';
import { brushTo, fromRatio } from '@/lib/series/domain';
import type { TimeDomain } from '@/lib/series/types';
import { useCursorStore } from './cursor-store';
import { useStack } from './stack-context';

/** Hover moves the shared cursor; a drag marks a span and zooms to it. */
export function usePlotPointer() {
  const { model, onZoom, onReset } = useStack();
  const cursor = useCursorStore();
  const start = useRef<number | null>(null);
  const [drag, setDrag] = useState<TimeDomain | null>(null);
  const { domain } = model;

  const at = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const ratio = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    return fromRatio(domain, ratio);
  };

  return {
    drag,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        cursor.move(at(event));
        // A finger scrolls the page; only a mouse or a pen draws a span.
        if (event.pointerType === 'touch') return;
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = at(event);
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        const here = at(event);
        cursor.move(here);
        if (start.current === null) return;
        setDrag({ from: Math.min(start.current, here), to: Math.max(start.current, here) });
      },
      onPointerUp(event: PointerEvent<HTMLElement>) {
        const from = start.current;
        start.current = null;
        setDrag(null);
        if (from === null) return;
        const next = brushTo(domain, from, at(event));
        if (next !== null) onZoom(next);
      },
      onPointerCancel() {
        start.current = null;
        setDrag(null);
      },
      onPointerLeave() {
        if (start.current === null) cursor.move(null);
      },
      onDoubleClick: onReset,
    },
  };
}
